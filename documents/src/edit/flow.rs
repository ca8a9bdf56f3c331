//! Entries and values in flow style and JSON.

use serde_json::{Map, Value};

use super::{
    layout::{Context, Layout},
    scalar,
};
use crate::{
    lines,
    splice::Splice,
    yaml::{self, Entry, Format, Item, Kind, Node, ScalarStyle},
};

/// Puts entries after the last one of a mapping: on lines of their own if that has one.
pub(super) fn append(
    splices: &mut Vec<Splice>,
    mapping: Node<'_>,
    last: Entry<'_>,
    entries: &Map<String, Value>,
    layout: &Layout,
) {
    let source = mapping.document().source();
    let end = last.range().end;
    let own_line = lines::is_first(source, last.range().start);
    let indent = lines::column(source, last.range().start);
    let habits = Habits::of(last, layout);
    // What follows the last one that stays goes, comma included.
    let is_last = mapping
        .entries()
        .last()
        .is_some_and(|each| each.range() == last.range());
    let comma = yaml::indicator(source, end, b',').filter(|_| is_last);
    let separator = if own_line {
        layout.line(indent)
    } else if habits.tight {
        String::new()
    } else {
        " ".to_owned()
    };
    let mut text = String::new();
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&separator);
        text.push_str(&habits.entry(key, value, indent, own_line, layout));
    }
    // Where the new entries go: after the comma, and after a comment on that line.
    let after = comma.map_or(end, |comma| comma + 1);
    let line_end = lines::end(source, after);
    let rest = source[after..line_end].trim_start();
    let at = if is_last && own_line && (rest.is_empty() || rest.starts_with('#')) {
        line_end
    } else {
        after
    };
    if comma.is_none() {
        splices.push(Splice::insert(end, ","));
    }
    splices.push(Splice::insert(at, text));
}

/// Puts an item behind another one, which is the last of its list or not.
pub(super) fn insert_behind(
    splices: &mut Vec<Splice>,
    list: Node<'_>,
    above: Item<'_>,
    is_last: bool,
    value: &Value,
    layout: &Layout,
) {
    let source = list.document().source();
    let end = above.range().end;
    let (separator, text) = item_text(list, above, value, layout);
    // A comma at the end of the list stays at the end.
    let comma = yaml::indicator(source, end, b',').filter(|_| is_last);
    let after = comma.map_or(end, |comma| comma + 1);
    let line_end = lines::end(source, after);
    let rest = source[after..line_end].trim_start();
    let own_line = separator.contains(['\n', '\r']);
    let at = if is_last && own_line && (rest.is_empty() || rest.starts_with('#')) {
        line_end
    } else {
        after
    };
    if comma.is_some() {
        splices.push(Splice::insert(at, format!("{separator}{text},")));
    } else {
        splices.push(Splice::insert(end, ","));
        splices.push(Splice::insert(at, format!("{separator}{text}")));
    }
}

/// Puts an item before the first one of its list.
pub(super) fn insert_before(
    splices: &mut Vec<Splice>,
    list: Node<'_>,
    below: Item<'_>,
    value: &Value,
    layout: &Layout,
) {
    let (separator, text) = item_text(list, below, value, layout);
    let at = below.range().start;
    splices.push(Splice::insert(at, format!("{text},{separator}")));
}

/// What stands between two items of a list, and a new item beside one.
fn item_text(
    list: Node<'_>,
    neighbour: Item<'_>,
    value: &Value,
    layout: &Layout,
) -> (String, String) {
    let source = list.document().source();
    let start = neighbour.range().start;
    let own_line = lines::is_first(source, start);
    let indent = lines::column(source, start);
    let mut items = list.items();
    let gap = match (items.next(), items.next()) {
        (Some(one), Some(two)) => &source[one.range().end..two.range().start],
        _ if layout.format == Format::Json && !layout.multi_line => ",",
        _ => ", ",
    };
    let habits = Habits {
        context: context(layout),
        key_style: None,
        tight: gap == "," && layout.format == Format::Json,
    };
    let separator = if own_line {
        layout.line(indent)
    } else {
        gap.strip_prefix(',')
            .filter(|gap| gap.trim().is_empty())
            .unwrap_or(" ")
            .to_owned()
    };
    let over_lines = own_line && layout.format == Format::Json;
    let style = scalar::style_of(neighbour.node);
    let text = match value {
        Value::Object(_) | Value::Array(_) => habits.value(value, indent, over_lines, layout),
        single => scalar::scalar(single, style, habits.context),
    };
    (separator, text)
}

/// A value in the place of an entry's, in flow.
pub(super) fn value_for(value: &Value, entry: Entry<'_>, layout: &Layout) -> String {
    match value {
        Value::Object(_) | Value::Array(_) => {
            let source = entry.key.document().source();
            let habits = Habits::of(entry, layout);
            let start = entry.range().start;
            let own_line = layout.multi_line && lines::is_first(source, start);
            habits.value(value, lines::indent(source, start), own_line, layout)
        }
        scalar => scalar::scalar(scalar, scalar::style_of(entry.value), context(layout)),
    }
}

/// A value in the place of a node that no entry holds.
pub(super) fn value(value: &Value, node: Node<'_>, layout: &Layout) -> String {
    let source = node.document().source();
    let habits = Habits {
        context: context(layout),
        key_style: None,
        tight: layout.format == Format::Json && !layout.multi_line,
    };
    let indent = lines::indent(source, node.range().start);
    let own_line = layout.format == Format::Json && layout.multi_line;
    habits.value(value, indent, own_line, layout)
}

/// A value on one line.
pub(super) fn compact(value: &Value, context: Context) -> String {
    let habits = Habits {
        context,
        key_style: None,
        tight: false,
    };
    habits.on_one_line(value)
}

fn context(layout: &Layout) -> Context {
    match layout.format {
        Format::Json => Context::Json,
        Format::Yaml => Context::Flow,
    }
}

/// How the neighbours are written.
struct Habits {
    context: Context,
    key_style: Option<ScalarStyle>,
    /// No space after `:` and `,`.
    tight: bool,
}

impl Habits {
    fn of(neighbour: Entry<'_>, layout: &Layout) -> Self {
        let source = neighbour.key.document().source();
        let key_style = match neighbour.key.kind() {
            Kind::Scalar(style) => Some(style),
            _ => None,
        };
        // In YAML a `:` without a space is one only after a quoted key.
        let tight = neighbour.colon().is_some_and(|colon| {
            !source[colon + 1..].starts_with([' ', '\t', '\r', '\n', ',', '}'])
        });
        Self {
            context: context(layout),
            tight: tight
                && (layout.format == Format::Json || key_style == Some(ScalarStyle::DoubleQuoted)),
            key_style,
        }
    }

    fn entry(
        &self,
        key: &str,
        value: &Value,
        indent: usize,
        own_line: bool,
        layout: &Layout,
    ) -> String {
        let key = scalar::key(key, self.key_style, self.context);
        let value = self.value(value, indent, own_line, layout);
        let space = if self.tight { "" } else { " " };
        format!("{key}:{space}{value}")
    }

    /// A value; over several lines if it is an object or an array on a line of its own.
    fn value(&self, value: &Value, indent: usize, own_line: bool, layout: &Layout) -> String {
        let (open, close, parts): (_, _, Vec<String>) = match value {
            Value::Object(entries) if own_line && !entries.is_empty() => {
                let inner = indent + layout.step;
                let parts = entries
                    .iter()
                    .map(|(key, value)| self.entry(key, value, inner, true, layout));
                ('{', '}', parts.collect())
            }
            Value::Array(items) if own_line && !items.is_empty() => {
                let inner = indent + layout.step;
                let parts = items
                    .iter()
                    .map(|item| self.value(item, inner, true, layout));
                ('[', ']', parts.collect())
            }
            other => return self.on_one_line(other),
        };
        let inner = indent + layout.step;
        let separator = format!(",{}", layout.line(inner));
        let parts = parts.join(&separator);
        let (first, last) = (layout.line(inner), layout.line(indent));
        format!("{open}{first}{parts}{last}{close}")
    }

    fn on_one_line(&self, value: &Value) -> String {
        let (comma, colon) = if self.tight { (",", ":") } else { (", ", ": ") };
        match value {
            Value::Object(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| {
                        let key = scalar::key(key, self.key_style, self.context);
                        format!("{key}{colon}{}", self.on_one_line(value))
                    })
                    .collect();
                format!("{{{}}}", entries.join(comma))
            }
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.on_one_line(item)).collect();
                format!("[{}]", items.join(comma))
            }
            scalar => scalar::scalar(scalar, self.key_style, self.context),
        }
    }
}
