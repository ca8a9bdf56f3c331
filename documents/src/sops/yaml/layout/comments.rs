//! Where comments belong.
//!
//! A comment is encrypted for the map or list that it is in, so the peer must find it in the same. Its
//! rules, for comments on lines of their own between one value and the next:
//!
//! * comments in the column of what follows belong to the map or list of what follows;
//! * else the first of them, with all in the same column, belong to the innermost map or list of what
//!   precedes, unless they are directly below it, further left, with a blank line behind them;
//! * further ones belong to the map or list in whose column they are.
//!
//! A comment at the end of a line stands before the key or item of that line; behind a flow collection
//! that is the value of a key it is the first thing in that.

use std::ops::Range;

use super::{Placed, Site, metadata_entry};
use crate::{
    lines,
    sops::outline::Step,
    yaml::{CollectionStyle, Comment, CommentKind, Document, Kind, Node},
};

/// Puts the comments of a document between its steps.
pub(super) fn put<'s>(document: &'s Document, steps: Vec<Placed<'s>>) -> Vec<Placed<'s>> {
    let metadata = metadata_entry(document).map_or(0..0, crate::yaml::Entry::range);
    let outside = document.comments().iter().filter(|comment| {
        !metadata.contains(&comment.range.start) && !is_behind(document, &metadata, comment)
    });
    let mut finder = Finder {
        document,
        steps: &steps,
        behind: 0,
    };
    let mut found: Vec<(usize, &Comment)> = Vec::new();
    let mut own_line: Vec<&Comment> = Vec::new();
    for comment in outside {
        let before = finder.behind;
        finder.advance(comment.range.start);
        if finder.behind != before || comment.kind == CommentKind::Trailing {
            let at = std::mem::replace(&mut finder.behind, before);
            found.extend(finder.own_line(&own_line));
            own_line.clear();
            finder.behind = at;
        }
        match comment.kind {
            CommentKind::OwnLine => own_line.push(comment),
            CommentKind::Trailing => found.push((finder.trailing(), comment)),
        }
    }
    found.extend(finder.own_line(&own_line));
    merge(document.source(), steps, found)
}

/// Whether a comment stands behind the last value of the metadata, on its line. In braces the metadata may
/// have come between a value and its comment.
fn is_behind(document: &Document, metadata: &Range<usize>, comment: &Comment) -> bool {
    !metadata.is_empty()
        && comment.kind == CommentKind::Trailing
        && !document.root().is_some_and(is_flow_node)
        && (metadata.end..=lines::end(document.source(), metadata.end))
            .contains(&comment.range.start)
}

fn merge<'s>(
    source: &'s str,
    steps: Vec<Placed<'s>>,
    mut found: Vec<(usize, &'s Comment)>,
) -> Vec<Placed<'s>> {
    if found.is_empty() {
        return steps;
    }
    // Stable: comments of one place keep their order.
    found.sort_by_key(|(index, _)| *index);
    let mut merged = Vec::with_capacity(steps.len() + found.len());
    let mut found = found.into_iter().peekable();
    for (index, step) in steps.into_iter().enumerate() {
        while let Some((_, comment)) = found.next_if(|(at, _)| *at <= index) {
            merged.push(Placed {
                step: Step::Comment {
                    text: source[comment.range.start + 1..comment.range.end].into(),
                    inline: comment.kind == CommentKind::Trailing,
                },
                site: Site::Comment(comment),
                at: comment.range.start,
            });
        }
        merged.push(step);
    }
    merged
}

struct Finder<'a, 's> {
    document: &'s Document,
    steps: &'a [Placed<'s>],
    /// How many steps begin (and for ends, end) before the comment.
    behind: usize,
}

impl<'s> Finder<'_, 's> {
    fn advance(&mut self, to: usize) {
        // The last step closes the document, whatever stands behind its end.
        let last = self.steps.len() - 1;
        while self.behind < last && (self.behind == 0 || self.steps[self.behind].at <= to) {
            self.behind += 1;
        }
    }

    fn column(&self, at: usize) -> usize {
        lines::column(self.document.source(), at)
    }

    /// The index of the step that a comment at the end of a line stands before.
    fn trailing(&self) -> usize {
        // Blocks may end with what precedes; the comment is still in the innermost of them.
        let last = self.ended_blocks().start - 1;
        let at = match self.steps[last].step {
            Step::Document => return last + 1,
            // Behind the anchor or tag of a block, which begins there.
            Step::Map | Step::List if self.is_value_of_key(last) => return last + 1,
            Step::End if is_flow(&self.steps[last].site) => {
                let open = self.opening(last);
                if self.is_value_of_key(open) {
                    return open + 1;
                }
                open
            }
            _ => last,
        };
        if self.is_value_of_key(at) { at - 1 } else { at }
    }

    fn is_value_of_key(&self, at: usize) -> bool {
        at > 0 && matches!(self.steps[at - 1].step, Step::Key(_))
    }

    /// The start of the collection that ends at a step.
    fn opening(&self, end: usize) -> usize {
        let mut depth = 0_usize;
        for index in (0..=end).rev() {
            match self.steps[index].step {
                Step::End => depth += 1,
                Step::Map | Step::List | Step::Document => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return index;
            }
        }
        0
    }

    /// The places of comments on lines of their own that stand one below the other.
    fn own_line(&self, comments: &[&'s Comment]) -> Vec<(usize, &'s Comment)> {
        if comments.is_empty() {
            return Vec::new();
        }
        let next = self.behind;
        let ends = self.ended_blocks();
        if ends.is_empty() {
            let inside = usize::from(matches!(self.steps[next].step, Step::Map | Step::List));
            let at = match self.steps[next - 1].step {
                // The value of the key is on the lines below.
                Step::Key(_) if inside == 0 => next - 1,
                Step::Key(_) | Step::Document | Step::Map | Step::List => {
                    next + usize::from(inside == 1 && self.is_value_of_key(next))
                }
                _ => next,
            };
            return comments.iter().map(|comment| (at, *comment)).collect();
        }
        let next_column = self.next_column();
        let mut places = Vec::with_capacity(comments.len());
        let column = |comment: &Comment| self.column(comment.range.start);
        let groups: Vec<&[&Comment]> = comments.chunk_by(|a, b| column(a) == column(b)).collect();
        for (number, group) in groups.iter().enumerate() {
            let own = column(group[0]);
            let is_last = number + 1 == groups.len();
            let place = if is_last && own == next_column {
                next
            } else if number == 0 && !self.is_set_off(group, ends.clone()) {
                ends.start
            } else {
                ends.clone()
                    .find(|end| self.block_column(*end) == own)
                    .unwrap_or(next)
            };
            places.extend(group.iter().map(|comment| (place, *comment)));
        }
        places
    }

    /// The blocks that end between what precedes and what follows, from the inside.
    fn ended_blocks(&self) -> Range<usize> {
        let is_block_end = |index: &usize| {
            let placed = &self.steps[*index];
            matches!(placed.step, Step::End) && !is_flow(&placed.site)
        };
        let count = (0..self.behind).rev().take_while(is_block_end).count();
        self.behind - count..self.behind
    }

    /// Directly below what precedes, further left than that, and followed by a blank line.
    fn is_set_off(&self, group: &[&Comment], ends: Range<usize>) -> bool {
        let source = self.document.source();
        let (first, last) = (group[0], group[group.len() - 1]);
        let above = lines::end_of_previous(source, lines::start(source, first.range.start));
        let directly_below = !source[lines::start(source, above)..above].trim().is_empty();
        let below = lines::next(source, last.range.end);
        let blank_follows = source[below..lines::end(source, below)].trim().is_empty();
        let further_left = self.column(first.range.start) < self.block_column(ends.start);
        directly_below && blank_follows && further_left
    }

    fn block_column(&self, end: usize) -> usize {
        match self.steps[end].site {
            Site::Node(node) => self.column(node.range().start),
            _ => 0,
        }
    }

    /// The column of what follows; at the end of a document that is the metadata.
    fn next_column(&self) -> usize {
        let step = &self.steps[self.behind];
        if matches!(step.step, Step::End) {
            let root = self.document.root();
            return root.map_or(0, |root| self.column(root.range().start));
        }
        self.column(step.at)
    }
}

fn is_flow(site: &Site<'_>) -> bool {
    matches!(site, Site::Node(node) if is_flow_node(*node))
}

fn is_flow_node(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        Kind::Mapping(CollectionStyle::Flow) | Kind::Sequence(CollectionStyle::Flow)
    )
}
