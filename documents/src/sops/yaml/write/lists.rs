//! Comments that the peer wrote as items of a list.

use std::collections::HashSet;

use super::Writer;
use crate::{
    lines,
    splice::Splice,
    yaml::{CollectionStyle, Comment, CommentKind, Item, Kind, Node},
};

impl<'s> Writer<'s> {
    /// A list whose items were comments that the peer wrote as such is empty, and not null.
    pub(super) fn keep_empty_list(&mut self, node: Node<'s>) {
        let Some(last) = node.items().last() else {
            return;
        };
        let start = node.range().start;
        let comments: HashSet<usize> = self
            .splices
            .iter()
            .rev()
            .take_while(|splice| splice.range.start >= start)
            .filter(|splice| splice.text.starts_with('#'))
            .map(|splice| splice.range.start)
            .collect();
        let dash = |item: Item<'_>| item.range().start;
        if comments.contains(&dash(last)) && node.items().all(|item| comments.contains(&dash(item)))
        {
            let column = lines::column(self.source, dash(last)).max(1);
            let text = format!("{}{:column$}[]", self.layout.line_break, "");
            let end = lines::end(self.source, node.range().end);
            self.splices.push(Splice::insert(end, text));
        }
    }

    /// Whether a comment can stand as an item of the list that it is in: in the column of the dashes, or
    /// above the brackets of a list without items.
    pub(super) fn can_be_item(&self, comment: &Comment) -> bool {
        let list = self.open.last().filter(|open| open.is_list);
        let Some(node) = list.and_then(|open| open.node) else {
            return false;
        };
        let start = node.range().start;
        let column = lines::column(self.source, comment.range.start);
        let dashes = match node.kind() {
            Kind::Sequence(CollectionStyle::Block) => lines::column(self.source, start),
            _ if node.items().next().is_none()
                && comment.range.end < start
                && lines::is_first(self.source, start)
                && self.behind(node).trim().is_empty() =>
            {
                // Directly below a key in the first column there are dashes, but no brackets.
                match lines::column(self.source, start) {
                    1 => column.min(1),
                    column => column,
                }
            }
            _ => return false,
        };
        comment.kind == CommentKind::OwnLine && column == dashes
    }

    /// Takes away the line of the brackets of a list that was empty and has items now.
    pub(super) fn drop_brackets(&mut self, node: Node<'s>) {
        if matches!(node.kind(), Kind::Sequence(CollectionStyle::Flow)) {
            let line = lines::start(self.source, node.range().start);
            let start = lines::end_of_previous(self.source, line);
            self.splices.push(Splice::delete(start..node.range().end));
        }
    }

    /// What stands behind a node on its line.
    fn behind(&self, node: Node<'s>) -> &'s str {
        let end = node.range().end;
        &self.source[end..lines::end(self.source, end)]
    }
}
