//! The tree of one document: an arena of nodes that know where they stand in the text.
//!
//! [`Node`] is a handle: copied freely, valid as long as its [`Document`]. What the nodes of a
//! document say may be secret, so no type here prints a scalar.

mod comment;
mod data;
mod handle;

use std::{fmt, ops::Range, sync::Arc};

use zeroize::Zeroizing;

pub(crate) use data::{Content, EntryData, ItemData, NodeData, NodeId, ScalarText, TreeBuilder};

pub use comment::{Comment, CommentKind};
pub use handle::{Entry, Item, Kind, Node};

use crate::position::Position;

/// How a mapping or sequence is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionStyle {
    /// By indentation.
    Block,
    /// In braces or brackets, as in JSON.
    Flow,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    /// Without quotes; its text decides its type.
    Plain,
    /// `'…'`.
    SingleQuoted,
    /// `"…"`, and every JSON string.
    DoubleQuoted,
    /// `|`.
    Literal,
    /// `>`.
    Folded,
}

/// The syntax that a document is written in, so that what is put in is written alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON: objects one after the other, no comments.
    Json,
    /// YAML.
    Yaml,
}

/// One document of a stream.
pub struct Document {
    source: Arc<Zeroizing<String>>,
    format: Format,
    range: Range<usize>,
    content: Range<usize>,
    nodes: Vec<NodeData>,
    root: Option<NodeId>,
    comments: Vec<Comment>,
}

impl Document {
    pub(crate) fn new(
        source: Arc<Zeroizing<String>>,
        format: Format,
        range: Range<usize>,
        content: Range<usize>,
        tree: TreeBuilder,
    ) -> Self {
        let (nodes, root, comments) = tree.finish();
        Self {
            source,
            format,
            range,
            content,
            nodes,
            root,
            comments,
        }
    }

    /// The top node; `None` if the document holds nothing but comments.
    pub fn root(&self) -> Option<Node<'_>> {
        self.root.map(|id| Node::new(self, id))
    }

    /// The syntax of the document.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The bytes of the document in its stream, with its `---` and `...` lines. The ranges of the
    /// documents of a stream follow each other without a gap.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The bytes of the document without its `---` line, its `...` line and what follows that.
    pub fn content_range(&self) -> Range<usize> {
        self.content.clone()
    }

    /// The text of [`Self::range`].
    pub fn text(&self) -> &str {
        &self.source[self.range.clone()]
    }

    /// The text of the whole stream, to which all ranges refer.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// All comments, in order.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// The line and column, in the stream, of a byte offset in it.
    pub fn position(&self, offset: usize) -> Position {
        Position::of(&self.source, offset)
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether some node has an anchor.
    pub(crate) fn has_anchors(&self) -> bool {
        self.nodes.iter().any(|node| node.anchor.is_some())
    }

    /// Whether a block scalar has its last character before a byte.
    pub(crate) fn has_block_scalar_that_ends_at(&self, end: usize) -> bool {
        self.nodes.iter().any(|node| {
            let Content::Scalar { style, .. } = node.content else {
                return false;
            };
            node.range.end == end && matches!(style, ScalarStyle::Literal | ScalarStyle::Folded)
        })
    }

    /// The outermost node that starts at a byte, tag and anchor included.
    pub(crate) fn node_at(&self, start: usize) -> Option<Node<'_>> {
        let at = self
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.start == start);
        let (index, _) = at.max_by_key(|(_, node)| node.range.end)?;
        Some(Node::new(self, NodeId::new(index)))
    }

    /// The nodes that some alias refers to, tag and anchor included, in no order.
    pub(crate) fn alias_targets(&self) -> Vec<Range<usize>> {
        let targets = self.nodes.iter().filter_map(|node| match node.content {
            Content::Alias { target } => {
                let target = self.node(target);
                Some(target.start..target.range.end)
            }
            _ => None,
        });
        targets.collect()
    }

    fn node(&self, id: NodeId) -> &NodeData {
        &self.nodes[id.index()]
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("format", &self.format)
            .field("range", &self.range)
            .field("root", &self.root())
            .finish_non_exhaustive()
    }
}
