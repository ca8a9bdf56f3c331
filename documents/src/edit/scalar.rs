//! Writing one scalar, in the style of the one that it replaces where that can hold it.

use std::fmt::Write as _;

use serde_json::Value;

use super::layout::Context;
use crate::{
    emit,
    yaml::{Kind, Node, ScalarStyle},
};

/// The style of a scalar, if it is one.
pub(super) fn style_of(node: Node<'_>) -> Option<ScalarStyle> {
    match node.kind() {
        Kind::Scalar(style) => Some(style),
        _ => None,
    }
}

/// A scalar, on one line.
pub(crate) fn scalar(value: &Value, style: Option<ScalarStyle>, context: Context) -> String {
    match value {
        Value::String(text) => string(text, style, context),
        other => json(other),
    }
}

/// A key, on one line.
pub(crate) fn key(key: &str, style: Option<ScalarStyle>, context: Context) -> String {
    string(key, style, context)
}

fn string(text: &str, style: Option<ScalarStyle>, context: Context) -> String {
    let plain = match context {
        Context::Json => return json_string(text),
        Context::Block => emit::is_plain(text),
        Context::Flow => emit::is_plain_in_flow(text),
    };
    match style {
        Some(ScalarStyle::DoubleQuoted) => json_string(text),
        Some(ScalarStyle::SingleQuoted) if emit::is_single_quotable(text) => single_quoted(text),
        _ if plain => text.to_owned(),
        _ => json_string(text),
    }
}

/// Whether a text can stand below the header of a block scalar.
pub(super) fn fits_block(text: &str) -> bool {
    let fits = |char: char| {
        matches!(char, '\n' | '\t')
            || !(char.is_control()
                || matches!(
                    char,
                    '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
                ))
    };
    !text.trim().is_empty() && text.chars().all(fits)
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn json(value: &Value) -> String {
    value.to_string()
}

/// JSON's escapes are YAML's as well; what YAML does not print is escaped too.
fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for char in Value::from(text).to_string().chars() {
        match char {
            '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            other => out.push(other),
        }
    }
    out
}
