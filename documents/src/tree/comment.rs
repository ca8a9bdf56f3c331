//! Comments, addressed by where they stand.

use std::ops::Range;

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
        let line_start = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let alone = source[line_start..range.start].trim().is_empty();
        Self {
            kind: if alone {
                CommentKind::OwnLine
            } else {
                CommentKind::Trailing
            },
            range,
        }
    }
}
