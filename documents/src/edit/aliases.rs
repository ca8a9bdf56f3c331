//! What aliases refer to: a change there changes other places too.

use std::{collections::BTreeSet, ops::Range};

use crate::yaml::Document;

/// The nodes of a document that some alias refers to.
pub(super) struct Targets {
    starts: BTreeSet<usize>,
    /// Those that lie in no other, in order.
    outermost: Vec<Range<usize>>,
}

impl Targets {
    pub(super) fn of(document: &Document) -> Self {
        let mut targets = document.alias_targets();
        targets.sort_by_key(|target| (target.start, std::cmp::Reverse(target.end)));
        let starts = targets.iter().map(|target| target.start).collect();
        let mut outermost: Vec<Range<usize>> = Vec::new();
        for target in targets {
            // Ranges of nodes are apart, or one lies in the other.
            if outermost.last().is_none_or(|it| it.end <= target.start) {
                outermost.push(target);
            }
        }
        Self { starts, outermost }
    }

    /// The start of a target that lies in the range.
    pub(super) fn inside(&self, range: Range<usize>) -> Option<usize> {
        self.starts.range(range).next().copied()
    }

    /// The start of a target that the range lies in, or is.
    pub(super) fn around(&self, range: &Range<usize>) -> Option<usize> {
        let after = self
            .outermost
            .partition_point(|target| target.start <= range.start);
        let target = &self.outermost[after.checked_sub(1)?];
        (range.end <= target.end && range.start < target.end).then_some(target.start)
    }
}
