//! The text of a template, and places in it.

use std::sync::Arc;

use crate::error::Location;

/// A byte of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Offset(pub(crate) usize);

/// What a template was parsed from.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: Arc<str>,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn locate(&self, Offset(at): Offset) -> Location {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = before.split(|byte| *byte == b'\n').count();
        let start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        Location {
            template: Arc::clone(&self.name),
            line,
            column: before.len() - start + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let source = Source {
            name: "t".into(),
            text: "ab\ncd".into(),
        };
        let place = |at| {
            let location = source.locate(Offset(at));
            (location.line, location.column)
        };
        assert_eq!(
            [place(0), place(2), place(3), place(5)],
            [(1, 1), (1, 3), (2, 1), (2, 3)]
        );
        assert_eq!(source.locate(Offset(4)).to_string(), "template: t:2:2");
    }
}
