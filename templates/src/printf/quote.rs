//! Texts in quotes, as Go's `strconv` writes them.

use std::fmt::Write;
use std::sync::OnceLock;

use regex::Regex;

/// A text between double quotes; with `ascii` all else is escaped. Bytes that are no UTF-8 become `\x..`.
pub(crate) fn text(text: &[u8], ascii: bool) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            escape(&mut quoted, c, '"', ascii);
        }
        for byte in chunk.invalid() {
            _ = write!(quoted, "\\x{byte:02x}");
        }
    }
    quoted.push('"');
    quoted
}

/// A character between single quotes.
pub(super) fn rune(c: char, ascii: bool) -> String {
    let mut quoted = String::from('\'');
    escape(&mut quoted, c, '\'', ascii);
    quoted.push('\'');
    quoted
}

fn escape(quoted: &mut String, c: char, quote: char, ascii: bool) {
    match c {
        '\\' => quoted.push_str("\\\\"),
        '\x07' => quoted.push_str("\\a"),
        '\x08' => quoted.push_str("\\b"),
        '\x0c' => quoted.push_str("\\f"),
        '\n' => quoted.push_str("\\n"),
        '\r' => quoted.push_str("\\r"),
        '\t' => quoted.push_str("\\t"),
        '\x0b' => quoted.push_str("\\v"),
        c if c == quote => quoted.extend(['\\', c]),
        c if is_printable(c) && (c.is_ascii() || !ascii) => quoted.push(c),
        c if c < ' ' || c == '\x7f' => _ = write!(quoted, "\\x{:02x}", u32::from(c)),
        c if u32::from(c) < 0x10000 => _ = write!(quoted, "\\u{:04x}", u32::from(c)),
        c => _ = write!(quoted, "\\U{:08x}", u32::from(c)),
    }
}

/// Whether Go finds it printable: letters, marks, numbers, punctuation, symbols and the ASCII space.
pub(crate) fn is_printable(c: char) -> bool {
    static PRINTABLE: OnceLock<Option<Regex>> = OnceLock::new();
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    let printable = PRINTABLE.get_or_init(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}]$").ok());
    let printable = printable.as_ref();
    printable.is_some_and(|printable| printable.is_match(c.encode_utf8(&mut [0; 4])))
}

/// Whether Unicode calls it punctuation.
pub(crate) fn is_punctuation(c: char) -> bool {
    static PUNCTUATION: OnceLock<Option<Regex>> = OnceLock::new();
    let punctuation = PUNCTUATION.get_or_init(|| Regex::new(r"^\p{P}$").ok());
    let punctuation = punctuation.as_ref();
    punctuation.is_some_and(|punctuation| punctuation.is_match(c.encode_utf8(&mut [0; 4])))
}

/// Whether the text can stand between backquotes.
pub(super) fn can_backquote(text: &[u8]) -> bool {
    let control = |c: char| (c < ' ' && c != '\t') || matches!(c, '`' | '\x7f' | '\u{feff}');
    std::str::from_utf8(text).is_ok_and(|text| !text.contains(control))
}
