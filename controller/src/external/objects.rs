//! What is known of the cluster: ExternalSecrets and stores whole, and of Secrets the metadata of those
//! that are managed.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
    time::Instant,
};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use signet_crds::external::{
    external_secret::ExternalSecret,
    refs::StoreKind,
    store::{StoreSpec, StoreStatus},
};
use signet_engine::external::{needs, refresh::Target};

use super::key::StoreKey;
use crate::{
    object::{ObjectKey, is_newer},
    store::{read, write},
};

/// A store of either kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Store {
    /// Its metadata.
    pub metadata: ObjectMeta,
    /// What it says.
    pub spec: StoreSpec,
    /// What the last check came to.
    pub status: Option<StoreStatus>,
}

/// What is known of a managed Secret.
#[derive(Debug, Clone)]
struct Managed {
    uid: Option<String>,
    version: Option<String>,
    /// Whether its data is what its hash says, as of this version.
    valid: Option<bool>,
}

/// What is known of an ExternalSecret beside the object.
#[derive(Debug, Clone)]
pub struct Known {
    /// The object.
    pub object: Arc<ExternalSecret>,
    /// When it was seen with this spec for the first time: what was read before is too old for it.
    pub changed: Instant,
    /// Whether somebody has changed it since it was seen for the first time.
    pub edited: bool,
}

/// All that is known.
#[derive(Debug, Default)]
pub struct Objects {
    secrets: RwLock<HashMap<ObjectKey, Known>>,
    stores: RwLock<HashMap<StoreKey, Arc<Store>>>,
    targets: RwLock<HashMap<ObjectKey, Managed>>,
}

impl Objects {
    /// The ExternalSecret of this name.
    pub fn secret(&self, key: &ObjectKey) -> Option<Known> {
        read(&self.secrets).get(key).cloned()
    }

    /// The names of all ExternalSecrets.
    pub fn secret_keys(&self) -> Vec<ObjectKey> {
        read(&self.secrets).keys().cloned().collect()
    }

    /// Keeps an ExternalSecret; what was there before, or `Err` if that is newer.
    pub fn put_secret(&self, object: ExternalSecret) -> Result<Option<Arc<ExternalSecret>>, Stale> {
        let key = ObjectKey::of(&object);
        let mut secrets = write(&self.secrets);
        let before = secrets.get(&key).cloned();
        if let Some(before) = &before {
            let (old, new) = (&before.object.metadata, &object.metadata);
            let same = old.uid == new.uid;
            if same
                && !is_newer(
                    new.resource_version.as_deref(),
                    old.resource_version.as_deref(),
                )
            {
                return Err(Stale);
            }
        }
        let same = before
            .as_ref()
            .filter(|before| is_same(&before.object, &object));
        let changed = same.map_or_else(Instant::now, |before| before.changed);
        let edited = before
            .as_ref()
            .is_some_and(|before| before.edited || same.is_none());
        let object = Arc::new(object);
        let known = Known {
            object,
            changed,
            edited,
        };
        secrets.insert(key, known);
        Ok(before.map(|before| before.object))
    }

    /// Keeps what we wrote ourselves, of an object that is still there.
    pub fn update_secret(&self, object: ExternalSecret) {
        let there = self.secret(&ObjectKey::of(&object));
        if there.is_some_and(|there| there.object.metadata.uid == object.metadata.uid) {
            let _ = self.put_secret(object);
        }
    }

    /// Drops an ExternalSecret.
    pub fn remove_secret(&self, key: &ObjectKey) -> Option<Arc<ExternalSecret>> {
        write(&self.secrets).remove(key).map(|known| known.object)
    }

    /// The store of this name.
    pub fn store(&self, key: &StoreKey) -> Option<Arc<Store>> {
        read(&self.stores).get(key).cloned()
    }

    /// The names of all stores of a kind.
    pub fn store_keys(&self, kind: StoreKind) -> Vec<StoreKey> {
        let stores = read(&self.stores);
        stores
            .keys()
            .filter(|key| key.kind == kind)
            .cloned()
            .collect()
    }

    /// Keeps a store, and gives what was there before.
    pub fn put_store(&self, key: StoreKey, store: Store) -> Option<Arc<Store>> {
        write(&self.stores).insert(key, Arc::new(store))
    }

    /// Drops a store.
    pub fn remove_store(&self, key: &StoreKey) -> Option<Arc<Store>> {
        write(&self.stores).remove(key)
    }

    /// The ExternalSecrets that ask a store.
    pub fn users_of(&self, store: &StoreKey) -> Vec<ObjectKey> {
        let uses = |key: &ObjectKey, known: &Known| {
            let Ok(needs) = needs::of(&known.object) else {
                return false;
            };
            let reads = needs.reads.iter().map(|read| &read.store);
            let mut asked = reads.chain(needs.finds.iter().map(|find| &find.store));
            asked.any(|asked| StoreKey::of(asked, &key.namespace) == *store)
        };
        let secrets = read(&self.secrets);
        let users = secrets.iter().filter(|(key, known)| uses(key, known));
        users.map(|(key, _)| key.clone()).collect()
    }

    /// The ExternalSecrets whose Secret this is.
    pub fn makers_of(&self, target: &ObjectKey) -> Vec<ObjectKey> {
        let secrets = read(&self.secrets);
        let makers = secrets.iter().filter(|(key, known)| {
            key.namespace == target.namespace
                && known.object.spec.target.name(&key.name) == target.name
        });
        makers.map(|(key, _)| key.clone()).collect()
    }

    /// What is known of the Secret of an ExternalSecret.
    pub fn target(&self, key: &ObjectKey) -> Target {
        match read(&self.targets).get(key) {
            None => Target::default(),
            Some(managed) => Target {
                exists: true,
                valid: managed.valid,
            },
        }
    }

    /// Notes a Secret as a watch has it. `true`: it is not as it was known.
    pub fn saw_target(&self, key: ObjectKey, meta: &ObjectMeta) -> bool {
        let mut targets = write(&self.targets);
        let known = targets.get(&key);
        let same = known.is_some_and(|known| {
            known.uid == meta.uid
                && !is_newer(meta.resource_version.as_deref(), known.version.as_deref())
        });
        if !same {
            targets.insert(key, Managed::of(meta, None));
        }
        !same
    }

    /// Notes a Secret whose data was looked at, or that we wrote.
    pub fn know_target(&self, key: ObjectKey, meta: &ObjectMeta, valid: bool) {
        write(&self.targets).insert(key, Managed::of(meta, Some(valid)));
    }

    /// A Secret is gone.
    pub fn lose_target(&self, key: &ObjectKey) {
        write(&self.targets).remove(key);
    }

    /// The names of all Secrets that are known.
    pub fn target_keys(&self) -> Vec<ObjectKey> {
        read(&self.targets).keys().cloned().collect()
    }
}

/// What was to be kept is older than what is there.
#[derive(Debug)]
pub struct Stale;

impl Managed {
    fn of(meta: &ObjectMeta, valid: Option<bool>) -> Self {
        Self {
            uid: meta.uid.clone(),
            version: meta.resource_version.clone(),
            valid,
        }
    }
}

/// Whether two versions of an object ask for the same.
fn is_same(before: &ExternalSecret, after: &ExternalSecret) -> bool {
    let (old, new) = (&before.metadata, &after.metadata);
    old.uid == new.uid
        && old.annotations == new.annotations
        && old.labels == new.labels
        && before.spec == after.spec
}

#[cfg(test)]
mod tests {
    use signet_crds::external::external_secret::ExternalSecretSpec;

    use super::*;

    fn object(version: &str, annotation: Option<&str>) -> ExternalSecret {
        let mut object = ExternalSecret::new("app", ExternalSecretSpec::default());
        object.metadata.namespace = Some("team".into());
        object.metadata.uid = Some("uid".into());
        object.metadata.resource_version = Some(version.into());
        object.metadata.annotations = annotation
            .map(|value| [("external-secrets.io/force-sync".into(), value.into())].into());
        object
    }

    #[test]
    fn an_older_version_does_not_replace_a_newer_one() {
        let objects = Objects::default();
        assert!(objects.put_secret(object("10", None)).is_ok());
        assert!(objects.put_secret(object("9", None)).is_err());
        assert!(objects.put_secret(object("11", None)).is_ok());
    }

    #[test]
    fn what_was_deleted_does_not_come_back_by_our_own_write() {
        let objects = Objects::default();
        objects.update_secret(object("10", None));
        assert!(objects.secret(&ObjectKey::new("team", "app")).is_none());
    }

    #[test]
    fn a_changed_annotation_makes_older_reads_too_old_and_a_status_does_not() {
        let (objects, key) = (Objects::default(), ObjectKey::new("team", "app"));
        let known = || {
            objects
                .secret(&key)
                .map(|known| (known.changed, known.edited))
        };
        let _ = objects.put_secret(object("10", None));
        let first = known();
        assert!(first.is_some_and(|(_, edited)| !edited));
        let _ = objects.put_secret(object("11", None));
        assert_eq!(known(), first);
        let _ = objects.put_secret(object("12", Some("1")));
        assert!(known() > first && known().is_some_and(|(_, edited)| edited));
    }

    #[test]
    fn a_secret_that_we_wrote_is_no_news_when_the_watch_has_it() {
        let (objects, key) = (Objects::default(), ObjectKey::new("team", "app"));
        let meta = |version: &str| ObjectMeta {
            uid: Some("uid".into()),
            resource_version: Some(version.into()),
            ..ObjectMeta::default()
        };
        objects.know_target(key.clone(), &meta("10"), true);
        assert!(!objects.saw_target(key.clone(), &meta("10")));
        assert_eq!(objects.target(&key).valid, Some(true));
        assert!(objects.saw_target(key.clone(), &meta("11")));
        assert_eq!(objects.target(&key).valid, None);
    }
}
