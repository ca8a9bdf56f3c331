//! Replacing byte ranges of a text, which is all that an edit is in the end.

use std::{fmt, ops::Range};

/// New text for a range of bytes. It may be a Secret, so it is not printable.
#[derive(Clone, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
}

impl Splice {
    /// Text for a range.
    pub fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            range,
            text: text.into(),
        }
    }

    /// Text put in before the byte `at`.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::new(at..at, text)
    }

    /// A range that goes.
    pub fn delete(range: Range<usize>) -> Self {
        Self::new(range, String::new())
    }
}

impl fmt::Debug for Splice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Splice")
            .field("range", &self.range)
            .field("bytes", &self.text.len())
            .finish()
    }
}

/// Applies splices that do not overlap, in any order. Insertions at the same place keep theirs, and come before what is replaced there.
///
/// # Errors
/// The place where two splices want the same bytes.
pub fn apply(source: &str, mut splices: Vec<Splice>) -> Result<String, Overlap> {
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let added: usize = splices.iter().map(|splice| splice.text.len()).sum();
    let mut out = String::with_capacity(source.len() + added);
    let mut copied = 0;
    for splice in &splices {
        let Range { start, end } = splice.range;
        if start < copied || end < start {
            return Err(Overlap { offset: start });
        }
        out.push_str(&source[copied..start]);
        out.push_str(&splice.text);
        copied = end;
    }
    out.push_str(&source[copied..]);
    Ok(out)
}

/// Two splices want the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two edits change the text at byte {offset}")]
pub struct Overlap {
    /// Where the second one begins.
    pub offset: usize,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn splices_apply_in_the_order_of_the_text() {
        let splices = vec![
            Splice::delete(4..5),
            Splice::new(0..1, "A"),
            Splice::insert(2, "x"),
            Splice::insert(2, "y"),
        ];
        assert_eq!(apply("abcde", splices).unwrap(), "Abxycd");
    }

    #[test]
    fn overlapping_splices_are_refused() {
        let splices = vec![Splice::delete(0..3), Splice::new(2..4, "x")];
        assert_eq!(apply("abcde", splices), Err(Overlap { offset: 2 }));
    }

    #[test]
    fn a_splice_does_not_print_its_text() {
        let splice = Splice::insert(3, "hunter2");
        assert_eq!(format!("{splice:?}"), "Splice { range: 3..3, bytes: 7 }");
    }
}
