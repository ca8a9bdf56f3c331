//! Parts of a tree by their path: found, set and removed, as the peer does it.

use signet_documents::sops::tree::{Branch, ListItem, PathPart, Tree, TreeItem, TreeValue};

/// Where a path leads nowhere.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// The path is empty.
    #[error("the path is empty: name a part, such as [\"key\"]")]
    Empty,
    /// A map has no such key.
    #[error("Key not found: {0}")]
    MissingKey(String),
    /// A list is shorter.
    #[error("Index {0} out of bounds")]
    OutOfBounds(usize),
    /// A key of a list, or an item of a map.
    #[error("{part} does not lead into {what}")]
    WrongKind {
        /// The part.
        part: String,
        /// What it stands on.
        what: &'static str,
    },
    /// The file has no document to change.
    #[error("the file has no document")]
    NoDocument,
}

/// The value at a path.
pub(super) fn get<'t>(tree: &'t Tree, path: &[PathPart]) -> Option<&'t TreeValue> {
    let (first, rest) = path.split_first()?;
    let PathPart::Key(key) = first else {
        return None;
    };
    let mut value = tree.documents.first()?.get(key)?;
    for part in rest {
        value = match (value, part) {
            (TreeValue::Map(branch), PathPart::Key(key)) => branch.get(key)?,
            (TreeValue::List(items), PathPart::Index(index)) => match items.get(*index)? {
                ListItem::Value(value) => value,
                ListItem::Comment(_) => return None,
            },
            _ => return None,
        };
    }
    Some(value)
}

/// The path by the items of lists alone: here comments between items count as such. Nothing if it leads to
/// a comment.
pub(super) fn without_comments(tree: &Tree, path: &[PathPart]) -> Option<Vec<PathPart>> {
    let is_value = |item: &&ListItem| matches!(item, ListItem::Value(_));
    let mut out = Vec::with_capacity(path.len());
    for (depth, part) in path.iter().enumerate() {
        let around = if depth == 0 {
            None
        } else {
            get(tree, &path[..depth])
        };
        out.push(match (around, part) {
            (Some(TreeValue::List(items)), PathPart::Index(index)) => {
                let at = *index.min(&items.len());
                if items.get(at).is_some_and(|item| !is_value(&item)) {
                    return None;
                }
                PathPart::Index(items[..at].iter().filter(is_value).count())
            }
            (_, part) => part.clone(),
        });
    }
    Some(out)
}

/// Sets the value at a path. A single value in the way gives place to what the path needs, and an item
/// behind the end is the next one.
pub(super) fn set(tree: &mut Tree, path: &[PathPart], value: TreeValue) -> Result<(), PartError> {
    if path.is_empty() {
        return Err(PartError::Empty);
    }
    let document = tree.documents.first_mut().ok_or(PartError::NoDocument)?;
    set_in(document, path, value)
}

fn set_in(branch: &mut Branch, path: &[PathPart], value: TreeValue) -> Result<(), PartError> {
    let Some((first, rest)) = path.split_first() else {
        return Err(PartError::Empty);
    };
    let PathPart::Key(key) = first else {
        return Err(wrong_kind(first, "a mapping"));
    };
    let there = branch.items.iter_mut().find_map(|item| match item {
        TreeItem::Entry { key: name, value } if name == key => Some(value),
        _ => None,
    });
    if let Some(old) = there {
        return set_value(old, rest, value);
    }
    branch.items.push(TreeItem::Entry {
        key: key.clone(),
        value: made(rest, value),
    });
    Ok(())
}

fn set_value(old: &mut TreeValue, path: &[PathPart], value: TreeValue) -> Result<(), PartError> {
    let Some((first, rest)) = path.split_first() else {
        *old = value;
        return Ok(());
    };
    match (old, first) {
        (TreeValue::Map(branch), _) => set_in(branch, path, value),
        (TreeValue::List(items), PathPart::Index(index)) => {
            match items.get_mut(*index) {
                Some(ListItem::Value(old)) => return set_value(old, rest, value),
                Some(comment) => *comment = ListItem::Value(made(rest, value)),
                None => items.push(ListItem::Value(made(rest, value))),
            }
            Ok(())
        }
        (TreeValue::List(_), PathPart::Key(_)) => Err(wrong_kind(first, "a list")),
        (old, _) => {
            *old = made(path, value);
            Ok(())
        }
    }
}

/// A value with the maps and lists around it that a path needs.
fn made(path: &[PathPart], value: TreeValue) -> TreeValue {
    path.iter().rev().fold(value, |value, part| match part {
        PathPart::Key(key) => TreeValue::Map(Branch {
            items: vec![TreeItem::Entry {
                key: key.clone(),
                value,
            }],
        }),
        PathPart::Index(_) => TreeValue::List(vec![ListItem::Value(value)]),
    })
}

/// Removes what is at a path.
pub(super) fn unset(tree: &mut Tree, path: &[PathPart]) -> Result<(), PartError> {
    let document = tree.documents.first_mut().ok_or(PartError::NoDocument)?;
    unset_in(document, path)
}

fn unset_in(branch: &mut Branch, path: &[PathPart]) -> Result<(), PartError> {
    let Some((first, rest)) = path.split_first() else {
        return Err(PartError::Empty);
    };
    let PathPart::Key(key) = first else {
        return Err(wrong_kind(first, "a mapping"));
    };
    let is_it = |item: &TreeItem| matches!(item, TreeItem::Entry { key: name, .. } if name == key);
    let index = branch.items.iter().position(is_it);
    let index = index.ok_or_else(|| PartError::MissingKey(key.clone()))?;
    match &mut branch.items[index] {
        TreeItem::Entry { value, .. } if !rest.is_empty() => unset_value(value, rest),
        _ => {
            branch.items.remove(index);
            Ok(())
        }
    }
}

fn unset_value(value: &mut TreeValue, path: &[PathPart]) -> Result<(), PartError> {
    let Some((first, rest)) = path.split_first() else {
        return Err(PartError::Empty);
    };
    match (value, first) {
        (TreeValue::Map(branch), _) => unset_in(branch, path),
        (TreeValue::List(items), PathPart::Index(index)) => {
            match items.get_mut(*index) {
                Some(ListItem::Value(inner)) if !rest.is_empty() => {
                    return unset_value(inner, rest);
                }
                Some(_) => drop(items.remove(*index)),
                None => return Err(PartError::OutOfBounds(*index)),
            }
            Ok(())
        }
        (TreeValue::List(_), PathPart::Key(_)) => Err(wrong_kind(first, "a list")),
        (_, PathPart::Key(key)) => Err(PartError::MissingKey(key.clone())),
        (_, PathPart::Index(index)) => Err(PartError::OutOfBounds(*index)),
    }
}

fn wrong_kind(part: &PathPart, what: &'static str) -> PartError {
    PartError::WrongKind {
        part: part.to_string(),
        what,
    }
}

/// Whether two trees say the same, comments apart.
pub(super) fn same(one: &Tree, other: &Tree) -> bool {
    one.documents.len() == other.documents.len()
        && one
            .documents
            .iter()
            .zip(&other.documents)
            .all(|(one, other)| same_map(one, other))
}

/// In any order: entries that stay keep their place.
fn same_map(one: &Branch, other: &Branch) -> bool {
    fn sorted(branch: &Branch) -> Vec<(&str, &TreeValue)> {
        let mut entries: Vec<_> = branch.entries().collect();
        entries.sort_by_key(|(key, _)| *key);
        entries
    }
    let (one, other) = (sorted(one), sorted(other));
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|((key, value), (other_key, other))| key == other_key && same_value(value, other))
}

fn same_value(one: &TreeValue, other: &TreeValue) -> bool {
    match (one, other) {
        (TreeValue::Map(one), TreeValue::Map(other)) => same_map(one, other),
        (TreeValue::List(one), TreeValue::List(other)) => {
            let values = |items: &'_ [ListItem]| -> Vec<TreeValue> {
                let values = items.iter().filter_map(|item| match item {
                    ListItem::Value(value) => Some(value.clone()),
                    ListItem::Comment(_) => None,
                });
                values.collect()
            };
            let (one, other) = (values(one), values(other));
            one.len() == other.len()
                && one
                    .iter()
                    .zip(&other)
                    .all(|(one, other)| same_value(one, other))
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests;
