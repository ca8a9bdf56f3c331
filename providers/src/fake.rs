//! A store whose values were given when it was made: for trying things out, and for tests.

use std::collections::BTreeMap;

use futures::future::{BoxFuture, FutureExt, ready};
use regex::Regex;
use signet_keys::Plaintext;

use crate::store::{
    Checked, Deleted, Part, Push, Pushed, Query, Reference, SecretStore, StoreError,
    StoreErrorKind, Value,
};

/// A value, its name and its version.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name.
    pub key: String,
    /// Its version; empty for the one that counts when none is asked for.
    pub version: String,
    /// The value.
    pub value: Plaintext,
}

/// A store of given values. It cannot be written to.
#[derive(Debug)]
pub struct FakeStore {
    values: BTreeMap<(String, String), Plaintext>,
    checked: Checked,
}

impl FakeStore {
    /// A store of these values. Of two with the same name and version the later counts.
    pub fn new(entries: impl IntoIterator<Item = Entry>, checked: Checked) -> Self {
        let values = entries
            .into_iter()
            .map(|entry| ((entry.key, entry.version), entry.value))
            .collect();
        Self { values, checked }
    }

    fn get(&self, reference: &Reference) -> Result<Value, StoreError> {
        let key = &reference.key;
        if reference.part == Part::Metadata {
            return Err(StoreError::new(
                StoreErrorKind::Invalid,
                format!("`{key}`: a fake store keeps no metadata"),
            ));
        }
        let version = reference.version.clone().unwrap_or_default();
        if let Some(value) = self.values.get(&(key.clone(), version.clone())) {
            return Ok(Value::Bytes(value.clone()));
        }
        let is_there = self.values.keys().any(|(name, _)| name == key);
        Err(if is_there {
            StoreError::new(
                StoreErrorKind::VersionMissing,
                format!("`{key}` has no version `{version}`"),
            )
        } else {
            StoreError::new(
                StoreErrorKind::Missing,
                format!("there is no secret `{key}`"),
            )
        })
    }

    fn search(&self, query: &Query) -> Result<BTreeMap<String, Value>, StoreError> {
        let refused = |what: &str| StoreError::new(StoreErrorKind::Invalid, what);
        if !query.tags.is_empty() {
            return Err(refused("a fake store has no tags to search by"));
        }
        let pattern = query.name.as_deref().unwrap_or_default();
        let pattern = Regex::new(pattern)
            .map_err(|_| refused(&format!("`{pattern}` is not a regular expression")))?;
        let path = query.path.as_deref().unwrap_or_default();
        // The map is sorted by version within a name: the highest counts.
        let all = self
            .values
            .iter()
            .filter(|((name, _), _)| name.starts_with(path) && pattern.is_match(name));
        Ok(all
            .map(|((name, _), value)| (name.clone(), Value::Bytes(value.clone())))
            .collect())
    }
}

fn read_only() -> StoreError {
    StoreError::new(StoreErrorKind::Invalid, "a fake store cannot be written to")
}

impl SecretStore for FakeStore {
    fn provider(&self) -> &'static str {
        "Fake"
    }

    fn read<'a>(&'a self, reference: &'a Reference) -> BoxFuture<'a, Result<Value, StoreError>> {
        ready(self.get(reference)).boxed()
    }

    fn find<'a>(
        &'a self,
        query: &'a Query,
    ) -> BoxFuture<'a, Result<BTreeMap<String, Value>, StoreError>> {
        ready(self.search(query)).boxed()
    }

    fn push<'a>(&'a self, _: &'a Push) -> BoxFuture<'a, Result<Pushed, StoreError>> {
        ready(Err(read_only())).boxed()
    }

    fn exists<'a>(
        &'a self,
        key: &'a str,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        ready(Ok(self.get(&Reference::to(key)).is_ok())).boxed()
    }

    fn delete<'a>(
        &'a self,
        _: &'a str,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Deleted, StoreError>> {
        ready(Err(read_only())).boxed()
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, StoreError>> {
        ready(Ok(self.checked)).boxed()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::block_on;

    fn store() -> FakeStore {
        let entry = |key: &str, version: &str, value: &str| Entry {
            key: key.to_owned(),
            version: version.to_owned(),
            value: Plaintext::new(value.as_bytes().to_vec()),
        };
        let entries = [
            entry("a/x", "", "1"),
            entry("a/y", "v1", "2"),
            entry("a/y", "v2", "3"),
        ];
        FakeStore::new(entries, Checked::Valid)
    }

    #[test]
    fn a_value_is_read_by_name_and_version() {
        let store = store();
        let read = |key: &str, version: Option<&str>| {
            let reference = Reference {
                version: version.map(str::to_owned),
                ..Reference::to(key)
            };
            block_on(store.read(&reference)).map_err(|error| error.kind())
        };
        let bytes = |text: &str| Value::Bytes(Plaintext::new(text.as_bytes().to_vec()));
        assert_eq!(read("a/x", None), Ok(bytes("1")));
        assert_eq!(read("a/y", Some("v1")), Ok(bytes("2")));
        assert_eq!(read("a/y", None), Err(StoreErrorKind::VersionMissing));
        assert_eq!(read("b", None), Err(StoreErrorKind::Missing));
    }

    #[test]
    fn a_search_finds_the_highest_version_of_each_name() {
        let query = Query {
            name: Some("^a/".to_owned()),
            ..Query::default()
        };
        let found = block_on(store().find(&query)).unwrap();
        let values: Vec<_> = found
            .values()
            .map(|value| match value {
                Value::Bytes(bytes) => bytes.expose().to_vec(),
                Value::Fields(_) => Vec::new(),
            })
            .collect();
        assert_eq!(values, [b"1".to_vec(), b"3".to_vec()]);
    }
}
