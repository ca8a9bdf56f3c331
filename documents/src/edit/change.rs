//! Making a value say something else by as few edits as that needs.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{EditError, Editor, insert_at};
use crate::{
    value,
    yaml::{Entry, Kind, Node},
};

/// One step of the way to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'p> {
    /// The item of a list, from 0.
    Index(usize),
    /// The value of a key.
    Key(&'p str),
}

/// A node, and the entry whose value it is.
type Place<'a> = (Node<'a>, Option<Entry<'a>>);

impl<'a> Editor<'a> {
    /// Sets the value at a path below `base`. Of a mapping or list that is there already, entries and
    /// items that stay the same keep their bytes; others come, go or change where they stand. An item
    /// one behind the last is put in; keys that are missing are made.
    ///
    /// # Errors
    /// See [`EditError`].
    pub fn put(
        &mut self,
        base: Node<'a>,
        path: &[Part<'_>],
        value: &Value,
    ) -> Result<(), EditError> {
        let mut place = (base, None);
        for (depth, part) in path.iter().enumerate() {
            if let Some(next) = self.below(place, *part)? {
                place = next;
                continue;
            }
            let (node, holder) = place;
            self.check_not_in_referenced(&node.full_range())?;
            match part {
                Part::Key(_) => {
                    let keys = keys(&path[depth..]).ok_or_else(|| not_found(path))?;
                    insert_at(&mut self.mapping_edit(node, holder).inserted, &keys, value);
                }
                Part::Index(index) => {
                    let is_next = depth + 1 == path.len() && *index == node.items().len();
                    if !is_next || !node.is_sequence() {
                        return Err(not_found(path));
                    }
                    let inserted = &mut self.list_edit(node, holder).inserted;
                    inserted.push((*index, value.clone()));
                }
            }
            return Ok(());
        }
        self.change(place, value)
    }

    /// Removes the entry or item at a path below `base`.
    ///
    /// # Errors
    /// See [`EditError`].
    pub fn take(&mut self, base: Node<'a>, path: &[Part<'_>]) -> Result<(), EditError> {
        let Some((last, way)) = path.split_last() else {
            return Err(not_found(path));
        };
        let mut place = (base, None);
        for part in way {
            place = self.below(place, *part)?.ok_or_else(|| not_found(path))?;
        }
        let (node, holder) = place;
        match last {
            Part::Key(key) => {
                let entry = self.step(node, key)?.ok_or_else(|| not_found(path))?;
                self.remove_entry(node, holder, entry)
            }
            Part::Index(index) => {
                self.below(place, *last)?;
                let item = node.items().nth(*index).ok_or_else(|| not_found(path))?;
                self.check_unreferenced(item.range())?;
                self.list_edit(node, holder).removed.insert(*index);
                Ok(())
            }
        }
    }

    /// What is a step below a node; nothing if that could be put in.
    fn below(&self, (node, _): Place<'a>, part: Part<'_>) -> Result<Option<Place<'a>>, EditError> {
        match part {
            Part::Key(key) => {
                let entry = self.step(node, key)?;
                Ok(entry.map(|entry| (entry.value, Some(entry))))
            }
            Part::Index(_) if matches!(node.kind(), Kind::Alias(_)) => {
                Err(EditError::ThroughAlias {
                    at: node.position(),
                })
            }
            Part::Index(index) => Ok(node.items().nth(index).map(|item| (item.node, None))),
        }
    }

    fn change(&mut self, place: Place<'a>, new: &Value) -> Result<(), EditError> {
        let (node, holder) = place;
        if says(node, new) {
            return Ok(());
        }
        match (node.kind(), new) {
            (Kind::Mapping(_), Value::Object(entries))
                if !entries.is_empty() && has_plain_keys(node) =>
            {
                self.change_entries(place, entries)
            }
            (Kind::Sequence(_), Value::Array(items))
                if !items.is_empty() && node.items().len() > 0 =>
            {
                self.change_items(place, items)
            }
            _ => match holder {
                Some(entry) => self.replace(entry, new),
                None => self.replace_node(node, new),
            },
        }
    }

    fn change_entries(
        &mut self,
        (node, holder): Place<'a>,
        new: &Map<String, Value>,
    ) -> Result<(), EditError> {
        for entry in node.entries() {
            match entry.key.text().and_then(|key| new.get(key)) {
                Some(value) => self.change((entry.value, Some(entry)), value)?,
                None => self.remove_entry(node, holder, entry)?,
            }
        }
        for (key, value) in new.iter().filter(|(key, _)| node.get(key).is_none()) {
            self.check_not_in_referenced(&node.full_range())?;
            let inserted = &mut self.mapping_edit(node, holder).inserted;
            inserted.insert(key.clone(), value.clone());
        }
        Ok(())
    }

    /// Equal items at the start and at the end stay; between them one changes into the other, and what is
    /// left comes or goes.
    fn change_items(&mut self, (node, holder): Place<'a>, new: &[Value]) -> Result<(), EditError> {
        let old: Vec<Node<'a>> = node.items().map(|item| item.node).collect();
        let shorter = old.len().min(new.len());
        let same_at_start = (0..shorter)
            .take_while(|at| says(old[*at], &new[*at]))
            .count();
        let same_at_end = (1..=shorter - same_at_start)
            .take_while(|back| says(old[old.len() - back], &new[new.len() - back]))
            .count();
        let changed = shorter - same_at_end;
        for at in same_at_start..changed {
            self.change((old[at], None), &new[at])?;
        }
        let (old_end, new_end) = (old.len() - same_at_end, new.len() - same_at_end);
        for (index, gone) in old.iter().enumerate().take(old_end).skip(changed) {
            self.check_unreferenced(gone.full_range())?;
            self.list_edit(node, holder).removed.insert(index);
        }
        for value in &new[changed..new_end] {
            self.check_not_in_referenced(&node.full_range())?;
            let inserted = &mut self.list_edit(node, holder).inserted;
            inserted.push((old_end, value.clone()));
        }
        Ok(())
    }
}

/// Whether a node says that already.
fn says(node: Node<'_>, value: &Value) -> bool {
    value::to_json(node).is_ok_and(|said| said == *value)
}

/// Whether each key is there once, and none stands for others.
fn has_plain_keys(mapping: Node<'_>) -> bool {
    let mut seen = HashSet::new();
    mapping.entries().len() > 0
        && mapping.entries().all(|entry| {
            let key = entry.key.text();
            key.is_some_and(|key| key != "<<" && seen.insert(key))
        })
}

fn keys<'p>(path: &[Part<'p>]) -> Option<Vec<&'p str>> {
    let key = |part: &Part<'p>| match part {
        Part::Key(key) => Some(*key),
        Part::Index(_) => None,
    };
    path.iter().map(key).collect()
}

fn not_found(path: &[Part<'_>]) -> EditError {
    let parts = path.iter().map(|part| match part {
        Part::Index(index) => index.to_string(),
        Part::Key(key) => (*key).to_owned(),
    });
    EditError::NotFound {
        path: parts.collect::<Vec<_>>().join("."),
    }
}

#[cfg(test)]
mod tests;
