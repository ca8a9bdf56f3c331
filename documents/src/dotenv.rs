//! dotenv files, in the sense of `sops`: the line is everything.
//!
//! Lines end with LF. A line that begins with `#` is a comment; in any other the first `=` ends the
//! key, and all that follows is the value: quotes, spaces, `export`, a `#` and the CR of a CRLF file
//! belong to key and value. The two characters `\n` in a value are a line break, and there is no
//! escape for them. [`Dialect::Quoted`] reads files as shells and docker compose do and brings them
//! into this form.
//!
//! One thing is read that the peer refuses: a line that holds a CR only is blank.

mod dialect;
mod edit;

pub use dialect::{Dialect, DialectError};
pub use edit::{SetError, remove, set};

use std::borrow::Cow;
use std::ops::Range;

/// A dotenv file: its lines, and where they stand in the text. It owns no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dotenv {
    lines: Vec<Line>,
}

/// A line of a dotenv file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The bytes of the line, without its LF.
    pub range: Range<usize>,
    /// What it says.
    pub kind: LineKind,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing.
    Blank,
    /// A comment.
    Comment {
        /// The text behind the `#`.
        text: Range<usize>,
    },
    /// A key and its value.
    Entry {
        /// From the start of the line to the `=`.
        key: Range<usize>,
        /// From behind the `=` to the end of the line. See [`value`].
        value: Range<usize>,
    },
}

/// Why a text is not a dotenv file. The line is not shown: it may be half of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DotenvError {
    /// A line that is neither a comment nor has a `=`.
    #[error("line {line} has no `=`")]
    NoEqualSign {
        /// Line, from 1.
        line: usize,
    },
}

impl DotenvError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoEqualSign { .. } => {
                "write a value of several lines on one, with \\n between them, and comments with a `#` at the start of the line"
            }
        }
    }
}

impl Dotenv {
    /// Reads the lines of a text.
    pub fn parse(source: &str) -> Result<Self, DotenvError> {
        let mut lines = Vec::new();
        let mut start = 0;
        for (index, text) in source.split('\n').enumerate() {
            let range = start..start + text.len();
            start = range.end + 1;
            let kind = line_kind(text, range.clone());
            let kind = kind.ok_or(DotenvError::NoEqualSign { line: index + 1 })?;
            lines.push(Line { range, kind });
        }
        // What follows the last LF is no line if it is nothing.
        if lines.last().is_some_and(|last| last.range.is_empty()) {
            lines.pop();
        }
        Ok(Self { lines })
    }

    /// The lines, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

/// The value that the text behind a `=` stands for: `\n` is a line break.
pub fn value(text: &str) -> Cow<'_, str> {
    replace(text, "\\n", "\n")
}

/// The text behind the `=` for a value.
pub fn text(value: &str) -> Cow<'_, str> {
    replace(value, "\n", "\\n")
}

fn replace<'a>(text: &'a str, from: &str, to: &str) -> Cow<'a, str> {
    if text.contains(from) {
        Cow::Owned(text.replace(from, to))
    } else {
        Cow::Borrowed(text)
    }
}

fn line_kind(text: &str, range: Range<usize>) -> Option<LineKind> {
    let Range { start, end } = range;
    if matches!(text, "" | "\r") {
        return Some(LineKind::Blank);
    }
    if text.starts_with('#') {
        let text = start + 1..end;
        return Some(LineKind::Comment { text });
    }
    let equals = start + text.find('=')?;
    Some(LineKind::Entry {
        key: start..equals,
        value: equals + 1..end,
    })
}

#[cfg(test)]
mod tests;
