//! Metadata in formats that have keys and texts only: the path of a value becomes its key.
//!
//! `__map_` stands before the key of a mapping inside of something, `__list_` before the number of an
//! item: `age__list_0__map_enc`. Nothing is escaped, and a list or mapping without items is lost.

use std::collections::BTreeMap;

use super::metadata::MetaTree;
use crate::limits::MAX_NESTING;

const MAP: &str = "__map_";
const LIST: &str = "__list_";

/// Why keys give no tree. Nothing of metadata is secret, so keys are named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlattenError {
    /// A key twice.
    #[error("`{key}` is there twice")]
    Duplicate {
        /// The key.
        key: String,
    },
    /// A number of an item that is no number.
    #[error("`{key}` has something else than a number behind `__list_`")]
    NotANumber {
        /// The key.
        key: String,
    },
    /// Something is a value and a mapping, or a mapping and a list, at once.
    #[error("`{path}` is two of a value, a list and a mapping at once")]
    Mixed {
        /// Where, as a key.
        path: String,
    },
    /// Numbers of items are missing.
    #[error("the list `{path}` has a gap")]
    Gap {
        /// Where, as a key.
        path: String,
    },
    /// More levels than are read.
    #[error("a key is nested too deeply")]
    TooDeep,
}

/// The values of a tree with their keys, in the order of the tree.
pub fn flatten(tree: &MetaTree) -> Vec<(String, String)> {
    let mut out = Vec::new();
    if let MetaTree::Map(entries) = tree {
        for (key, value) in entries {
            descend(value, key, &mut out);
        }
    }
    out
}

/// The tree of keys and their values, in any order.
pub fn unflatten<'e>(
    entries: impl IntoIterator<Item = (&'e str, String)>,
) -> Result<MetaTree, FlattenError> {
    let mut root = Place::default();
    for (key, value) in entries {
        let mut place = &mut root;
        for (depth, step) in steps(key).enumerate() {
            if depth > MAX_NESTING {
                return Err(FlattenError::TooDeep);
            }
            place = match step {
                Step::Key(name) => place.keys.entry(name.to_owned()).or_default(),
                Step::Item(number) => {
                    let number = number.parse().map_err(|_| FlattenError::NotANumber {
                        key: key.to_owned(),
                    })?;
                    place.items.entry(number).or_default()
                }
            };
        }
        if place.value.replace(value).is_some() {
            let key = key.to_owned();
            return Err(FlattenError::Duplicate { key });
        }
    }
    root.into_tree("")
}

fn descend(value: &MetaTree, key: &str, out: &mut Vec<(String, String)>) {
    let text = match value {
        MetaTree::Map(entries) => {
            for (name, value) in entries {
                descend(value, &format!("{key}{MAP}{name}"), out);
            }
            return;
        }
        MetaTree::List(items) => {
            for (index, item) in items.iter().enumerate() {
                descend(item, &format!("{key}{LIST}{index}"), out);
            }
            return;
        }
        MetaTree::Text(text) => text.clone(),
        MetaTree::Int(number) => number.to_string(),
        MetaTree::Bool(value) => value.to_string(),
        MetaTree::Null => String::new(),
    };
    out.push((key.to_owned(), text));
}

/// One level of a key.
enum Step<'k> {
    Key(&'k str),
    Item(&'k str),
}

fn steps(key: &str) -> impl Iterator<Item = Step<'_>> {
    let mut rest = Some((Step::Key as fn(_) -> _, key));
    std::iter::from_fn(move || {
        let (kind, text) = rest.take()?;
        let marks = [(text.find(MAP), MAP), (text.find(LIST), LIST)];
        let next = marks.into_iter().filter_map(|(at, mark)| Some((at?, mark)));
        let Some((at, mark)) = next.min_by_key(|(at, _)| *at) else {
            return Some(kind(text));
        };
        let next: fn(_) -> _ = if mark == MAP { Step::Key } else { Step::Item };
        rest = Some((next, &text[at + mark.len()..]));
        Some(kind(&text[..at]))
    })
}

/// What was found at one place.
#[derive(Default)]
struct Place {
    value: Option<String>,
    keys: BTreeMap<String, Place>,
    items: BTreeMap<usize, Place>,
}

impl Place {
    fn into_tree(self, path: &str) -> Result<MetaTree, FlattenError> {
        let path_of = |mark: &str, name: &str| match path {
            "" => name.to_owned(),
            _ => format!("{path}{mark}{name}"),
        };
        match (self.value, self.keys.is_empty(), self.items.is_empty()) {
            (Some(value), true, true) => Ok(MetaTree::Text(value)),
            (None, _, true) => {
                let entries = self.keys.into_iter().map(|(name, place)| {
                    let tree = place.into_tree(&path_of(MAP, &name))?;
                    Ok((name, tree))
                });
                Ok(MetaTree::Map(entries.collect::<Result<_, _>>()?))
            }
            (None, true, false) => {
                let is_gapless = self.items.keys().copied().eq(0..self.items.len());
                if !is_gapless {
                    let path = path.to_owned();
                    return Err(FlattenError::Gap { path });
                }
                let items = self.items.into_iter();
                let items =
                    items.map(|(index, place)| place.into_tree(&path_of(LIST, &index.to_string())));
                Ok(MetaTree::List(items.collect::<Result<_, _>>()?))
            }
            _ => Err(FlattenError::Mixed {
                path: path.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests;
