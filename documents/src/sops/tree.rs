//! The plain content of a file, apart from how it is written.
//!
//! It is what `--extract`, `exec-env` and a change of format look at: ordered, typed, with comments
//! where the peer has them. Values are wiped when dropped and not printable.

mod build;
mod path;

use signet_keys::sops::Value;

use super::{FileFormat, dotenv};

pub use path::{PathError, PathPart, parse_path};

/// The plain content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// Its documents. Only YAML files can have none or several.
    pub documents: Vec<Branch>,
}

/// A map in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// What is in it. A key may be there twice.
    pub items: Vec<TreeItem>,
}

/// What is in a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeItem {
    /// A comment.
    Comment(TreeComment),
    /// A key and its value.
    Entry {
        /// The key.
        key: String,
        /// The value.
        value: TreeValue,
    },
}

/// What is in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListItem {
    /// A comment.
    Comment(TreeComment),
    /// A value.
    Value(TreeValue),
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeValue {
    /// A list.
    List(Vec<ListItem>),
    /// A map.
    Map(Branch),
    /// Null.
    Null,
    /// Anything else.
    Scalar(Value),
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeComment {
    /// What is behind its `#`.
    pub text: Value,
    /// Whether it stands behind something on its line; it is then in front of that here.
    pub inline: bool,
}

impl Tree {
    /// What a file of a format says that is written with this content. That is the same, but for dotenv
    /// files: in their text the two characters `\n` are a line break.
    #[must_use]
    pub fn said_in(&self, format: FileFormat) -> Self {
        let mut said = self.clone();
        if format == FileFormat::Dotenv {
            let items = said.documents.iter_mut().flat_map(|each| &mut each.items);
            for item in items {
                if let TreeItem::Entry {
                    value: TreeValue::Scalar(value),
                    ..
                } = item
                    && let Some(other) = dotenv::said(value)
                {
                    *value = other;
                }
            }
        }
        said
    }
}

impl Branch {
    /// The value of a key: the first, as with the peer.
    pub fn get(&self, key: &str) -> Option<&TreeValue> {
        self.entries()
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value)
    }

    /// The keys and values, without comments.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &TreeValue)> {
        self.items.iter().filter_map(|item| match item {
            TreeItem::Comment(_) => None,
            TreeItem::Entry { key, value } => Some((key.as_str(), value)),
        })
    }
}
