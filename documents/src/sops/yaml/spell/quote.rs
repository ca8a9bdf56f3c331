//! Text in quotes, on one line.

use super::{is_break, is_printable};
use crate::emit::escape::escape;

/// In single quotes.
pub(in super::super) fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// In double quotes, escaped as the peer does.
pub(in super::super) fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        let as_it_is = is_printable(char) && !is_break(char) && !matches!(char, '"' | '\\');
        if as_it_is {
            out.push(char);
        } else {
            escape(char, &mut out);
        }
    }
    out.push('"');
    out
}
