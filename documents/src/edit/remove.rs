//! Taking entries and items out of a mapping or list that keeps some.

use std::{collections::BTreeSet, ops::Range};

use crate::{
    lines,
    splice::Splice,
    yaml::{CollectionStyle, Comment, CommentKind, Document, Kind, Node},
};

/// Removes the entries at some indexes, not all of them.
pub(super) fn entries(splices: &mut Vec<Splice>, mapping: Node<'_>, removed: &BTreeSet<usize>) {
    let parts = mapping.entries().map(|entry| Part {
        range: entry.range(),
        comments: entry.leading_comments(),
    });
    parts_of(splices, mapping, &parts.collect::<Vec<_>>(), removed);
}

/// Removes the items at some indexes, not all of them.
pub(super) fn items(splices: &mut Vec<Splice>, list: Node<'_>, removed: &BTreeSet<usize>) {
    let parts = list.items().map(|item| Part {
        range: item.range(),
        comments: item.leading_comments(),
    });
    parts_of(splices, list, &parts.collect::<Vec<_>>(), removed);
}

/// An entry or item, and the comments directly above it.
struct Part<'a> {
    range: Range<usize>,
    comments: &'a [Comment],
}

fn parts_of(
    splices: &mut Vec<Splice>,
    collection: Node<'_>,
    parts: &[Part<'_>],
    removed: &BTreeSet<usize>,
) {
    if matches!(
        collection.kind(),
        Kind::Mapping(CollectionStyle::Block) | Kind::Sequence(CollectionStyle::Block)
    ) {
        for index in removed {
            let range = block_part(
                collection,
                &parts[*index],
                *index == 0,
                parts.get(index + 1),
            );
            splices.push(Splice::delete(range));
        }
        return;
    }
    let last_kept = (0..parts.len())
        .rev()
        .find(|index| !removed.contains(index));
    let Some(last_kept) = last_kept else { return };
    for index in removed.iter().filter(|index| **index < last_kept) {
        let start = parts[*index].range.start;
        splices.push(Splice::delete(start..parts[index + 1].range.start));
    }
    if last_kept + 1 < parts.len() {
        let last = &parts[parts.len() - 1];
        splices.push(Splice::delete(parts[last_kept].range.end..last.range.end));
    }
}

fn block_part(
    collection: Node<'_>,
    part: &Part<'_>,
    is_first: bool,
    next: Option<&Part<'_>>,
) -> Range<usize> {
    let document = collection.document();
    let source = document.source();
    let Range { start, end } = part.range;
    if !lines::is_first(source, start) {
        // It shares its line with the dash of a sequence: what follows moves up to that.
        let comment = document
            .comments()
            .iter()
            .find(|comment| comment.range.start >= end && comment.kind == CommentKind::OwnLine)
            .map(|comment| comment.range.start);
        let next = next.map_or(end, |next| next.range.start);
        return start..comment.map_or(next, |comment| comment.min(next));
    }
    let is_root = document
        .root()
        .is_some_and(|root| root.range() == collection.range());
    let first = match part.comments.first() {
        Some(comment) if !(is_root && is_first) => comment.range.start,
        _ => start,
    };
    let line_start = lines::start(source, first);
    let line_end = lines::end(source, end);
    if line_end < source.len() {
        return line_start..lines::next(source, end);
    }
    // The last line of a text without a line break at its end: the break before it goes.
    line_break_before(document, line_start).unwrap_or(line_start)..line_end
}

/// Makes splices of several mappings agree: lines that go one after the other up to the end of the
/// text, and entries put in below a line that goes.
pub(super) fn settle(splices: &mut [Splice], document: &Document) {
    let source = document.source();
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let mut gone: Vec<_> = (0..splices.len())
        .filter(|index| {
            let Range { start, end } = splices[*index].range;
            start < end && (lines::is_first(source, start) || end == source.len())
        })
        .collect();
    // From the end backwards: who wants the line break of the line before, gives it his own.
    for pair in (1..gone.len()).rev() {
        let (before, after) = (gone[pair - 1], gone[pair]);
        let Range { start, end } = splices[before].range;
        if splices[after].range.start >= end {
            continue;
        }
        match line_break_before(document, start) {
            Some(from) => splices[before].range = from..splices[after].range.start,
            None => splices[after].range.start = end,
        }
    }
    gone.retain(|index| {
        lines::start(source, splices[*index].range.start) == splices[*index].range.start
    });
    let gone: Vec<_> = gone
        .iter()
        .map(|index| splices[*index].range.clone())
        .collect();
    for splice in splices.iter_mut().filter(|splice| splice.range.is_empty()) {
        let mut at = splice.range.start;
        while let Some(range) = gone
            .partition_point(|range| range.start < at)
            .checked_sub(1)
            && at < gone[range].end
            && gone[range].start > 0
        {
            at = lines::end_of_previous(source, gone[range].start);
        }
        splice.range = at..at;
    }
}

/// The start of the line break before a line, if it can go: that of a block scalar is part of it.
fn line_break_before(document: &Document, line_start: usize) -> Option<usize> {
    let end = lines::end_of_previous(document.source(), line_start);
    (line_start > 0 && !document.has_block_scalar_that_ends_at(end)).then_some(end)
}
