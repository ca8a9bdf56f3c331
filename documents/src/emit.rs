//! Values to text as other programs write it: Kubernetes' tools, and `sops` in the files `sops_*`.

pub mod sops;
pub mod sops_dotenv;
pub mod sops_ini;
pub mod sops_json;
pub mod sops_text;
pub mod sops_yaml;

pub(crate) mod block;
pub(crate) mod escape;
mod order;
mod scalar;
mod style;

use serde_json::{Map, Value};

use scalar::Writer;

/// YAML, byte for byte as `sigs.k8s.io/yaml` writes it, and so `kubectl`, `kubeseal` and kustomize:
/// keys in natural order, sequences not indented below their key, long plain and quoted text folded
/// after column 80, text of several lines as a literal block.
pub fn kubernetes_yaml(value: &Value) -> String {
    let mut writer = Writer::default();
    node(&mut writer, value, Parent::Document, 0);
    writer.finish()
}

/// JSON as Kubernetes' tools print it: two spaces of indentation, `<`, `>`, `&` and the line
/// separators escaped, a line break at the end. Keys keep the order of the value.
pub fn kubernetes_json(value: &Value) -> String {
    let pretty = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut out = String::with_capacity(pretty.len() + 1);
    for char in pretty.chars() {
        match char {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            other => out.push(other),
        }
    }
    out.push('\n');
    out
}

/// Whether a string can stand without quotes in block style.
pub(crate) fn is_plain(text: &str) -> bool {
    style::of(text, true) == style::Style::Plain && !text.is_empty()
}

/// Whether a string can stand without quotes between braces or brackets.
pub(crate) fn is_plain_in_flow(text: &str) -> bool {
    is_plain(text) && !text.contains([',', '?', '[', ']', '{', '}', ':'])
}

/// Whether a string can stand on one line in single quotes.
pub(crate) fn is_single_quotable(text: &str) -> bool {
    text.chars()
        .all(|char| char != '\n' && style::is_printable(char))
}

/// What a node stands in; decides whether it begins on the same line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    Document,
    Mapping,
    Sequence,
}

fn node(writer: &mut Writer, value: &Value, parent: Parent, indent: usize) {
    match value {
        Value::Null => writer.plain("null"),
        Value::Bool(value) => writer.plain(if *value { "true" } else { "false" }),
        Value::Number(number) => writer.plain(&scalar::number(number)),
        Value::String(text) => writer.text(text, scalar_indent(parent, indent), false),
        Value::Array(items) if items.is_empty() => writer.plain("[]"),
        Value::Array(items) => sequence(writer, items, parent, indent),
        Value::Object(entries) if entries.is_empty() => writer.plain("{}"),
        Value::Object(entries) => mapping(writer, entries, parent, indent),
    }
}

/// Where the further lines of a scalar begin.
fn scalar_indent(parent: Parent, indent: usize) -> usize {
    match parent {
        Parent::Document => 2,
        Parent::Mapping | Parent::Sequence => indent + 2,
    }
}

fn mapping(writer: &mut Writer, entries: &Map<String, Value>, parent: Parent, indent: usize) {
    let indent = match parent {
        Parent::Document => 0,
        Parent::Mapping | Parent::Sequence => indent + 2,
    };
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort_by(|(a, _), (b, _)| order::natural(a, b));
    for (index, (key, value)) in entries.into_iter().enumerate() {
        // The first key stands on the line of a sequence's dash.
        if !(index == 0 && parent == Parent::Sequence) {
            writer.line(indent);
        }
        if style::is_simple_key(key) {
            writer.text(key, indent + 2, true);
        } else {
            writer.indicator("?");
            writer.text(key, indent + 2, false);
            writer.line(indent);
        }
        writer.colon();
        node(writer, value, Parent::Mapping, indent);
    }
}

fn sequence(writer: &mut Writer, items: &[Value], parent: Parent, indent: usize) {
    let indent = match parent {
        Parent::Document => 0,
        Parent::Mapping => indent,
        Parent::Sequence => indent + 2,
    };
    for (index, item) in items.iter().enumerate() {
        if !(index == 0 && parent == Parent::Sequence) {
            writer.line(indent);
        }
        writer.indicator("-");
        node(writer, item, Parent::Sequence, indent);
    }
}
