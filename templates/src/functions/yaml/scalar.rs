//! How a text is written: plain if it can be, else in quotes or as a block.

use std::fmt::Write;

use super::resolve::must_be_quoted;
use crate::printf::quote::is_printable;

/// Go's writer breaks lines at the first space after this column.
const WIDTH: usize = 80;

/// Writes a text that begins at `column`; lines after the first are indented. A key has one line alone.
pub(super) fn write(text: &str, column: usize, indent: usize, key: bool) -> String {
    let shape = Shape::of(text);
    if must_be_quoted(text) {
        return double_quoted(text, column, indent, key);
    }
    if text.contains('\n') {
        if !key && shape.block {
            return literal(text, indent);
        }
        return double_quoted(text, column, indent, key);
    }
    if shape.plain {
        return folded(text, column, indent, key);
    }
    if shape.single {
        let quoted = format!("'{}'", text.replace('\'', "''"));
        return folded(&quoted, column, indent, key);
    }
    double_quoted(text, column, indent, key)
}

/// In which styles a text can be written.
struct Shape {
    plain: bool,
    single: bool,
    block: bool,
}

impl Shape {
    fn of(text: &str) -> Self {
        let special = text.chars().any(|c| !is_written(c) && c != '\n');
        let spaces_before_break = text.contains(" \n");
        let spaces_after_break = text.contains("\n ");
        let outer_space = text.starts_with([' ', '\n']) || text.ends_with([' ', '\n']);
        let odd_breaks = text.contains(['\u{85}', '\u{2028}', '\u{2029}']);
        let only_double = special || spaces_before_break;
        Self {
            plain: !only_double
                && !odd_breaks
                && !outer_space
                && !spaces_after_break
                && !has_indicators(text),
            single: !only_double && !spaces_after_break,
            block: !only_double && !text.ends_with(' '),
        }
    }
}

/// What Go's writer takes for printable: no tabs, and nothing outside of the basic plane.
fn is_written(c: char) -> bool {
    let basic = matches!(c, ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}');
    basic && c != '\u{feff}'
}

/// Whether something in the text would be read as more than text.
fn has_indicators(text: &str) -> bool {
    if text.starts_with("---") || text.starts_with("...") {
        return true;
    }
    let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let mut before: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let indicates = match (before, c) {
            (
                None,
                '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
                | '@' | '`',
            ) => true,
            (None, '?' | '-') | (_, ':') => blank(next),
            (Some(before), '#') => before.is_whitespace(),
            _ => false,
        };
        if indicates {
            return true;
        }
        before = Some(c);
    }
    false
}

/// With breaks at spaces, where the lines are too long.
fn folded(text: &str, column: usize, indent: usize, key: bool) -> String {
    let mut out = String::new();
    let mut column = column;
    let chars: Vec<char> = text.chars().collect();
    let quoted = text.starts_with('\'');
    let mut after_space = false;
    for (at, c) in chars.iter().enumerate() {
        let next = chars.get(at + 1);
        let inside = !quoted || (at > 1 && at + 2 < chars.len());
        let breaks =
            *c == ' ' && !key && !after_space && column > WIDTH && inside && next != Some(&' ');
        if breaks {
            _ = write!(out, "\n{:indent$}", "");
            column = indent;
        } else {
            out.push(*c);
            column += 1;
        }
        after_space = *c == ' ';
    }
    out
}

fn double_quoted(text: &str, column: usize, indent: usize, key: bool) -> String {
    let mut out = String::from('"');
    let mut column = column + 1;
    let chars: Vec<char> = text.chars().collect();
    let mut after_space = false;
    for (at, c) in chars.iter().enumerate() {
        let inside = at > 0 && at + 1 < chars.len();
        if *c == ' ' && !key && !after_space && column > WIDTH && inside {
            let more = if chars.get(at + 1) == Some(&' ') {
                "\\"
            } else {
                ""
            };
            _ = write!(out, "\n{:indent$}{more}", "");
            column = indent + more.len();
        } else {
            let from = out.len();
            escape(&mut out, *c);
            column += out[from..].chars().count();
        }
        after_space = *c == ' ';
    }
    out.push('"');
    out
}

fn escape(out: &mut String, c: char) {
    match c {
        '\0' => out.push_str("\\0"),
        '\x07' => out.push_str("\\a"),
        '\x08' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\x0b' => out.push_str("\\v"),
        '\x0c' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '\x1b' => out.push_str("\\e"),
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{85}' => out.push_str("\\N"),
        '\u{a0}' => out.push_str("\\_"),
        '\u{2028}' => out.push_str("\\L"),
        '\u{2029}' => out.push_str("\\P"),
        c if is_written(c) && (c.is_ascii() || is_printable(c) || c.is_whitespace()) => out.push(c),
        c => {
            let code = u32::from(c);
            _ = match code {
                0..0x100 => write!(out, "\\x{code:02X}"),
                0x100..0x10000 => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
        }
    }
}

/// `|`, with what says how many line ends there are at the end.
fn literal(text: &str, indent: usize) -> String {
    let body = text.strip_suffix('\n');
    let chomping = match body {
        None => "-",
        Some(body) if body.ends_with('\n') || body.is_empty() => "+",
        Some(_) => "",
    };
    let hint = if text.starts_with([' ', '\n']) {
        "2"
    } else {
        ""
    };
    let mut out = format!("|{hint}{chomping}");
    for line in body.unwrap_or(text).split('\n') {
        out.push('\n');
        if !line.is_empty() {
            _ = write!(out, "{:indent$}{line}", "");
        }
    }
    out
}
