//! How go-yaml decides to write a string.

use crate::value::{Resolved, is_base_60, looks_like_date, resolve_plain};

/// The styles that are used for strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    DoubleQuoted,
    Literal,
    Plain,
    SingleQuoted,
}

/// What of its characters rules styles out.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent findings of one pass"
)]
pub(super) struct Findings {
    pub(super) indicator: bool,
    pub(super) line_break: bool,
    /// Something that only an escape can say, tabs aside.
    pub(super) special: bool,
    pub(super) tab: bool,
    pub(super) edge_space: bool,
    pub(super) trailing_space: bool,
    pub(super) edge_break: bool,
    pub(super) space_after_break: bool,
    pub(super) break_after_space: bool,
}

/// The style of a string in block context.
pub(super) fn of(text: &str, simple_key: bool) -> Style {
    let mut findings = look(text);
    findings.special |= findings.tab;
    // The peer writes the key `<<` without quotes, and then reads a merge.
    let asked = if text.contains('\n') {
        Style::Literal
    } else if stays_string_when_plain(text) && !(simple_key && text == "<<") {
        Style::Plain
    } else {
        Style::DoubleQuoted
    };
    let quoted = if findings.space_after_break || findings.break_after_space || findings.special {
        Style::DoubleQuoted
    } else {
        Style::SingleQuoted
    };
    if simple_key && findings.line_break {
        return Style::DoubleQuoted;
    }
    match asked {
        Style::Plain => {
            let allowed = !(findings.edge_space
                || findings.edge_break
                || findings.line_break
                || findings.indicator
                || findings.special);
            if allowed { Style::Plain } else { quoted }
        }
        Style::Literal => {
            let allowed = !(findings.trailing_space
                || findings.break_after_space
                || findings.special
                || simple_key);
            if allowed {
                Style::Literal
            } else {
                Style::DoubleQuoted
            }
        }
        other => other,
    }
}

/// Whether a key goes before a `:` on its line, without `?`.
pub(super) fn is_simple_key(key: &str) -> bool {
    !key.chars().any(is_break) && key.len() <= 128
}

pub(super) fn stays_string_when_plain(text: &str) -> bool {
    resolve_plain(text) == Resolved::String && !looks_like_date(text) && !is_base_60(text)
}

pub(super) fn look(text: &str) -> Findings {
    let mut found = Findings {
        indicator: text.starts_with("---") || text.starts_with("..."),
        ..Findings::default()
    };
    let mut before: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let first = before.is_none();
        let last = chars.peek().is_none();
        let blank_follows = chars.peek().is_none_or(|next| matches!(next, ' ' | '\t'));
        let blank_precedes =
            before.is_none_or(|before| matches!(before, ' ' | '\t' | '\0') || is_break(before));
        found.indicator |= match char {
            ':' => blank_follows,
            '#' if !first => blank_precedes,
            '?' | '-' if first => blank_follows,
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
            | '@' | '`' => first,
            _ => false,
        };
        found.tab |= char == '\t';
        found.special |= char != '\t' && !is_printable(char);
        if char == ' ' {
            found.edge_space |= first || last;
            found.trailing_space |= last;
            found.space_after_break |= before.is_some_and(is_break);
        } else if is_break(char) {
            found.line_break = true;
            found.edge_break |= first || last;
            found.break_after_space |= before == Some(' ');
        }
        before = Some(char);
    }
    found
}

/// Line breaks of YAML 1.1.
pub(super) fn is_break(char: char) -> bool {
    matches!(char, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What go-yaml writes as it is. Tabs and everything above the basic plane are not.
pub(super) fn is_printable(char: char) -> bool {
    matches!(char, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        && char != '\u{feff}'
}
