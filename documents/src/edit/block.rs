//! Entries and values in block style.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{
    flow,
    layout::{Context, Layout},
    scalar,
};
use crate::{
    emit::block::{Folding, Indicator, block},
    lines,
    splice::Splice,
    yaml::{CollectionStyle, Entry, Format, Kind, Node, ScalarStyle},
};

/// Puts entries below the last one of a mapping.
pub(super) fn append(
    splices: &mut Vec<Splice>,
    mapping: Node<'_>,
    last: Entry<'_>,
    entries: &Map<String, Value>,
    layout: &Layout,
) {
    let source = mapping.document().source();
    let first = mapping.entries().next().map_or(last, |first| first);
    let indent = lines::column(source, first.range().start);
    let at = lines::end(source, last.range().end);
    if at == source.len() {
        keep_without_line_break(splices, last.value, source);
    }
    let mut text = String::new();
    for (key, value) in entries {
        text.push_str(layout.line_break);
        text.extend(std::iter::repeat_n(' ', indent));
        entry(&mut text, key, value, indent, layout);
    }
    splices.push(Splice::insert(at, text));
}

/// A block scalar that ends with the text has no line break at its end; it would get one.
pub(super) fn keep_without_line_break(splices: &mut Vec<Splice>, node: Node<'_>, source: &str) {
    let node = last_leaf(node);
    let is_block = matches!(
        node.kind(),
        Kind::Scalar(ScalarStyle::Literal | ScalarStyle::Folded)
    );
    if !is_block || node.text().is_none_or(|text| text.ends_with('\n')) {
        return;
    }
    let start = node.range().start + 1;
    let indicators = source[start..]
        .bytes()
        .take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'))
        .count();
    let header = &source[start..start + indicators];
    let stripped: String = header.chars().filter(char::is_ascii_digit).collect();
    splices.push(Splice::new(
        start..start + indicators,
        format!("{stripped}-"),
    ));
}

fn last_leaf(node: Node<'_>) -> Node<'_> {
    let child = match node.kind() {
        Kind::Mapping(_) => node.entries().last().map(|entry| entry.value),
        Kind::Sequence(_) => node.items().last().map(|item| item.node),
        _ => None,
    };
    child.map_or(node, last_leaf)
}

/// `key: value`, without indentation and line break before; further lines begin at `indent`.
pub(crate) fn entry(out: &mut String, key: &str, value: &Value, indent: usize, layout: &Layout) {
    let key = scalar::key(key, None, Context::Block);
    out.push_str(&key);
    out.push(':');
    value_after_colon(out, value, indent, layout);
}

fn value_after_colon(out: &mut String, value: &Value, indent: usize, layout: &Layout) {
    let start_line = |out: &mut String, indent: usize| {
        out.push_str(layout.line_break);
        out.extend(std::iter::repeat_n(' ', indent));
    };
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let indent = indent + layout.step;
            for (key, value) in entries {
                start_line(out, indent);
                entry(out, key, value, indent, layout);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                start_line(out, indent);
                out.push('-');
                item_after_dash(out, item, indent, layout);
            }
        }
        scalar => {
            let _ = write!(out, " {}", inline(scalar, None));
        }
    }
}

/// `- value`, without indentation and line break before; further lines begin behind `indent`.
pub(super) fn item(out: &mut String, value: &Value, indent: usize, layout: &Layout) {
    out.push('-');
    item_after_dash(out, value, indent, layout);
}

fn item_after_dash(out: &mut String, item: &Value, indent: usize, layout: &Layout) {
    match item {
        Value::Object(entries) if !entries.is_empty() => {
            for (index, (key, value)) in entries.iter().enumerate() {
                if index == 0 {
                    out.push(' ');
                } else {
                    out.push_str(layout.line_break);
                    out.extend(std::iter::repeat_n(' ', indent + 2));
                }
                entry(out, key, value, indent + 2, layout);
            }
        }
        // A sequence in a sequence, and scalars.
        other => {
            out.push(' ');
            out.push_str(&flow::compact(other, Context::Flow));
        }
    }
}

fn inline(value: &Value, style: Option<ScalarStyle>) -> String {
    match value {
        Value::Object(_) => "{}".to_owned(),
        Value::Array(_) => "[]".to_owned(),
        scalar => scalar::scalar(scalar, style, Context::Block),
    }
}

/// Puts a value in the place of that of an entry, whatever the two are.
pub(crate) fn replace_value(
    splices: &mut Vec<Splice>,
    entry: Entry<'_>,
    value: &Value,
    layout: &Layout,
) {
    let old = entry.value;
    let source = old.document().source();
    let in_flow = layout.format == Format::Json || old.is_in_flow();
    let nested = match value {
        Value::Object(entries) => !entries.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    let Some(colon) = entry.colon() else {
        // A key without a value: `? key`, or `{key}`.
        let text = format!(": {}", flow::compact(value, Context::Flow));
        let line_break = if in_flow { "" } else { layout.line_break };
        let indent = if in_flow {
            0
        } else {
            lines::column(source, entry.range().start)
        };
        let at = entry.range().end;
        return splices.push(Splice::insert(
            at,
            format!("{line_break}{:indent$}{text}", ""),
        ));
    };
    if in_flow {
        let text = flow::value_for(value, entry, layout);
        let gap = if old.full_range().is_empty() { " " } else { "" };
        return splices.push(Splice::new(old.full_range(), format!("{gap}{text}")));
    }
    let is_block = matches!(
        old.kind(),
        Kind::Mapping(CollectionStyle::Block) | Kind::Sequence(CollectionStyle::Block)
    );
    let colon_line_end = lines::end(source, colon);
    let text = if nested {
        let mut text = String::new();
        let indent = lines::column(source, entry.range().start);
        value_after_colon(&mut text, value, indent, layout);
        text
    } else if let Some(text) = in_block_of(entry, value, layout) {
        return splices.push(Splice::new(old.full_range(), text));
    } else {
        inline(value, scalar::style_of(old))
    };
    let gap = colon + 1..old.full_range().start.max(colon + 1);
    if is_block {
        // The rest of the colon's line stays: there may be a comment. What follows goes.
        let at = if nested { colon_line_end } else { colon + 1 };
        let space = if nested { "" } else { " " };
        splices.push(Splice::insert(at, format!("{space}{text}")));
        let from = gap.end.min(colon_line_end.max(gap.start));
        splices.push(Splice::delete(from..old.full_range().end));
    } else if nested && source[gap.clone()].trim().is_empty() {
        // A comment on the line stays on it.
        splices.push(Splice::delete(gap.start..old.full_range().end));
        let at = lines::end(source, old.full_range().end);
        splices.push(Splice::insert(at, text));
    } else if old.full_range().is_empty() {
        splices.push(Splice::insert(colon + 1, format!(" {text}")));
    } else {
        splices.push(Splice::new(old.full_range(), text));
    }
}

/// A text with a line break below the header that the old one stands below, where that can hold it. What else is on the line
/// of the header, a comment, stays.
fn in_block_of(entry: Entry<'_>, value: &Value, layout: &Layout) -> Option<String> {
    let (Value::String(text), old) = (value, entry.value) else {
        return None;
    };
    let folding = match scalar::style_of(old)? {
        ScalarStyle::Literal => Folding::Literal,
        ScalarStyle::Folded => Folding::Folded,
        _ => return None,
    };
    let source = old.document().source();
    let range = old.range();
    let ends_the_text = range.end == source.len() && text.ends_with('\n');
    let fits = text.contains('\n') && !text.ends_with("\n\n") && scalar::fits_block(text);
    if ends_the_text || !fits {
        return None;
    }
    let header_end = lines::end(source, range.start).min(range.end);
    let parent = lines::column(source, entry.range().start);
    let first = source[header_end..range.end]
        .split(['\n', '\r'])
        .find(|line| !line.trim().is_empty());
    let indent = first.map(|line| lines::indent(line, 0));
    let indent = indent
        .filter(|indent| (parent + 1..parent + 10).contains(indent))
        .unwrap_or(parent + layout.step);
    let line_break = layout.line_break;
    let block = block(
        text,
        folding,
        indent,
        parent,
        Indicator::IfNeeded,
        line_break,
    );
    let (header, lines) = block.split_at(block.find(['\n', '\r']).unwrap_or(block.len()));
    let old_header = &source[range.start + 1..header_end];
    let behind = old_header.trim_start_matches(|char: char| matches!(char, '+' | '-' | '0'..='9'));
    Some(format!("{header}{behind}{lines}"))
}
