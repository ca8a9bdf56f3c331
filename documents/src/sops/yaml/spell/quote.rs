//! Text in quotes, on one line.

use std::fmt::Write as _;

use super::{is_break, is_printable};

/// In single quotes.
pub(in super::super) fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// In double quotes, escaped as the peer does.
pub(in super::super) fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        if matches!(char, '"' | '\\') {
            out.extend(['\\', char]);
        } else if is_printable(char) && !is_break(char) {
            out.push(char);
        } else {
            escape(&mut out, char);
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, char: char) {
    let short = match char {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(char);
            // Writing to a string cannot fail.
            let _ = match code {
                0..=0xff => write!(out, "\\x{code:02X}"),
                0x100..=0xffff => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.extend(['\\', short]);
}
