//! What is written, with its comments where go-yaml's nodes have them.

use signet_keys::sops::Value;

/// Comments that stand together, each without its `#`.
pub(super) type Comments<'t> = Vec<&'t str>;

/// A mapping, sequence or scalar.
pub(super) enum Node<'t> {
    Mapping(Mapping<'t>),
    Sequence(Sequence<'t>),
    Scalar(Scalar<'t>, Around<'t>),
}

pub(super) enum Scalar<'t> {
    Null,
    Value(&'t Value),
    Key(&'t str),
}

/// Comments above, behind and below a node.
#[derive(Default)]
pub(super) struct Around<'t> {
    pub(super) head: Comments<'t>,
    pub(super) line: Comments<'t>,
    pub(super) foot: Comments<'t>,
}

#[derive(Default)]
pub(super) struct Mapping<'t> {
    pub(super) around: Around<'t>,
    pub(super) entries: Vec<Entry<'t>>,
}

pub(super) struct Entry<'t> {
    pub(super) key: &'t str,
    /// Comments above the key, and below the value.
    pub(super) around: Around<'t>,
    pub(super) value: Node<'t>,
}

#[derive(Default)]
pub(super) struct Sequence<'t> {
    pub(super) around: Around<'t>,
    pub(super) items: Vec<Node<'t>>,
}

impl<'t> Node<'t> {
    pub(super) fn around_mut(&mut self) -> &mut Around<'t> {
        match self {
            Self::Mapping(mapping) => &mut mapping.around,
            Self::Sequence(sequence) => &mut sequence.around,
            Self::Scalar(_, around) => around,
        }
    }
}
