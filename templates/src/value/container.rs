//! Lists and maps. Neither is torn down by recursion: a template nests values as deep as it likes.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Text, Value};

/// The Go type of what is in a list or map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Elements {
    /// `interface {}`.
    Any,
    /// `string`.
    Text,
    /// `int`.
    Int,
    /// `[]interface {}`: what `chunk` makes.
    Lists,
}

impl Elements {
    pub(super) fn list_name(self) -> &'static str {
        match self {
            Self::Any => "[]interface {}",
            Self::Text => "[]string",
            Self::Int => "[]int",
            Self::Lists => "[][]interface {}",
        }
    }

    pub(super) fn map_name(self) -> &'static str {
        match self {
            Self::Any => "map[string]interface {}",
            Self::Text => "map[string]string",
            Self::Int => "map[string]int",
            Self::Lists => "map[string][]interface {}",
        }
    }

    /// What Go gives for an element that is not there.
    pub(crate) fn zero(self) -> Value {
        match self {
            Self::Any => Value::Nil,
            Self::Text => "".into(),
            Self::Int => 0.into(),
            Self::Lists => Value::List(List::nil(Self::Any)),
        }
    }
}

/// A slice. It never changes: functions that change a list make another one.
#[derive(Clone)]
pub struct List {
    elements: Elements,
    nil: bool,
    items: Arc<Items>,
}

impl List {
    /// A slice of these items, which are of that type.
    pub fn new(elements: Elements, items: Vec<Value>) -> Self {
        let items = Arc::new(Items(items));
        Self {
            elements,
            nil: false,
            items,
        }
    }

    /// Go's nil slice, which JSON writes as `null`.
    pub(crate) fn nil(elements: Elements) -> Self {
        Self {
            nil: true,
            ..Self::new(elements, Vec::new())
        }
    }

    pub(crate) fn is_nil(&self) -> bool {
        self.nil
    }

    /// The type of the items.
    pub fn elements(&self) -> Elements {
        self.elements
    }

    /// The items.
    pub fn items(&self) -> &[Value] {
        &self.items.0
    }

    pub(crate) fn len(&self) -> usize {
        self.items.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.0.is_empty()
    }
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List({})", self.elements.list_name())
    }
}

struct Items(Vec<Value>);

impl Drop for Items {
    fn drop(&mut self) {
        bury(mem::take(&mut self.0));
    }
}

/// A map with string keys, in the order of its keys. Clones are the same map, as in Go: what `set` puts
/// into one is in all of them.
#[derive(Clone)]
pub struct Map {
    elements: Elements,
    nil: bool,
    entries: Arc<Entries>,
}

impl Map {
    /// A map of these entries, whose values are of that type.
    pub fn new(elements: Elements, entries: BTreeMap<Text, Value>) -> Self {
        let entries = Arc::new(Entries(Mutex::new(entries)));
        Self {
            elements,
            nil: false,
            entries,
        }
    }

    /// Go's nil map, which cannot be written to.
    pub(crate) fn nil(elements: Elements) -> Self {
        Self {
            nil: true,
            ..Self::new(elements, BTreeMap::new())
        }
    }

    pub(crate) fn is_nil(&self) -> bool {
        self.nil
    }

    /// The type of the values.
    pub fn elements(&self) -> Elements {
        self.elements
    }

    /// The value under a key.
    pub fn get(&self, key: &[u8]) -> Option<Value> {
        self.lock().get(key).cloned()
    }

    pub(crate) fn insert(&self, key: Text, value: Value) {
        let replaced = self.lock().insert(key, value);
        drop(replaced);
    }

    pub(crate) fn remove(&self, key: &Text) {
        let removed = self.lock().remove(key);
        drop(removed);
    }

    /// The entries as they are now, so that nobody holds the map while a template changes it.
    pub fn entries(&self) -> Vec<(Text, Value)> {
        let entries = self.lock();
        entries
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Whether both are one map.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.entries, &other.entries)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Text, Value>> {
        // A map is whole after every single operation on it, so a panic elsewhere does not matter.
        self.entries
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map({})", self.elements.map_name())
    }
}

struct Entries(Mutex<BTreeMap<Text, Value>>);

impl Drop for Entries {
    fn drop(&mut self) {
        let entries = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        bury(mem::take(entries).into_values().collect());
    }
}

/// Drops values with all that only they hold, on the heap instead of the stack.
fn bury(mut values: Vec<Value>) {
    while let Some(value) = values.pop() {
        match value {
            Value::List(list) => {
                if let Some(mut items) = Arc::into_inner(list.items) {
                    values.append(&mut items.0);
                }
            }
            Value::Map(map) => {
                if let Some(mut entries) = Arc::into_inner(map.entries) {
                    let entries = entries.0.get_mut().unwrap_or_else(PoisonError::into_inner);
                    values.extend(mem::take(entries).into_values());
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_nested_a_million_deep_are_dropped() {
        let mut value = Value::Nil;
        for _ in 0..500_000 {
            value = Value::list([value]);
            value = Value::map([("a", value)]);
        }
        drop(value);
    }

    #[test]
    fn clones_of_a_map_are_one_map() {
        let map = Map::new(Elements::Any, BTreeMap::new());
        map.clone().insert("a".into(), 1.into());
        assert!(map.get(b"a").is_some());
        assert!(map.is(&map.clone()));
    }
}
