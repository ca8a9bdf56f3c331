//! What is known of the cluster: SealedSecrets whole, and of Secrets the metadata of those that
//! belong to one.
//!
//! Of a Secret that no SealedSecret is named like nothing is kept, so that memory does not grow
//! with the cluster's other Secrets (sealed-secrets#1289).

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use signet_crds::sealed_secret::SealedSecret;

use crate::object::{ObjectKey, is_newer};

/// The SealedSecrets in scope.
#[derive(Debug, Default)]
pub struct SealedSecrets(RwLock<HashMap<ObjectKey, Arc<SealedSecret>>>);

/// Metadata of the Secrets that SealedSecrets are named like.
#[derive(Debug, Default)]
pub struct Targets(RwLock<HashMap<ObjectKey, Arc<ObjectMeta>>>);

impl SealedSecrets {
    /// The object of this name.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<SealedSecret>> {
        read(&self.0).get(key).cloned()
    }

    /// Whether there is one.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        read(&self.0).contains_key(key)
    }

    /// Keeps an object, unless one that is at least as new is there; returns what was there, or
    /// nothing if it stays.
    pub fn put(&self, object: SealedSecret) -> Put {
        let key = ObjectKey::of(&object);
        let mut objects = write(&self.0);
        let before = objects.get(&key);
        let (version, known) = (
            &object.metadata.resource_version,
            before.map(|before| &before.metadata),
        );
        let stale = known.is_some_and(|known| {
            known.uid == object.metadata.uid
                && !is_newer(version.as_deref(), known.resource_version.as_deref())
        });
        if stale {
            return Put::Stale;
        }
        Put::Kept {
            before: objects.insert(key, Arc::new(object)),
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
    /// One that is at least as new was there.
    Stale,
}

impl Targets {
    /// What is known of the Secret of this name.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<ObjectMeta>> {
        read(&self.0).get(key).cloned()
    }

    /// Keeps the metadata of a Secret; false if what is known is at least as new.
    pub fn put(&self, key: ObjectKey, mut meta: ObjectMeta) -> bool {
        let mut targets = write(&self.0);
        let stale = targets.get(&key).is_some_and(|known| {
            known.uid == meta.uid
                && !is_newer(
                    meta.resource_version.as_deref(),
                    known.resource_version.as_deref(),
                )
        });
        if stale {
            return false;
        }
        meta.managed_fields = None;
        targets.insert(key, Arc::new(meta));
        true
    }

    /// Keeps the metadata of a Secret as a list has it, whatever was known; false if it was the same.
    pub fn set(&self, key: ObjectKey, mut meta: ObjectMeta) -> bool {
        meta.managed_fields = None;
        let version = meta.resource_version.clone();
        let before = write(&self.0).insert(key, Arc::new(meta));
        before.is_none_or(|before| before.resource_version != version)
    }

    /// Drops what is known of a Secret.
    pub fn remove(&self, key: &ObjectKey) -> Option<Arc<ObjectMeta>> {
        write(&self.0).remove(key)
    }

    /// Drops what is known of the Secret, if it is this one or older.
    pub fn remove_version(&self, key: &ObjectKey, meta: &ObjectMeta) -> Option<Arc<ObjectMeta>> {
        let mut targets = write(&self.0);
        let newer = targets.get(key).is_some_and(|known| known.uid != meta.uid);
        if newer { None } else { targets.remove(key) }
    }

    /// The names of all.
    pub fn keys(&self) -> Vec<ObjectKey> {
        read(&self.0).keys().cloned().collect()
    }
}

/// A panic while a lock was held cannot have left a map half changed: they change by single calls.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn meta(uid: &str, version: &str) -> ObjectMeta {
        ObjectMeta {
            name: Some("a".into()),
            namespace: Some("n".into()),
            uid: Some(uid.into()),
            resource_version: Some(version.into()),
            ..Default::default()
        }
    }

    fn sealed(uid: &str, version: &str) -> SealedSecret {
        SealedSecret {
            metadata: meta(uid, version),
            ..Default::default()
        }
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
    fn a_list_counts_whatever_its_versions_are() {
        let (store, targets) = (SealedSecrets::default(), Targets::default());
        store.put(sealed("1", "10"));
        store.set(sealed("1", "3"));
        let key = ObjectKey::new("n", "a");
        assert_eq!(
            store
                .get(&key)
                .unwrap()
                .metadata
                .resource_version
                .as_deref(),
            Some("3")
        );
        assert!(targets.set(key.clone(), meta("1", "10")));
        assert!(targets.set(key.clone(), meta("1", "3")));
        assert!(!targets.set(key, meta("1", "3")));
    }

    #[test]
    fn an_object_made_anew_under_the_same_name_replaces_the_old_one() {
        let key = ObjectKey::new("n", "a");
        let targets = Targets::default();
        assert!(targets.put(key.clone(), meta("1", "10")));
        assert!(targets.put(key.clone(), meta("2", "11")));
        assert!(
            targets.remove_version(&key, &meta("1", "12")).is_none(),
            "the delete was of the old one"
        );
        assert!(targets.get(&key).is_some());
        assert!(targets.remove_version(&key, &meta("2", "13")).is_some());
    }
}
