//! The arena: what a reader puts in, what the handles look up.

use std::ops::Range;

use zeroize::Zeroizing;

use super::{CollectionStyle, Comment, ScalarStyle};

/// Index of a node in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub(super) fn new(index: usize) -> Self {
        // Every node takes at least a byte of a source that is far smaller than 4 GiB.
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

pub(crate) struct NodeData {
    /// The node itself, without anchor and tag; empty for a value that is not written.
    pub(crate) range: Range<usize>,
    /// Where its anchor or tag starts, or else the node.
    pub(crate) start: usize,
    pub(crate) anchor: Option<Range<usize>>,
    /// Resolved tag, `tag:yaml.org,2002:` shortened to `!!`.
    pub(crate) tag: Option<Box<str>>,
    /// Inside of braces or brackets.
    pub(crate) in_flow: bool,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    /// A value that is not written, as after `key:`.
    Missing,
    Scalar {
        style: ScalarStyle,
        text: ScalarText,
    },
    Mapping {
        style: CollectionStyle,
        entries: Vec<EntryData>,
    },
    Sequence {
        style: CollectionStyle,
        items: Vec<ItemData>,
    },
    Alias {
        target: NodeId,
    },
}

impl NodeData {
    /// A node in block context, without anchor and tag.
    pub(crate) fn plain(range: Range<usize>, content: Content) -> Self {
        Self {
            start: range.start,
            range,
            anchor: None,
            tag: None,
            in_flow: false,
            content,
        }
    }
}

/// Most scalars say what the source says; only the others are copied, and wiped on drop.
pub(crate) enum ScalarText {
    /// All of its range.
    Source,
    /// Its range without the quotes.
    Quoted,
    Decoded(Zeroizing<String>),
}

pub(crate) struct EntryData {
    /// The `?` of an explicit key.
    pub(crate) question: Option<usize>,
    pub(crate) key: NodeId,
    /// The `:`; none after a key that has no value at all.
    pub(crate) colon: Option<usize>,
    pub(crate) value: NodeId,
}

pub(crate) struct ItemData {
    /// The `-` of a block sequence.
    pub(crate) dash: Option<usize>,
    pub(crate) node: NodeId,
}

/// Collects the nodes of one document.
#[derive(Default)]
pub(crate) struct TreeBuilder {
    nodes: Vec<NodeData>,
    root: Option<NodeId>,
    comments: Vec<Comment>,
}

impl TreeBuilder {
    pub(crate) fn push(&mut self, node: NodeData) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(node);
        id
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut NodeData {
        &mut self.nodes[id.index()]
    }

    pub(crate) fn node(&self, id: NodeId) -> &NodeData {
        &self.nodes[id.index()]
    }

    pub(crate) fn comment(&mut self, comment: Comment) {
        self.comments.push(comment);
    }

    /// Comments behind the end of the document.
    pub(crate) fn append_comments(&mut self, behind: Self) {
        self.comments.extend(behind.comments);
    }

    pub(crate) fn has_comments(&self) -> bool {
        !self.comments.is_empty()
    }

    pub(crate) fn set_root(&mut self, id: NodeId) {
        self.root = Some(id);
    }

    /// Sets the root if there is none yet, and says so.
    pub(crate) fn set_first_root(&mut self, id: NodeId) -> bool {
        let is_first = self.root.is_none();
        self.root.get_or_insert(id);
        is_first
    }

    pub(super) fn finish(mut self) -> (Vec<NodeData>, Option<NodeId>, Vec<Comment>) {
        self.comments.sort_by_key(|comment| comment.range.start);
        (self.nodes, self.root, self.comments)
    }
}
