//! Pieces of a block mapping that can be moved: an entry with the lines above it.

use crate::{
    lines,
    splice::{self, Splice},
    yaml::{CollectionStyle, Entry, Kind, Node},
};

/// An entry, the comments and blank lines above it, and the rest of its last line.
#[derive(Clone, Copy)]
pub(super) struct Segment<'a> {
    pub(super) entry: Entry<'a>,
    /// From after the line of the entry before, or the first entry itself.
    start: usize,
    /// Before the line break.
    end: usize,
}

/// The segments of the block mapping that is the value of an entry.
pub(super) fn of_value(holder: Entry<'_>) -> Option<Vec<Segment<'_>>> {
    let source = holder.key.document().source();
    let below = lines::next(source, holder.colon()?);
    let first = holder.value.full_range().start;
    of(holder.value, (below <= first).then_some(below))
}

/// The segments of a block mapping; `None` if it is written in another way. `start` is where what
/// belongs to the first one begins, if that is not the entry itself.
pub(super) fn of(mapping: Node<'_>, mut start: Option<usize>) -> Option<Vec<Segment<'_>>> {
    if !matches!(mapping.kind(), Kind::Mapping(CollectionStyle::Block)) {
        return None;
    }
    let source = mapping.document().source();
    let mut segments = Vec::new();
    for entry in mapping.entries() {
        let range = entry.range();
        let end = lines::end(source, range.end);
        segments.push(Segment {
            entry,
            start: start.unwrap_or(range.start),
            end,
        });
        start = Some(lines::next(source, range.end));
    }
    Some(segments)
}

impl<'a> Segment<'a> {
    pub(super) fn key(self) -> &'a str {
        self.entry.key.text().unwrap_or_default()
    }

    fn source(self) -> &'a str {
        self.entry.key.document().source()
    }

    /// The lines, as they are.
    pub(super) fn lines(self) -> Vec<String> {
        self.spliced(Vec::new()).unwrap_or_default()
    }

    /// The lines, with some splices inside of the entry made. The first line is indented as the
    /// entry is, also if it stands behind a dash.
    pub(super) fn spliced(self, splices: Vec<Splice>) -> Option<Vec<String>> {
        let entry_start = self.entry.range().start;
        let indent = lines::column(self.source(), entry_start);
        let shift = |at: usize| at.checked_sub(self.start);
        let splices = splices
            .into_iter()
            .map(|splice| {
                let range = shift(splice.range.start)?..shift(splice.range.end)?;
                Some(Splice::new(range, splice.text))
            })
            .collect::<Option<Vec<_>>>()?;
        let text = splice::apply(self.source().get(self.start..self.end)?, splices).ok()?;
        let text = if self.start == entry_start {
            format!("{:indent$}{text}", "")
        } else {
            text
        };
        Some(split(&text))
    }

    /// The lines above the entry, and its first line up to the `:` and from there on: for a
    /// mapping that gets another key and other entries.
    pub(super) fn header(self, key: &str) -> Option<Vec<String>> {
        let colon = self.entry.colon()?;
        let line_end = lines::end(self.source(), colon);
        let first_child = self.entry.value.full_range().start;
        // A value on the line of the colon is not part of it; a comment is.
        let rest_end = line_end.min(self.end);
        let keeps_rest = first_child > line_end;
        let mut splices = vec![Splice::new(self.entry.key.full_range(), key)];
        let tail = if keeps_rest { rest_end } else { colon + 1 };
        splices.push(Splice::delete(tail..self.end));
        self.spliced(splices)
    }

    /// The comments and blank lines above the entry.
    pub(super) fn above(self) -> Vec<String> {
        let start = self.entry.range().start;
        let above = lines::start(self.source(), start);
        match self.source().get(self.start..above) {
            Some(text) if !text.is_empty() => split(text.trim_end_matches(['\r', '\n'])),
            _ => Vec::new(),
        }
    }
}

/// The lines of a text, without line breaks.
fn split(text: &str) -> Vec<String> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned())
        .collect()
}

/// Lines further in; blank ones stay blank.
pub(super) fn indented(lines: Vec<String>, by: usize) -> impl Iterator<Item = String> {
    lines.into_iter().map(move |line| {
        if line.trim().is_empty() {
            line
        } else {
            format!("{:by$}{line}", "")
        }
    })
}
