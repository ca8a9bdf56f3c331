//! What is wrong with a text that cannot be read.

use granit_parser::ErrorKind;

use crate::position::Position;

/// Why a text cannot be read. It never quotes the text, which may be a Secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, in words that hold for any text.
    pub reason: String,
    hint: Option<&'static str>,
}

impl ParseError {
    pub(crate) fn new(at: Position, reason: impl Into<String>) -> Self {
        Self {
            line: at.line,
            column: at.column,
            reason: reason.into(),
            hint: None,
        }
    }

    pub(crate) fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }

    pub(super) fn from_scan(error: &granit_parser::ScanError) -> Self {
        let marker = error.marker();
        Self {
            line: marker.line(),
            column: marker.col() + 1,
            reason: reason(error.kind()),
            hint: hint(error.kind()),
        }
    }
}

/// The parser's own words, but for the kinds that repeat a part of the text.
fn reason(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnexpectedCharacter { .. } => "unexpected character".to_owned(),
        ErrorKind::Custom(_) => "invalid YAML".to_owned(),
        ErrorKind::UnknownAnchor => "alias of an anchor that does not stand before it".to_owned(),
        ErrorKind::RecursionLimitExceeded => "nested too deeply".to_owned(),
        kind => kind.to_string(),
    }
}

fn hint(kind: &ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabNotAllowed => Some("indent with spaces: YAML does not allow tabs there"),
        ErrorKind::UnexpectedCharacter {
            character: '@' | '`',
        } => Some("quote values that begin with `@` or a backtick"),
        ErrorKind::UnexpectedCharacter { character: '%' } => {
            Some("quote values that begin with `%`")
        }
        ErrorKind::MappingValueNotAllowed => {
            Some("quote values that hold `: `, and check the indentation")
        }
        ErrorKind::UnclosedQuotedScalar => Some("the quote opened there is never closed"),
        ErrorKind::UnknownAnchor => Some("quote values that begin with `*`"),
        _ => None,
    }
}
