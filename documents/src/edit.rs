//! Changing a document in place: what is not named keeps its bytes.
//!
//! An [`Editor`] collects edits over one document and turns them into splices at the end, so that
//! several edits of one mapping do not get in each other's way. What is put in is written as its
//! neighbours are: indentation, line breaks, quotes, block, flow or JSON style.
//!
//! * An entry that is put in goes below the last entry of its mapping, above comments and blank
//!   lines that follow it. An empty mapping (`{}`, `null` or nothing) becomes a block.
//! * An entry that is removed takes with it the comment on its line and the comments directly above
//!   it; but comments above the first entry of a document stay, since they mostly speak of the file.
//!   A mapping whose last entry goes becomes `{}`.
//! * A value that is replaced loses its anchor and tag. What some alias refers to is not replaced
//!   or removed, and nothing is changed through an alias: other places would change with it.

mod aliases;
mod block;
mod change;
mod flow;
mod layout;
mod list;
mod remove;
mod scalar;

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use serde_json::{Map, Value};

pub(crate) use block::{entry as block_entry, replace_value};
pub use change::Part;
pub(crate) use layout::{Layout, step as indentation_step};

use aliases::Targets;
use list::ListEdit;

use crate::{
    position::Position,
    splice::{self, Overlap, Splice},
    yaml::{CollectionStyle, Document, Entry, Format, Kind, Node},
};

/// Collects edits of one document.
pub struct Editor<'a> {
    document: &'a Document,
    layout: Layout,
    splices: Vec<Splice>,
    mappings: Vec<MappingEdit<'a>>,
    index: HashMap<usize, usize>,
    lists: Vec<ListEdit<'a>>,
    referenced: Targets,
}

/// Why an edit cannot be made in place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The new name of a key is taken.
    #[error("{at}: the key `{key}` is there already")]
    KeyExists {
        /// Where it stands.
        at: Position,
        /// The key.
        key: String,
    },
    /// There is no such entry.
    #[error("there is no `{path}` in the document")]
    NotFound {
        /// Keys of the entry, joined by dots.
        path: String,
    },
    /// Something on the way is not a mapping.
    #[error("{at}: this is not a mapping, so it has no `{key}`")]
    NotAMapping {
        /// Where it stands.
        at: Position,
        /// The key looked for in it.
        key: String,
    },
    /// Two edits of the same place.
    #[error(transparent)]
    Overlap(#[from] Overlap),
    /// An alias elsewhere refers to what would change.
    #[error("{at}: an alias refers to this value, so other places would change with it")]
    Referenced {
        /// Where the value stands.
        at: Position,
    },
    /// The way leads through an alias.
    #[error("{at}: this is an alias, so other places would change with it")]
    ThroughAlias {
        /// Where the alias stands.
        at: Position,
    },
}

impl EditError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Referenced { .. } | Self::ThroughAlias { .. } => {
                Some("write the value out instead of the alias, or edit the file by hand")
            }
            _ => None,
        }
    }
}

/// What changes about the entries of one mapping.
struct MappingEdit<'a> {
    node: Node<'a>,
    /// The entry whose value it is.
    holder: Option<Entry<'a>>,
    removed: BTreeSet<usize>,
    inserted: Map<String, Value>,
}

impl MappingEdit<'_> {
    fn apply(&self, splices: &mut Vec<Splice>, layout: &Layout) {
        let entries: Vec<_> = self.node.entries().collect();
        if self.removed.len() == entries.len() {
            let value = Value::Object(self.inserted.clone());
            return fill_or_empty(splices, self.node, self.holder, &value, layout);
        }
        remove::entries(splices, self.node, &self.removed);
        if self.inserted.is_empty() {
            return;
        }
        let stays = |index: &usize| !self.removed.contains(index);
        let last = (0..entries.len()).rev().find(stays);
        match (last.map(|index| entries[index]), self.node.kind()) {
            (Some(last), Kind::Mapping(CollectionStyle::Block)) => {
                block::append(splices, self.node, last, &self.inserted, layout);
            }
            (Some(last), _) => flow::append(splices, self.node, last, &self.inserted, layout),
            (None, _) => {}
        }
    }
}

impl<'a> Editor<'a> {
    /// An editor over a document, without edits yet.
    pub fn new(document: &'a Document) -> Self {
        Self {
            document,
            layout: Layout::of(document),
            splices: Vec::new(),
            mappings: Vec::new(),
            index: HashMap::new(),
            lists: Vec::new(),
            referenced: Targets::of(document),
        }
    }

    /// Sets the value at a path of keys below `base`; mappings that are missing on the way are
    /// made, and an entry that is missing is put in below the others of its mapping.
    ///
    /// # Errors
    /// See [`EditError`].
    pub fn set(&mut self, base: Node<'a>, path: &[&str], value: &Value) -> Result<(), EditError> {
        let mut mapping = base;
        let mut holder = None;
        for (depth, key) in path.iter().enumerate() {
            let last = depth + 1 == path.len();
            match self.step(mapping, key)? {
                Some(entry) if last => return self.replace(entry, value),
                Some(entry) => {
                    mapping = entry.value;
                    holder = Some(entry);
                }
                None => {
                    self.check_not_in_referenced(&mapping.full_range())?;
                    let inserted = &mut self.mapping_edit(mapping, holder).inserted;
                    insert_at(inserted, &path[depth..], value);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Gives a node that no key names, such as an item of a list, another value, written in one line.
    ///
    /// # Errors
    /// A node that an alias refers to.
    pub fn replace_node(&mut self, node: Node<'a>, value: &Value) -> Result<(), EditError> {
        let range = node.full_range();
        self.check_unreferenced(range.clone())?;
        let gap = gap_before(node);
        let text = match value {
            Value::Object(_) | Value::Array(_) => flow::value(value, node, &self.layout),
            scalar => scalar::scalar(scalar, scalar::style_of(node), self.layout.context(node)),
        };
        self.splices
            .push(Splice::new(range, format!("{gap}{text}")));
        Ok(())
    }

    /// Removes the entry at a path of keys below `base`.
    ///
    /// # Errors
    /// See [`EditError`].
    pub fn remove(&mut self, base: Node<'a>, path: &[&str]) -> Result<(), EditError> {
        let (mapping, holder, entry) = self.find(base, path)?;
        self.remove_entry(mapping, holder, entry)
    }

    fn remove_entry(
        &mut self,
        mapping: Node<'a>,
        holder: Option<Entry<'a>>,
        entry: Entry<'a>,
    ) -> Result<(), EditError> {
        self.check_unreferenced(entry.range())?;
        let start = entry.range().start;
        let index = mapping
            .entries()
            .position(|each| each.range().start == start);
        let removed = &mut self.mapping_edit(mapping, holder).removed;
        removed.extend(index);
        Ok(())
    }

    /// Gives the entry at a path of keys below `base` another key, in its place.
    ///
    /// # Errors
    /// See [`EditError`].
    pub fn rename(&mut self, base: Node<'a>, path: &[&str], key: &str) -> Result<(), EditError> {
        let (mapping, _, entry) = self.find(base, path)?;
        if let Some(taken) = mapping.entry(key) {
            return Err(EditError::KeyExists {
                at: taken.key.position(),
                key: key.to_owned(),
            });
        }
        self.check_unreferenced(entry.key.full_range())?;
        let context = self.layout.context(mapping);
        let style = scalar::style_of(entry.key);
        let text = scalar::key(key, style, context);
        self.splices.push(Splice::new(entry.key.full_range(), text));
        Ok(())
    }

    /// The text of the whole stream with the edits made.
    ///
    /// # Errors
    /// Two edits of the same place.
    pub fn apply(self) -> Result<String, EditError> {
        let source = self.document.source();
        Ok(splice::apply(source, self.into_splices()?)?)
    }

    /// The edits as splices of the text of the stream.
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn into_splices(self) -> Result<Vec<Splice>, EditError> {
        let mut splices = self.splices;
        let mut mappings = self.mappings;
        // Two collections may end on the same line: what goes into the inner one comes first.
        let start = |node: Node<'_>| Reverse(node.full_range().start);
        mappings.sort_by_key(|edit| start(edit.node));
        let mut lists = self.lists;
        lists.sort_by_key(|edit| start(edit.node));
        let mut lists = lists.into_iter().peekable();
        for edit in &mappings {
            while let Some(list) = lists.next_if(|list| start(list.node) <= start(edit.node)) {
                list.apply(&mut splices, &self.layout);
            }
            edit.apply(&mut splices, &self.layout);
        }
        lists.for_each(|list| list.apply(&mut splices, &self.layout));
        remove::settle(&mut splices, self.document);
        Ok(splices)
    }

    /// The entry of a key, if the node is a mapping or could become one.
    fn step(&self, node: Node<'a>, key: &str) -> Result<Option<Entry<'a>>, EditError> {
        match node.kind() {
            Kind::Alias(_) => Err(EditError::ThroughAlias {
                at: node.position(),
            }),
            Kind::Mapping(_) => Ok(node.entry(key)),
            _ if node.is_null() => {
                self.check_unreferenced(node.full_range())?;
                Ok(None)
            }
            _ => Err(EditError::NotAMapping {
                at: node.position(),
                key: key.to_owned(),
            }),
        }
    }

    fn find(
        &self,
        base: Node<'a>,
        path: &[&str],
    ) -> Result<(Node<'a>, Option<Entry<'a>>, Entry<'a>), EditError> {
        let not_found = || EditError::NotFound {
            path: path.join("."),
        };
        let mut mapping = base;
        let mut holder = None;
        for (depth, key) in path.iter().enumerate() {
            let entry = self.step(mapping, key)?.ok_or_else(not_found)?;
            if depth + 1 == path.len() {
                return Ok((mapping, holder, entry));
            }
            mapping = entry.value;
            holder = Some(entry);
        }
        Err(not_found())
    }

    fn replace(&mut self, entry: Entry<'a>, value: &Value) -> Result<(), EditError> {
        self.check_unreferenced(entry.value.full_range())?;
        block::replace_value(&mut self.splices, entry, value, &self.layout);
        Ok(())
    }

    /// An alias that lies in the range may go; what others refer to may not, nor a part of it.
    fn check_unreferenced(&self, range: Range<usize>) -> Result<(), EditError> {
        self.check_not_in_referenced(&range)?;
        self.referenced_at(self.referenced.inside(range))
    }

    /// Refuses what others refer to as a whole.
    fn check_not_in_referenced(&self, range: &Range<usize>) -> Result<(), EditError> {
        self.referenced_at(self.referenced.around(range))
    }

    fn referenced_at(&self, start: Option<usize>) -> Result<(), EditError> {
        match start {
            Some(start) => Err(EditError::Referenced {
                at: self.document.position(start),
            }),
            None => Ok(()),
        }
    }

    fn list_edit(&mut self, node: Node<'a>, holder: Option<Entry<'a>>) -> &mut ListEdit<'a> {
        let known = self
            .lists
            .iter()
            .position(|edit| edit.node.id() == node.id());
        let index = known.unwrap_or(self.lists.len());
        if known.is_none() {
            self.lists.push(ListEdit {
                node,
                holder,
                removed: BTreeSet::new(),
                inserted: Vec::new(),
            });
        }
        &mut self.lists[index]
    }

    fn mapping_edit(&mut self, node: Node<'a>, holder: Option<Entry<'a>>) -> &mut MappingEdit<'a> {
        let next = self.mappings.len();
        let index = *self.index.entry(node.id().index()).or_insert(next);
        if index == next {
            self.mappings.push(MappingEdit {
                node,
                holder,
                removed: BTreeSet::new(),
                inserted: Map::new(),
            });
        }
        &mut self.mappings[index]
    }
}

/// A collection that is empty, or whose parts all go.
fn fill_or_empty(
    splices: &mut Vec<Splice>,
    node: Node<'_>,
    holder: Option<Entry<'_>>,
    value: &Value,
    layout: &Layout,
) {
    let in_flow = layout.format == Format::Json || node.is_in_flow();
    match holder {
        Some(holder) if !in_flow || holder.colon().is_none() => {
            block::replace_value(splices, holder, value, layout);
        }
        _ => {
            let gap = gap_before(node);
            let text = flow::value(value, node, layout);
            splices.push(Splice::new(node.full_range(), format!("{gap}{text}")));
        }
    }
}

/// What has to stand between an indicator and a node that takes the place of one that is not written.
fn gap_before(node: Node<'_>) -> &'static str {
    let before = &node.document().source()[..node.full_range().start];
    if before.ends_with([':', '-', '?']) {
        " "
    } else {
        ""
    }
}

fn insert_at(into: &mut Map<String, Value>, path: &[&str], value: &Value) {
    match path {
        [] => {}
        [key] => {
            into.insert((*key).to_owned(), value.clone());
        }
        [key, rest @ ..] => {
            let child = into
                .entry(*key)
                .or_insert_with(|| Value::Object(Map::new()));
            if !child.is_object() {
                *child = Value::Object(Map::new());
            }
            if let Value::Object(child) = child {
                insert_at(child, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests;
