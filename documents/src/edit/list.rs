//! Items that a list gains and loses.

use std::{collections::BTreeSet, iter::repeat_n};

use serde_json::Value;

use super::{block, fill_or_empty, flow, layout::Layout, remove};
use crate::{
    lines,
    splice::Splice,
    yaml::{CollectionStyle, Entry, Item, Kind, Node},
};

/// What changes about the items of one list.
pub(super) struct ListEdit<'a> {
    pub(super) node: Node<'a>,
    /// The entry whose value it is.
    pub(super) holder: Option<Entry<'a>>,
    pub(super) removed: BTreeSet<usize>,
    /// New items, and before which of the old ones they come, in their order.
    pub(super) inserted: Vec<(usize, Value)>,
}

impl ListEdit<'_> {
    pub(super) fn apply(&self, splices: &mut Vec<Splice>, layout: &Layout) {
        let items: Vec<Item<'_>> = self.node.items().collect();
        if self.removed.len() == items.len() {
            let values = self.inserted.iter().map(|(_, value)| value.clone());
            let value = Value::Array(values.collect());
            return fill_or_empty(splices, self.node, self.holder, &value, layout);
        }
        remove::items(splices, self.node, &self.removed);
        let stays = |index: &usize| !self.removed.contains(index);
        for (before, value) in &self.inserted {
            let above = (0..*before).rev().find(stays).map(|index| items[index]);
            let below = (*before..items.len()).find(stays).map(|index| items[index]);
            match (self.node.kind(), above, below) {
                (Kind::Sequence(CollectionStyle::Block), Some(above), _) => {
                    below_item(splices, self.node, above, value, layout);
                }
                (Kind::Sequence(CollectionStyle::Block), None, Some(below)) => {
                    above_item(splices, below, value, layout);
                }
                (_, Some(above), below) => {
                    let is_last = below.is_none() && self.removed.is_empty();
                    flow::insert_behind(splices, self.node, above, is_last, value, layout);
                }
                (_, None, Some(below)) => {
                    flow::insert_before(splices, self.node, below, value, layout);
                }
                (_, None, None) => {}
            }
        }
    }
}

/// An item on the lines below another one, and above the comments that follow that.
fn below_item(
    splices: &mut Vec<Splice>,
    list: Node<'_>,
    above: Item<'_>,
    value: &Value,
    layout: &Layout,
) {
    let source = list.document().source();
    let column = lines::column(source, above.range().start);
    let at = lines::end(source, above.range().end);
    if at == source.len() {
        block::keep_without_line_break(splices, above.node, source);
    }
    let mut text = layout.line_break.to_owned();
    text.extend(repeat_n(' ', column));
    block::item(&mut text, value, column, layout);
    splices.push(Splice::insert(at, text));
}

/// An item above the first one and the comments that speak of that.
fn above_item(splices: &mut Vec<Splice>, below: Item<'_>, value: &Value, layout: &Layout) {
    let source = below.node.document().source();
    let start = below.range().start;
    let column = lines::column(source, start);
    let mut text = String::new();
    let indent = |text: &mut String| text.extend(repeat_n(' ', column));
    if lines::is_first(source, start) {
        let comments = below.leading_comments().first();
        let top = comments.map_or(start, |comment| comment.range.start);
        indent(&mut text);
        block::item(&mut text, value, column, layout);
        text.push_str(layout.line_break);
        splices.push(Splice::insert(lines::start(source, top), text));
    } else {
        // It shares its line with the dash of another list.
        block::item(&mut text, value, column, layout);
        text.push_str(layout.line_break);
        indent(&mut text);
        splices.push(Splice::insert(start, text));
    }
}
