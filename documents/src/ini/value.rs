//! The value behind a `=`: its text, and what it is wrapped in.

use std::fmt;
use std::ops::Range;

use zeroize::Zeroizing;

use super::reader::line_at;

/// A value, as the peer reads it.
pub struct Value {
    text: Zeroizing<String>,
    /// The bytes that say it, quotes and joined lines included.
    pub range: Range<usize>,
    /// What it is wrapped in.
    pub quote: Quote,
}

/// What a value is wrapped in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// Nothing.
    None,
    /// `'`.
    Single,
    /// `"`.
    Double,
    /// `` ` ``.
    Backtick,
    /// `"""`.
    Triple,
    /// Nothing, but it goes on over lines that end with `\`.
    Continued,
}

impl Value {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Value")
            .field("range", &self.range)
            .field("quote", &self.quote)
            .finish_non_exhaustive()
    }
}

impl Quote {
    /// The characters on either side.
    pub fn mark(self) -> &'static str {
        match self {
            Self::None | Self::Continued => "",
            Self::Single => "'",
            Self::Double => "\"",
            Self::Backtick => "`",
            Self::Triple => "\"\"\"",
        }
    }
}

/// Reads the value that the rest of a line begins. Returns it and where the line after it begins;
/// `None` if its quote is not closed.
pub(super) fn read(source: &str, rest: Range<usize>) -> Option<(Value, usize)> {
    let line = &source[rest.clone()];
    let start = rest.end - line.trim_start().len();
    let text = &source[start..rest.end];
    if text.is_empty() {
        return Some((empty(source, rest.clone()), rest.end));
    }
    let quote = if text.len() > 3 && text.starts_with(Quote::Triple.mark()) {
        Quote::Triple
    } else if text.starts_with('`') {
        Quote::Backtick
    } else {
        return Some(unquoted(source, start..rest.end));
    };
    quoted(source, start..rest.end, quote)
}

/// Behind the spaces that follow the delimiter.
fn empty(source: &str, rest: Range<usize>) -> Value {
    let spaces = source[rest.clone()]
        .find(|char| !matches!(char, ' ' | '\t'))
        .unwrap_or(rest.len());
    Value {
        text: Zeroizing::default(),
        range: rest.start + spaces..rest.start + spaces,
        quote: Quote::None,
    }
}

fn quoted(source: &str, rest: Range<usize>, quote: Quote) -> Option<(Value, usize)> {
    let mark = quote.mark();
    let inner = rest.start + mark.len();
    let value = |end: usize, line_end: usize| {
        let behind = end + mark.len();
        // What follows and is no comment, the peer does not read.
        let unread = source[behind..line_end].split(['#', ';']).next();
        let unread = unread.map_or(0, |unread| unread.trim_end().len());
        let value = Value {
            text: Zeroizing::new(source[inner..end].to_owned()),
            range: rest.start..behind + unread,
            quote,
        };
        Some((value, line_end))
    };
    if let Some(end) = source[inner..rest.end].rfind(mark) {
        return value(inner + end, rest.end);
    }
    let mut line = line_at(source, rest.end);
    while !line.is_empty() {
        if let Some(at) = source[line.clone()].rfind(mark) {
            let behind = &source[line.start + at + mark.len()..line.end];
            if !behind.trim().ends_with('\\') {
                return value(line.start + at, line.end);
            }
        }
        line = line_at(source, line.end);
    }
    None
}

fn unquoted(source: &str, rest: Range<usize>) -> (Value, usize) {
    let trimmed = source[rest.clone()].trim_end();
    if let Some(first) = trimmed.strip_suffix('\\') {
        return continued(source, rest, first);
    }
    let text = match trimmed.find(['#', ';']) {
        Some(comment) => trimmed[..comment].trim_end(),
        None => trimmed,
    };
    let quote = [Quote::Single, Quote::Double]
        .into_iter()
        .find(|quote| inside(text, quote.mark()).is_some())
        .unwrap_or(Quote::None);
    let value = Value {
        text: Zeroizing::new(inside(text, quote.mark()).unwrap_or(text).to_owned()),
        range: rest.start..rest.start + text.len(),
        quote,
    };
    (value, rest.end)
}

/// What stands between two quotes that are the only ones of their kind.
fn inside<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
    (!inner.contains(mark)).then_some(inner)
}

fn continued(source: &str, rest: Range<usize>, first: &str) -> (Value, usize) {
    let mut text = Zeroizing::new(first.to_owned());
    let mut end = rest.start + source[rest.clone()].trim_end().len();
    let mut at = rest.end;
    loop {
        let line = line_at(source, at);
        let next = source[line.clone()].trim();
        // An empty line ends the value and is swallowed.
        at = line.end;
        if next.is_empty() {
            break;
        }
        end = line.start + source[line].trim_end().len();
        text.push_str(next);
        match text.strip_suffix('\\').map(str::len) {
            Some(length) => text.truncate(length),
            None => break,
        }
    }
    let value = Value {
        text,
        range: rest.start..end,
        quote: Quote::Continued,
    };
    (value, at)
}
