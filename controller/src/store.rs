//! What is known of the cluster: SealedSecrets whole, and of Secrets the metadata of those that
//! belong to one.
//!
//! Of a Secret that no SealedSecret is named like nothing is kept, so that memory does not grow
//! with the cluster's other Secrets (sealed-secrets#1289).

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use signet_crds::sealed_secret::SealedSecret;

use crate::object::{ObjectKey, is_newer};

mod targets;

pub use targets::{Question, Targets};

/// The SealedSecrets in scope.
#[derive(Debug, Default)]
pub struct SealedSecrets(RwLock<HashMap<ObjectKey, Arc<SealedSecret>>>);

impl SealedSecrets {
    /// The object of this name.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<SealedSecret>> {
        read(&self.0).get(key).cloned()
    }

    /// Whether there is one.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        read(&self.0).contains_key(key)
    }

    /// Keeps an object as the watch tells of it, unless one that is at least as new is there.
    pub fn put(&self, object: SealedSecret) -> Put {
        let key = ObjectKey::of(&object);
        let mut objects = write(&self.0);
        if objects
            .get(&key)
            .is_some_and(|known| is_stale(&object, known))
        {
            return Put::Stale;
        }
        Put::Kept {
            before: objects.insert(key, Arc::new(object)),
        }
    }

    /// Keeps an object as the answer to a write has it, if it is still there: what the watch has
    /// told to be deleted does not come back by an answer that is older.
    pub fn update(&self, object: SealedSecret) -> Put {
        let key = ObjectKey::of(&object);
        let mut objects = write(&self.0);
        let is_it = |known: &Arc<SealedSecret>| known.metadata.uid == object.metadata.uid;
        match objects.get(&key).filter(|known| is_it(known)) {
            Some(known) if !is_stale(&object, known) => Put::Kept {
                before: objects.insert(key, Arc::new(object)),
            },
            _ => Put::Stale,
        }
    }

    /// Keeps an object as a list has it, whatever was there: after a restore of the cluster's store
    /// versions begin lower. If it is older after all, the watch that follows says so.
    pub fn set(&self, object: SealedSecret) -> Option<Arc<SealedSecret>> {
        write(&self.0).insert(ObjectKey::of(&object), Arc::new(object))
    }

    /// Drops an object and returns it.
    pub fn remove(&self, key: &ObjectKey) -> Option<Arc<SealedSecret>> {
        write(&self.0).remove(key)
    }

    /// The names of all.
    pub fn keys(&self) -> Vec<ObjectKey> {
        read(&self.0).keys().cloned().collect()
    }

    /// All objects, as they are now.
    pub fn all(&self) -> Vec<(ObjectKey, Arc<SealedSecret>)> {
        read(&self.0)
            .iter()
            .map(|(key, object)| (key.clone(), object.clone()))
            .collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        read(&self.0).len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What became of an object that was to be kept.
#[derive(Debug)]
pub enum Put {
    /// It is kept; this was there before.
    Kept {
        /// What was there.
        before: Option<Arc<SealedSecret>>,
    },
    /// One that is at least as new was there, or none any more.
    Stale,
}

fn is_stale(object: &SealedSecret, known: &SealedSecret) -> bool {
    let (version, known_version) = (
        object.metadata.resource_version.as_deref(),
        known.metadata.resource_version.as_deref(),
    );
    known.metadata.uid == object.metadata.uid && !is_newer(version, known_version)
}

/// A panic while a lock was held cannot have left a map half changed: they change by single calls.
pub(crate) fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn sealed(uid: &str, version: &str) -> SealedSecret {
        let mut object = SealedSecret::default();
        object.metadata.name = Some("a".into());
        object.metadata.namespace = Some("n".into());
        object.metadata.uid = Some(uid.into());
        object.metadata.resource_version = Some(version.into());
        object
    }

    #[test]
    fn an_older_state_does_not_replace_a_newer_one() {
        let store = SealedSecrets::default();
        assert!(matches!(
            store.put(sealed("1", "10")),
            Put::Kept { before: None }
        ));
        assert!(matches!(store.put(sealed("1", "9")), Put::Stale));
        assert!(matches!(store.put(sealed("1", "10")), Put::Stale));
        assert!(matches!(
            store.put(sealed("1", "11")),
            Put::Kept { before: Some(_) }
        ));
    }

    #[test]
    fn the_answer_to_a_write_does_not_bring_a_deleted_object_back() {
        let (store, key) = (SealedSecrets::default(), ObjectKey::new("n", "a"));
        store.put(sealed("1", "10"));
        assert!(matches!(
            store.update(sealed("1", "11")),
            Put::Kept { before: Some(_) }
        ));
        store.remove(&key);
        assert!(matches!(store.update(sealed("1", "12")), Put::Stale));
        assert!(store.is_empty());
        store.put(sealed("2", "13"));
        assert!(matches!(store.update(sealed("1", "14")), Put::Stale));
        assert_eq!(store.get(&key).unwrap().metadata.uid.as_deref(), Some("2"));
    }

    #[test]
    fn a_list_counts_whatever_its_versions_are() {
        let store = SealedSecrets::default();
        store.put(sealed("1", "10"));
        store.set(sealed("1", "3"));
        let kept = store.get(&ObjectKey::new("n", "a")).unwrap();
        assert_eq!(kept.metadata.resource_version.as_deref(), Some("3"));
    }
}
