//! Metadata from a node of YAML or JSON.

use super::{MetaTree, MetadataError};
use crate::yaml::{Kind, Node};

/// Deeper than any metadata: groups, group, list, entry, context.
const MAX_DEPTH: usize = 16;

/// More values than any metadata has, aliases followed.
const MAX_NODES: usize = 400_000;

impl MetaTree {
    /// Reads a node, aliases followed. Scalars other than null become texts: reading types them as it
    /// needs them.
    ///
    /// # Errors
    /// Keys that are not scalars, and more than any metadata holds.
    pub fn of_node(node: Node<'_>) -> Result<Self, MetadataError> {
        convert(node, 0, &mut 0)
    }
}

fn convert(node: Node<'_>, depth: usize, count: &mut usize) -> Result<MetaTree, MetadataError> {
    *count += 1;
    if depth > MAX_DEPTH || *count > MAX_NODES {
        return Err(MetadataError::TooLarge);
    }
    let node = node.resolved();
    Ok(match node.kind() {
        Kind::Mapping(_) => {
            let entries = node.entries().map(|entry| {
                let key = entry.key.text().ok_or_else(|| MetadataError::Key {
                    at: entry.key.position(),
                })?;
                Ok((key.to_owned(), convert(entry.value, depth + 1, count)?))
            });
            MetaTree::Map(entries.collect::<Result<_, _>>()?)
        }
        Kind::Sequence(_) => {
            let items = node.items();
            let items = items.map(|item| convert(item.node, depth + 1, count));
            MetaTree::List(items.collect::<Result<_, _>>()?)
        }
        Kind::Alias(_) | Kind::Missing | Kind::Scalar(_) => match node.text() {
            Some(text) if !node.is_null() => MetaTree::Text(text.to_owned()),
            _ => MetaTree::Null,
        },
    })
}
