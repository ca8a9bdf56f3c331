//! Handles to the nodes of a document.

use std::{fmt, ops::Range};

use super::{
    CollectionStyle, Comment, CommentKind, Content, Document, NodeData, NodeId, ScalarStyle,
    ScalarText,
};
use crate::{position::Position, value};

/// A node of a document.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    document: &'a Document,
    id: NodeId,
}

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// `*name`, and the node that it stands for. That node may contain the alias.
    Alias(Node<'a>),
    /// Keys and values: see [`Node::entries`].
    Mapping(CollectionStyle),
    /// A null that is not written, as after `key:`.
    Missing,
    /// One value: see [`Node::text`].
    Scalar(ScalarStyle),
    /// Items: see [`Node::items`].
    Sequence(CollectionStyle),
}

impl Kind<'_> {
    /// Whether it is a scalar below a header, `|` or `>`.
    pub(crate) fn is_block_scalar(self) -> bool {
        matches!(
            self,
            Self::Scalar(ScalarStyle::Literal | ScalarStyle::Folded)
        )
    }
}

/// A key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The key, which in YAML may be any node.
    pub key: Node<'a>,
    /// The value.
    pub value: Node<'a>,
    question: Option<usize>,
    colon: Option<usize>,
}

/// An item of a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The item.
    pub node: Node<'a>,
    dash: Option<usize>,
}

impl<'a> Node<'a> {
    pub(super) fn new(document: &'a Document, id: NodeId) -> Self {
        Self { document, id }
    }

    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    /// Whether the node stands inside of a flow collection.
    pub(crate) fn is_in_flow(self) -> bool {
        self.data().in_flow
    }

    fn data(self) -> &'a NodeData {
        self.document.node(self.id)
    }

    /// The document that the node is of.
    pub fn document(self) -> &'a Document {
        self.document
    }

    /// What the node is.
    pub fn kind(self) -> Kind<'a> {
        match &self.data().content {
            Content::Alias { target } => Kind::Alias(Self::new(self.document, *target)),
            Content::Mapping { style, .. } => Kind::Mapping(*style),
            Content::Missing => Kind::Missing,
            Content::Scalar { style, .. } => Kind::Scalar(*style),
            Content::Sequence { style, .. } => Kind::Sequence(*style),
        }
    }

    /// The node itself, or the one that an alias stands for.
    #[must_use]
    pub fn resolved(self) -> Node<'a> {
        match self.kind() {
            Kind::Alias(target) => target,
            _ => self,
        }
    }

    /// The bytes of the node in its stream, without anchor and tag. Quotes, brackets and the
    /// header of a block scalar count; the line break after it does not.
    pub fn range(self) -> Range<usize> {
        self.data().range.clone()
    }

    /// [`Self::range`] from where the anchor or tag starts, if there is one.
    pub fn full_range(self) -> Range<usize> {
        let data = self.data();
        data.start.min(data.range.start)..data.range.end
    }

    /// Where the node stands, for messages.
    pub fn position(self) -> Position {
        self.document.position(self.full_range().start)
    }

    /// The anchor's name, without `&`.
    pub fn anchor(self) -> Option<&'a str> {
        let range = self.data().anchor.clone()?;
        self.document.source().get(range)?.strip_prefix('&')
    }

    /// The tag, with `tag:yaml.org,2002:` shortened to `!!`.
    pub fn tag(self) -> Option<&'a str> {
        self.data().tag.as_deref()
    }

    /// The text of a scalar, decoded, whatever its type; `None` for anything else. An alias is
    /// followed.
    pub fn text(self) -> Option<&'a str> {
        let node = self.resolved();
        match &node.data().content {
            Content::Scalar { text, .. } => Some(match text {
                ScalarText::Source => &node.document.source()[node.range()],
                ScalarText::Quoted => {
                    let range = node.range();
                    &node.document.source()[range.start + 1..range.end - 1]
                }
                ScalarText::Decoded(text) => text,
            }),
            _ => None,
        }
    }

    /// The text of a scalar that is a string; `None` for numbers, booleans, null, and anything
    /// else. An alias is followed.
    pub fn as_str(self) -> Option<&'a str> {
        let node = self.resolved();
        value::is_string(node).then(|| node.text()).flatten()
    }

    /// Whether the node is null, written or not. An alias is followed.
    pub fn is_null(self) -> bool {
        value::is_null(self.resolved())
    }

    /// Whether the node is a mapping. An alias is followed.
    pub fn is_mapping(self) -> bool {
        matches!(self.resolved().kind(), Kind::Mapping(_))
    }

    /// Whether the node is a sequence. An alias is followed.
    pub fn is_sequence(self) -> bool {
        matches!(self.resolved().kind(), Kind::Sequence(_))
    }

    /// The keys and values of a mapping, in order; none for anything else. An alias is followed,
    /// a merge key is not: it is an entry like others.
    pub fn entries(self) -> impl ExactSizeIterator<Item = Entry<'a>> {
        let node = self.resolved();
        let entries = match &node.data().content {
            Content::Mapping { entries, .. } => entries.as_slice(),
            _ => &[],
        };
        entries.iter().map(move |entry| Entry {
            key: Self::new(node.document, entry.key),
            value: Self::new(node.document, entry.value),
            question: entry.question,
            colon: entry.colon,
        })
    }

    /// The items of a sequence, in order; none for anything else. An alias is followed.
    pub fn items(self) -> impl ExactSizeIterator<Item = Item<'a>> {
        let node = self.resolved();
        let items = match &node.data().content {
            Content::Sequence { items, .. } => items.as_slice(),
            _ => &[],
        };
        items.iter().map(move |item| Item {
            node: Self::new(node.document, item.node),
            dash: item.dash,
        })
    }

    /// The entry of a key of a mapping: the last one, if the key is there twice, as readers do
    /// that allow it. An alias is followed, a merge key is not.
    pub fn entry(self, key: &str) -> Option<Entry<'a>> {
        self.entries()
            .filter(|entry| entry.key.text() == Some(key))
            .last()
    }

    /// The value of a key of a mapping: see [`Self::entry`].
    pub fn get(self, key: &str) -> Option<Node<'a>> {
        self.entry(key).map(|entry| entry.value)
    }
}

impl<'a> Entry<'a> {
    /// From the key, or the `?` before it, to the end of the value.
    pub fn range(self) -> Range<usize> {
        let mut end = self.value.full_range().end.max(self.key.range().end);
        if let Some(colon) = self.colon {
            end = end.max(colon + 1);
        }
        self.start()..end
    }

    fn start(self) -> usize {
        self.question.unwrap_or_else(|| self.key.full_range().start)
    }

    /// Where the `:` is, if it is written.
    pub fn colon(self) -> Option<usize> {
        self.colon
    }

    /// The comments directly above the entry: own lines, no blank line between.
    pub fn leading_comments(self) -> &'a [Comment] {
        leading_comments(self.key.document, self.start())
    }

    /// The comment after the entry on its last line, or after its `:` if the value is a block.
    pub fn trailing_comment(self) -> Option<&'a Comment> {
        trailing_comment(self.key.document, self.range().end)
    }
}

impl<'a> Item<'a> {
    /// From the `-` to the end of the item.
    pub fn range(self) -> Range<usize> {
        let node = self.node.full_range();
        let start = self.dash.unwrap_or(node.start);
        start..node.end.max(start)
    }

    /// The comments directly above the item: own lines, no blank line between.
    pub fn leading_comments(self) -> &'a [Comment] {
        leading_comments(self.node.document, self.range().start)
    }

    /// The comment after the item on its last line.
    pub fn trailing_comment(self) -> Option<&'a Comment> {
        trailing_comment(self.node.document, self.range().end)
    }
}

fn leading_comments(document: &Document, start: usize) -> &[Comment] {
    let comments = document.comments();
    let end = comments.partition_point(|comment| comment.range.end <= start);
    let mut first = end;
    let mut below = start;
    while let Some(comment) = first.checked_sub(1).map(|at| &comments[at]) {
        let gap = &document.source()[comment.range.end..below];
        let adjacent = gap.trim().is_empty() && gap.matches('\n').count() == 1;
        if comment.kind != CommentKind::OwnLine || !adjacent {
            break;
        }
        first -= 1;
        below = comment.range.start;
    }
    &comments[first..end]
}

fn trailing_comment(document: &Document, end: usize) -> Option<&Comment> {
    let comments = document.comments();
    let next = comments.partition_point(|comment| comment.range.start < end);
    let comment = comments.get(next)?;
    let gap = &document.source()[end..comment.range.start];
    gap.chars()
        .all(|char| matches!(char, ' ' | '\t' | ','))
        .then_some(comment)
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut node = f.debug_struct("Node");
        node.field("range", &self.range());
        match self.kind() {
            Kind::Alias(target) => node.field("alias_of", &target.range()),
            Kind::Mapping(_) => node.field("entries", &self.entries().len()),
            Kind::Missing => node.field("missing", &true),
            Kind::Scalar(style) => node.field("scalar", &style),
            Kind::Sequence(_) => node.field("items", &self.items().len()),
        };
        node.finish_non_exhaustive()
    }
}
