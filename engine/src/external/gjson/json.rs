//! Reading JSON text piece by piece. Only text that was found valid comes here.

use std::fmt::Write as _;

use serde::de::IgnoredAny;
use zeroize::Zeroizing;

/// Whether a text is one JSON value. What is nested deeper than 128 levels is none.
pub(in crate::external) fn is_valid(text: &str) -> bool {
    is_shallow(text) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether a text is JSON values, one after the other.
pub(super) fn are_valid(text: &str) -> bool {
    if !is_shallow(text) {
        return false;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.all(|value| value.is_ok())
}

/// Whether brackets nest no deeper than the stack allows.
fn is_shallow(text: &str) -> bool {
    let (mut depth, mut position) = (0_usize, 0);
    while let Some(byte) = text.as_bytes().get(position) {
        match byte {
            b'"' => {
                position += string_end(&text[position..]);
                continue;
            }
            b'{' | b'[' if depth == DEEPEST => return false,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        position += 1;
    }
    true
}

/// Deepest nesting.
const DEEPEST: usize = 128;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Absent,
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

pub(super) fn kind(raw: &str) -> Kind {
    match raw.trim_start().as_bytes().first() {
        None => Kind::Absent,
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b'"') => Kind::String,
        Some(b't') => Kind::True,
        Some(b'f') => Kind::False,
        Some(b'n') => Kind::Null,
        Some(_) => Kind::Number,
    }
}

/// The members of an object, keys with their quotes; nothing of another value.
pub(in crate::external) struct Members<'j>(&'j str);

impl<'j> Members<'j> {
    pub(in crate::external) fn of(raw: &'j str) -> Self {
        Self(raw.trim_start().strip_prefix('{').unwrap_or_default())
    }
}

impl<'j> Iterator for Members<'j> {
    type Item = (&'j str, &'j str);

    fn next(&mut self) -> Option<Self::Item> {
        let key = take(&mut self.0)?;
        let value = take(&mut self.0)?;
        Some((key, value))
    }
}

/// The elements of an array; nothing of another value.
pub(in crate::external) struct Elements<'j>(&'j str);

impl<'j> Elements<'j> {
    pub(in crate::external) fn of(raw: &'j str) -> Self {
        Self(raw.trim_start().strip_prefix('[').unwrap_or_default())
    }

    /// The values of a text that is several of them.
    pub(super) fn of_lines(text: &'j str) -> Self {
        Self(text)
    }
}

impl<'j> Iterator for Elements<'j> {
    type Item = &'j str;

    fn next(&mut self) -> Option<&'j str> {
        take(&mut self.0)
    }
}

/// Takes the next value; `None` at the end of what holds it.
fn take<'j>(rest: &mut &'j str) -> Option<&'j str> {
    let between = |c: char| c.is_ascii_whitespace() || c == ',' || c == ':';
    let text = rest.trim_start_matches(between);
    let end = match text.as_bytes().first()? {
        b'"' => string_end(text),
        b'{' | b'[' => balanced(text).len(),
        b']' | b'}' => return None,
        _ => {
            let ends = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | ':' | ']' | '}');
            text.find(ends).unwrap_or(text.len())
        }
    };
    let (value, after) = text.split_at(end);
    *rest = after;
    Some(value)
}

/// Where the string that a text begins with ends, its quote included.
pub(super) fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (position, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}

/// The beginning of a text up to the bracket that closes its first character; all of it if none does.
pub(super) fn balanced(text: &str) -> &str {
    let (mut depth, mut position) = (1_usize, 1);
    while let Some(byte) = text.as_bytes().get(position) {
        match byte {
            b'"' => {
                position += string_end(&text[position..]);
                continue;
            }
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => {
                depth -= 1;
                if depth == 0 {
                    return &text[..=position];
                }
            }
            _ => {}
        }
        position += 1;
    }
    text
}

/// What a string says; the JSON of another value.
pub(in crate::external) fn text(raw: &str) -> Text<'_> {
    let inner = raw.strip_prefix('"').and_then(|r| r.strip_suffix('"'));
    match inner {
        Some(inner) if inner.contains('\\') => Text::Made(unescape(inner)),
        Some(inner) => Text::Cut(inner),
        None => Text::Cut(raw),
    }
}

/// A text that is wiped from memory when it had to be made.
pub(in crate::external) enum Text<'j> {
    Cut(&'j str),
    Made(Zeroizing<String>),
}

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Cut(text) => text,
            Self::Made(text) => text,
        }
    }
}

/// As a value stands in a Secret.
pub(in crate::external) fn plain(raw: &str) -> Zeroizing<String> {
    match kind(raw) {
        Kind::Null => Zeroizing::default(),
        Kind::String => Zeroizing::new(text(raw.trim()).to_owned()),
        _ => Zeroizing::new(raw.to_owned()),
    }
}

/// Takes the escapes out of a string. Half of a surrogate pair becomes U+FFFD.
pub(super) fn unescape(escaped: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(escaped.len()));
    let mut rest = escaped;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut characters = after.chars();
        match characters.next() {
            Some('u') => {
                let (character, after) = code_point(characters.as_str());
                out.push(character);
                rest = after;
                continue;
            }
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(itself) => out.push(itself),
            None => {}
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out
}

/// Reads what follows a `\u`.
fn code_point(text: &str) -> (char, &str) {
    let unit = |text: &str| text.get(..4).and_then(|t| u32::from_str_radix(t, 16).ok());
    let lost = char::REPLACEMENT_CHARACTER;
    let Some(first) = unit(text) else {
        return (lost, text);
    };
    let after = &text[4..];
    if !(0xD800..0xE000).contains(&first) {
        return (char::from_u32(first).unwrap_or(lost), after);
    }
    let second = after.strip_prefix("\\u").and_then(unit);
    let Some(second) = second else {
        return (lost, after);
    };
    let is_pair = first < 0xDC00 && (0xDC00..0xE000).contains(&second);
    let joined = is_pair.then(|| 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
    let character = joined.and_then(char::from_u32).unwrap_or(lost);
    (character, &after[6..])
}

/// Writes a string as Go's `encoding/json` does: also `<`, `>`, `&` and the line ends of Unicode are
/// escaped.
pub(in crate::external) fn quote(out: &mut String, text: &str) {
    quote_with(out, text, |character| matches!(character, '<' | '>' | '&'));
}

/// The same without escaping HTML.
pub(in crate::external) fn quote_plain(out: &mut String, text: &str) {
    quote_with(out, text, |_| false);
}

fn quote_with(out: &mut String, text: &str, is_escaped: impl Fn(char) -> bool) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..' ' | '\u{2028}' | '\u{2029}' => escape(out, character),
            _ if is_escaped(character) => escape(out, character),
            _ => out.push(character),
        }
    }
    out.push('"');
}

fn escape(out: &mut String, character: char) {
    // Writing to a string does not fail.
    let _ = write!(out, "\\u{:04x}", u32::from(character));
}

/// The text of bytes that are a JSON object.
pub(in crate::external) fn object(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (is_valid(text) && kind(text) == Kind::Object).then_some(text)
}

/// Spaces at both ends of a part of a path.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}
