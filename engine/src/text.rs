//! Text of others in our messages: in logs, conditions, events and answers.
//!
//! The names in an object are whatever its author wrote: with line breaks they would forge lines of a
//! log, with escape sequences they would command the terminal of whoever reads them.

use std::borrow::Cow;

/// The longest name that Kubernetes gives; longer ones are cut.
const LONGEST_NAME: usize = 253;

/// A name as it may be shown: as it is if it could be one in Kubernetes, else in quotes, with what is
/// not plain text escaped.
pub fn name(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("{:?}", shortened(name, LONGEST_NAME)))
}

/// A text as one line: control characters, other ends of lines and marks that turn the direction of
/// writing are escaped.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_command) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_command(c) {
            line.extend(c.escape_debug());
        } else {
            line.push(c);
        }
    }
    Cow::Owned(line)
}

/// A text of at most so many bytes, cut between characters.
pub fn shortened(text: &str, longest: usize) -> Cow<'_, str> {
    const ELLIPSIS: &str = "...";
    if text.len() <= longest {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(longest.saturating_sub(ELLIPSIS.len()));
    Cow::Owned(format!("{}{ELLIPSIS}", &text[..end]))
}

fn is_command(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_can_be_are_shown_as_they_are_and_others_in_quotes() {
        for plain in ["password", "tls.crt", "kubernetes.io/tls", "A_b-1"] {
            assert_eq!(name(plain), plain);
        }
        assert_eq!(name(""), "\"\"");
        assert_eq!(name("x reason=forged"), "\"x reason=forged\"");
        assert_eq!(name("x\n\u{1b}[2J\r"), "\"x\\n\\u{1b}[2J\\r\"");
        assert_eq!(name(&"a".repeat(1000)).len(), LONGEST_NAME + 2);
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(line("as it is, ä"), "as it is, ä");
        let shown = line("a\nb\r\u{85}\u{2028}\u{9b}\u{202e}");
        assert!(shown.chars().all(|c| !is_command(c)), "{shown:?}");
        assert!(shown.starts_with("a\\nb\\r"), "{shown}");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let cut = shortened("ääääää", 8).into_owned();
        assert_eq!(cut, "ää...");
        assert_eq!(shortened("short", 8), "short");
    }
}
