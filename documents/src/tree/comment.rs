//! Comments, addressed by where they stand.

use std::ops::Range;

use crate::lines;

/// A comment of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to before the line break.
    pub range: Range<usize>,
    /// Where it stands.
    pub kind: CommentKind,
}

/// Where a comment stands on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    /// Alone on its line.
    OwnLine,
    /// After something else.
    Trailing,
}

impl Comment {
    pub(crate) fn at(source: &str, range: Range<usize>) -> Self {
        Self {
            kind: if lines::is_first(source, range.start) {
                CommentKind::OwnLine
            } else {
                CommentKind::Trailing
            },
            range,
        }
    }
}
