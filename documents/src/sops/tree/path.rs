//! Paths to a value of a tree, as in `--extract '["list"][0]["key"]'`.

use std::fmt;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// An item of a list, from 0.
    Index(usize),
    /// A key of a map.
    Key(String),
}

/// The text is not a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid path: {what}, at character {at}; a path looks like [\"list\"][0][\"key\"]")]
pub struct PathError {
    /// What is wrong.
    pub what: &'static str,
    /// Where, in characters from 1.
    pub at: usize,
}

/// Reads a path. Keys are in double or single quotes; there is no escape, but a key may hold anything
/// that is not its closing quote and bracket. The empty text leads to the whole document.
pub fn parse_path(text: &str) -> Result<Vec<PathPart>, PathError> {
    let mut parts = Vec::new();
    let mut rest = text;
    let at = |rest: &str| text.chars().count() - rest.chars().count() + 1;
    while !rest.is_empty() {
        let inside = rest.strip_prefix('[').ok_or(PathError {
            what: "expected `[`",
            at: at(rest),
        })?;
        let unclosed = PathError {
            what: "the bracket is not closed",
            at: at(rest),
        };
        let quote = inside
            .chars()
            .next()
            .filter(|char| matches!(char, '"' | '\''));
        let (part, behind) = if let Some(quote) = quote {
            let (key, behind) = inside[1..]
                .split_once(&format!("{quote}]"))
                .ok_or(unclosed)?;
            (PathPart::Key(key.to_owned()), behind)
        } else {
            let (number, behind) = inside.split_once(']').ok_or(unclosed)?;
            let index = number.parse().map_err(|_| PathError {
                what: "expected a quoted key or a number from 0",
                at: at(inside),
            })?;
            (PathPart::Index(index), behind)
        };
        parts.push(part);
        rest = behind;
    }
    Ok(parts)
}

impl fmt::Display for PathPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Key(key) => write!(f, "[\"{key}\"]"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn keys_and_indices_are_read() {
        let key = |key: &str| PathPart::Key(key.to_owned());
        let parts = parse_path("[\"a\"][0]['b c'][\"x[1]\"]").unwrap();
        assert_eq!(
            parts,
            [key("a"), PathPart::Index(0), key("b c"), key("x[1]")]
        );
        assert_eq!(parse_path("").unwrap(), []);
    }

    #[test]
    fn what_is_no_path_is_refused_with_its_place() {
        for (text, at) in [
            ("a", 1),
            ("[", 1),
            ("[\"", 1),
            ("[]", 2),
            ("[-1]", 2),
            ("[\"a\"]b", 6),
            ("[\"a\"][1", 6),
        ] {
            assert_eq!(parse_path(text).unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn a_path_is_shown_as_it_is_written() {
        let shown: String = parse_path("[\"a\"][3]")
            .unwrap()
            .iter()
            .map(PathPart::to_string)
            .collect();
        assert_eq!(shown, "[\"a\"][3]");
    }
}
