//! Values to YAML scalars, as the peer's library writes them (go-yaml 3), unless the place that a value
//! goes to has a form of its own.

mod quote;

use signet_keys::sops::{Kind, Value};

pub(super) use crate::emit::block::{Folding, Indicator, block};
pub(super) use quote::{double_quoted, single_quoted};

use super::resolve;
use crate::value::{go_float, is_base_60};

/// How a text can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    DoubleQuoted,
    Literal,
    Plain,
    SingleQuoted,
}

/// A comment that begins in a column: every line of its text is one.
pub(super) fn comment(text: &str, column: usize, line_break: &str) -> String {
    let mut out = format!("#{}", text.replace("\r\n", "\n").replace('\r', "\n"));
    if out.contains('\n') {
        out = out.replace('\n', &format!("{line_break}{:column$}#", ""));
    }
    out
}

/// What is not text, in its one spelling.
pub(super) fn typed(value: &Value) -> Option<String> {
    let text = std::str::from_utf8(value.plaintext().expose()).ok()?;
    Some(match value.kind() {
        Kind::Bool => (if text == "True" { "true" } else { "false" }).to_owned(),
        Kind::Float => go_float(text.parse().ok()?),
        Kind::Int | Kind::Time => text.to_owned(),
        Kind::Bytes | Kind::Comment | Kind::Str => return None,
    })
}

/// The style that the peer writes a text in, in block context. With `tagged` a tag says that it is
/// text.
pub(super) fn style(text: &str, tagged: bool) -> Style {
    if is_long_word(text) {
        return Style::Plain;
    }
    let found = Findings::of(text);
    if text.contains('\n') {
        return if found.fits_block() {
            Style::Literal
        } else {
            Style::DoubleQuoted
        };
    }
    if !tagged && !is_plainly_text(text) || text.is_empty() {
        return Style::DoubleQuoted;
    }
    if found.fits_plain(false) {
        Style::Plain
    } else if found.fits_single_quotes() {
        Style::SingleQuoted
    } else {
        Style::DoubleQuoted
    }
}

/// Letters, digits and a few other characters that nothing can be made of but text. Most secrets are.
fn is_long_word(text: &str) -> bool {
    // No number, date, null or truth value begins with a letter and is longer than `false`.
    const LONGEST_KEYWORD: usize = 5;
    let is_ordinary = |byte: u8| matches!(byte, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'/' | b'_' | b'+' | b'=');
    text.len() > LONGEST_KEYWORD
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(is_ordinary)
}

/// Whether a text can stand without quotes between brackets or braces.
pub(super) fn is_plain_in_flow(text: &str) -> bool {
    !text.is_empty() && is_plainly_text(text) && Findings::of(text).fits_plain(true)
}

/// Whether a text can stand in single quotes on one line.
pub(super) fn fits_single_quotes(text: &str) -> bool {
    let found = Findings::of(text);
    !found.line_break && found.fits_single_quotes()
}

/// Whether a text can be a block scalar. Unlike the peer this allows white space at the end of lines.
pub(super) fn fits_block(text: &str) -> bool {
    let found = Findings::of(text);
    !text.is_empty() && !found.special && !found.odd_break
}

/// Not a number, truth value, date or null, nor what YAML 1.1 takes for one.
fn is_plainly_text(text: &str) -> bool {
    resolve::stays_text(text) && !is_base_60(text) && !is_old_bool(text)
}

fn is_old_bool(text: &str) -> bool {
    matches!(
        text,
        "y" | "Y"
            | "yes"
            | "Yes"
            | "YES"
            | "on"
            | "On"
            | "ON"
            | "n"
            | "N"
            | "no"
            | "No"
            | "NO"
            | "off"
            | "Off"
            | "OFF"
    )
}

/// What of its characters rules styles out.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent findings of one pass"
)]
struct Findings {
    block_indicator: bool,
    flow_indicator: bool,
    line_break: bool,
    /// A line break other than LF.
    odd_break: bool,
    special: bool,
    tab: bool,
    edge_space: bool,
    trailing_space: bool,
    break_then_space: bool,
    space_then_break: bool,
}

impl Findings {
    fn of(text: &str) -> Self {
        let document_mark = text.starts_with("---") || text.starts_with("...");
        let mut found = Self {
            block_indicator: document_mark,
            flow_indicator: document_mark,
            ..Self::default()
        };
        let mut before: Option<char> = None;
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            let next = chars.peek().copied();
            found.indicator(char, before, next);
            found.special |= char != '\t' && !is_printable(char);
            found.tab |= char == '\t';
            if char == ' ' {
                found.edge_space |= before.is_none() || next.is_none();
                found.trailing_space |= next.is_none();
                found.break_then_space |= before.is_some_and(is_break);
            } else if is_break(char) {
                found.line_break = true;
                found.odd_break |= char != '\n';
                found.space_then_break |= before == Some(' ');
            }
            before = Some(char);
        }
        found
    }

    fn indicator(&mut self, char: char, before: Option<char>, next: Option<char>) {
        let blank_follows = next.is_none_or(|next| matches!(next, ' ' | '\t'));
        let first = before.is_none();
        let (in_block, in_flow) = match char {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
            | '@' | '`'
                if first =>
            {
                (true, true)
            }
            '?' | ':' if first => (blank_follows, true),
            '-' if first => (blank_follows, blank_follows),
            ',' | '?' | '[' | ']' | '{' | '}' => (false, true),
            ':' => (blank_follows, true),
            '#' => {
                let behind_space =
                    before.is_some_and(|char| matches!(char, ' ' | '\t') || is_break(char));
                (behind_space, behind_space)
            }
            _ => (false, false),
        };
        self.block_indicator |= in_block;
        self.flow_indicator |= in_flow;
    }

    fn fits_plain(&self, in_flow: bool) -> bool {
        let indicator = if in_flow {
            self.flow_indicator || self.block_indicator
        } else {
            self.block_indicator
        };
        !(indicator || self.line_break || self.special || self.tab || self.edge_space)
    }

    fn fits_single_quotes(&self) -> bool {
        !(self.break_then_space
            || self.space_then_break
            || self.tab
            || self.special
            || self.odd_break)
    }

    fn fits_block(&self) -> bool {
        !(self.trailing_space || self.space_then_break || self.special || self.odd_break)
    }
}

/// Line breaks of YAML 1.1.
fn is_break(char: char) -> bool {
    matches!(char, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What the peer writes as it is: nothing above the basic plane.
fn is_printable(char: char) -> bool {
    matches!(char, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        && char != '\u{feff}'
}
