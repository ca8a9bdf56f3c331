//! From the peer's tree, where a comment stands before what it speaks of, to nodes.

use super::node::{Around, Comments, Entry, Mapping, Node, Scalar, Sequence};
use crate::emit::sops_text::text_of;
use crate::sops::tree::{Branch, ListItem, TreeComment, TreeItem, TreeValue};

/// Comments that came before something, of both kinds.
#[derive(Default)]
struct Before<'t> {
    above: Comments<'t>,
    behind: Comments<'t>,
}

pub(super) fn mapping(branch: &Branch) -> Mapping<'_> {
    let mut mapping = Mapping::default();
    let mut before = Before::default();
    for item in &branch.items {
        match item {
            TreeItem::Comment(comment) => before.add(comment),
            TreeItem::Entry { key, value } => {
                let mut around = Around::default();
                // Those above the first key are those of the mapping.
                let head = if mapping.entries.is_empty() {
                    &mut mapping.around.head
                } else {
                    &mut around.head
                };
                *head = std::mem::take(&mut before.above);
                let mut value = node(value);
                value.around_mut().line.append(&mut before.behind);
                mapping.entries.push(Entry { key, around, value });
            }
        }
    }
    let rest = before.all();
    match mapping.entries.last_mut() {
        Some(last) => last.around.foot = rest,
        None => mapping.around.head = rest,
    }
    mapping
}

pub(super) fn node(value: &TreeValue) -> Node<'_> {
    match value {
        TreeValue::Null => Node::Scalar(Scalar::Null, Around::default()),
        TreeValue::Scalar(value) => Node::Scalar(Scalar::Value(value), Around::default()),
        TreeValue::Map(branch) => Node::Mapping(mapping(branch)),
        TreeValue::List(items) => Node::Sequence(sequence(items)),
    }
}

fn sequence(list: &[ListItem]) -> Sequence<'_> {
    let mut sequence = Sequence::default();
    let mut before = Before::default();
    for item in list {
        match item {
            ListItem::Comment(comment) => before.add(comment),
            ListItem::Value(value) => {
                let mut item = node(value);
                let above = std::mem::take(&mut before.above);
                if sequence.items.is_empty() {
                    sequence.around.head = above;
                } else {
                    prepend(&mut item.around_mut().head, above);
                }
                item.around_mut().line.append(&mut before.behind);
                sequence.items.push(item);
            }
        }
    }
    let rest = before.all();
    match sequence.items.last_mut() {
        Some(last) => last.around_mut().foot = rest,
        None => sequence.around.head = rest,
    }
    sequence
}

fn prepend<'t>(head: &mut Comments<'t>, mut above: Comments<'t>) {
    above.append(head);
    *head = above;
}

impl<'t> Before<'t> {
    fn add(&mut self, comment: &'t TreeComment) {
        let to = if comment.inline {
            &mut self.behind
        } else {
            &mut self.above
        };
        to.push(text_of(&comment.text));
    }

    fn all(mut self) -> Comments<'t> {
        self.above.append(&mut self.behind);
        self.above
    }
}
