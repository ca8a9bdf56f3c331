//! Values and metadata to JSON.

use std::fmt::Write as _;

use signet_keys::sops::{Kind, Value};

use crate::{lines, sops::metadata::MetaTree, yaml::Document};

/// How a document over several lines is laid out.
pub(in crate::sops) struct Indent {
    unit: String,
    line_break: &'static str,
}

impl Indent {
    /// That of a document; `None` if it is on one line. The peer's tab where there is none to see.
    pub(in crate::sops) fn of(document: &Document) -> Option<Self> {
        let source = document.source();
        let line_break = lines::line_break(source);
        let Some(first) = document.root().and_then(|root| root.entries().next()) else {
            return Some(Self::tab(line_break));
        };
        let start = first.range().start;
        if !lines::is_first(source, start) {
            return None;
        }
        let unit = source[lines::start(source, start)..start].to_owned();
        Some(Self { unit, line_break })
    }

    /// The peer's.
    pub(in crate::sops) fn tab(line_break: &'static str) -> Self {
        Self {
            unit: "\t".to_owned(),
            line_break,
        }
    }

    /// A line break, and the indentation of a depth.
    pub(in crate::sops) fn line(&self, out: &mut String, depth: usize) {
        out.push_str(self.line_break);
        for _ in 0..depth {
            out.push_str(&self.unit);
        }
    }
}

/// A value; `None` if JSON has no such value.
pub(super) fn value(value: &Value) -> Option<String> {
    let text = std::str::from_utf8(value.plaintext().expose()).ok()?;
    Some(match value.kind() {
        Kind::Bool => (if text == "True" { "true" } else { "false" }).to_owned(),
        Kind::Float => float(text.parse().ok()?)?,
        Kind::Int => text.to_owned(),
        Kind::Bytes | Kind::Comment | Kind::Str | Kind::Time => string(text),
    })
}

/// A number as Go's JSON writes it: digits, with an exponent where there would be many zeros.
fn float(number: f64) -> Option<String> {
    if !number.is_finite() {
        return None;
    }
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e')?;
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        return Some(format!("{digits}e{sign}{exponent}"));
    }
    Some(number.to_string())
}

/// A string with the escapes that JSON asks for, and no others.
pub(in crate::sops) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|char| matches!(char, '"' | '\\' | '\0'..='\u{1f}')) {
        out.push_str(&rest[..at]);
        let char = rest.as_bytes()[at];
        let short = match char {
            b'"' | b'\\' => char::from(char),
            b'\n' => 'n',
            b'\r' => 'r',
            b'\t' => 't',
            8 => 'b',
            12 => 'f',
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{char:04x}");
                rest = &rest[at + 1..];
                continue;
            }
        };
        out.extend(['\\', short]);
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
    out
}

/// Metadata over several lines, as something at a depth.
pub(in crate::sops) fn pretty(tree: &MetaTree, indent: &Indent, depth: usize) -> String {
    let mut out = String::new();
    write_pretty(&mut out, tree, indent, depth);
    out
}

fn write_pretty(out: &mut String, tree: &MetaTree, indent: &Indent, depth: usize) {
    match tree {
        MetaTree::Map(entries) if !entries.is_empty() => {
            out.push('{');
            for (index, (key, tree)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                indent.line(out, depth + 1);
                out.push_str(&string(key));
                out.push_str(": ");
                write_pretty(out, tree, indent, depth + 1);
            }
            indent.line(out, depth);
            out.push('}');
        }
        MetaTree::List(items) if !items.is_empty() => {
            out.push('[');
            for (index, tree) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                indent.line(out, depth + 1);
                write_pretty(out, tree, indent, depth + 1);
            }
            indent.line(out, depth);
            out.push(']');
        }
        other => out.push_str(&one_line(other)),
    }
}

/// Metadata on one line.
pub(in crate::sops) fn one_line(tree: &MetaTree) -> String {
    match tree {
        MetaTree::Bool(value) => value.to_string(),
        MetaTree::Int(value) => value.to_string(),
        MetaTree::Null => "null".to_owned(),
        MetaTree::Text(text) => string(text),
        MetaTree::List(items) => {
            let items: Vec<_> = items.iter().map(one_line).collect();
            format!("[{}]", items.join(", "))
        }
        MetaTree::Map(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, tree)| format!("{}: {}", string(key), one_line(tree)));
            let entries: Vec<_> = entries.collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_must_be_is_escaped() {
        assert_eq!(
            string("a\"\\\n\u{1}<é>\u{2028}&"),
            "\"a\\\"\\\\\\n\\u0001<é>\u{2028}&\""
        );
    }

    #[test]
    fn numbers_are_written_as_go_writes_them() {
        for (number, text) in [
            (1.0, "1"),
            (0.1, "0.1"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e-7, "1.5e-7"),
            (-0.000_001, "-0.000001"),
        ] {
            assert_eq!(float(number).as_deref(), Some(text));
        }
        assert_eq!(float(f64::INFINITY), None);
    }
}
