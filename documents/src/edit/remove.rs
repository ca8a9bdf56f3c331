//! Taking entries out of a mapping that keeps some.

use std::{collections::BTreeSet, ops::Range};

use super::block::last_leaf;
use crate::{
    lines,
    splice::Splice,
    yaml::{CollectionStyle, CommentKind, Entry, Kind, Node, ScalarStyle},
};

/// Removes the entries at some indexes, not all of them.
pub(super) fn entries(splices: &mut Vec<Splice>, mapping: Node<'_>, removed: &BTreeSet<usize>) {
    let entries: Vec<_> = mapping.entries().collect();
    if matches!(mapping.kind(), Kind::Mapping(CollectionStyle::Block)) {
        for index in removed {
            let before = index.checked_sub(1).map(|index| entries[index]);
            let next = entries.get(index + 1).copied();
            let range = block_entry(mapping, entries[*index], before, next);
            splices.push(Splice::delete(range));
        }
        return;
    }
    let last_kept = (0..entries.len())
        .rev()
        .find(|index| !removed.contains(index));
    let Some(last_kept) = last_kept else { return };
    for index in removed.iter().filter(|index| **index < last_kept) {
        let start = entries[*index].range().start;
        splices.push(Splice::delete(start..entries[index + 1].range().start));
    }
    if last_kept + 1 < entries.len() {
        let last = entries[entries.len() - 1];
        splices.push(Splice::delete(
            entries[last_kept].range().end..last.range().end,
        ));
    }
}

fn block_entry(
    mapping: Node<'_>,
    entry: Entry<'_>,
    before: Option<Entry<'_>>,
    next: Option<Entry<'_>>,
) -> Range<usize> {
    let document = mapping.document();
    let source = document.source();
    let Range { start, end } = entry.range();
    if !lines::is_first(source, start) {
        // It shares its line with the dash of a sequence: what follows moves up to that.
        let comment = document
            .comments()
            .iter()
            .find(|comment| comment.range.start >= end && comment.kind == CommentKind::OwnLine)
            .map(|comment| comment.range.start);
        let next = next.map_or(end, |next| next.range().start);
        return start..comment.map_or(next, |comment| comment.min(next));
    }
    let is_root = document
        .root()
        .is_some_and(|root| root.range() == mapping.range());
    let comments = entry.leading_comments();
    let first = match comments.first() {
        Some(comment) if !(is_root && before.is_none()) => comment.range.start,
        _ => start,
    };
    let line_start = lines::start(source, first);
    let line_end = lines::end(source, end);
    if line_end < source.len() {
        return line_start..lines::next(source, end);
    }
    // The last line of a text without a line break at its end: the break before it goes, unless
    // it belongs to a block scalar.
    let after_block_scalar = before.is_some_and(|before| {
        matches!(
            last_leaf(before.value).kind(),
            Kind::Scalar(ScalarStyle::Literal | ScalarStyle::Folded)
        )
    });
    let keep_break = after_block_scalar || line_start == 0;
    let from = if keep_break {
        line_start
    } else {
        previous_line_end(source, line_start)
    };
    from.min(line_start)..line_end
}

fn previous_line_end(source: &str, line_start: usize) -> usize {
    let text = &source[..line_start];
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text).len()
}
