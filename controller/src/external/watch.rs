//! What is followed, and who is woken by what.

use std::sync::Arc;

use k8s_openapi::api::core::v1::Secret;
use kube::{Api, api::ListParams, core::PartialObjectMeta, runtime::watcher::Config};
use signet_crds::external::{
    constants::label,
    external_secret::ExternalSecret,
    refs::StoreKind,
    store::{ClusterSecretStore, SecretStore},
};
use signet_engine::{external::hash, manifest::SecretManifest};
use tracing::{info, warn};

use super::{
    External,
    key::{Key, StoreKey},
    objects::Store,
};
use crate::{
    api::ask,
    object::ObjectKey,
    queue::Priority,
    watch::stream::{self, Seen},
};

/// Secrets a page of the list whose data is looked at.
const PAGE: u32 = 100;

/// Follows everything. Does not end.
pub(super) async fn follow(external: &Arc<External>) {
    let secrets = async {
        external.shared.health.wait_synced(NAMES[0]).await;
        verify(external).await;
        targets(external).await;
    };
    tokio::join!(
        externals(external),
        stores(external),
        cluster_stores(external),
        secrets
    );
}

/// Names of the watches in [`crate::health::Health`].
pub const NAMES: [&str; 4] = [
    "ExternalSecrets",
    "SecretStores",
    "ClusterSecretStores",
    "managed Secrets",
];

async fn externals(external: &External) {
    let api: Api<ExternalSecret> = Api::all(external.shared.client.clone());
    let watch = (NAMES[0], api, Config::default(), &*external.shared.health);
    let kept = || external.objects.secret_keys();
    stream::follow_kept(watch, ObjectKey::of, kept, |seen| match seen {
        Seen::Listed(object) | Seen::Changed(object) => changed(external, object),
        Seen::Gone(key) => deleted(external, key),
    })
    .await;
}

fn changed(external: &External, object: ExternalSecret) {
    let key = ObjectKey::of(&object);
    let generation = object.metadata.generation;
    let observed = object
        .status
        .as_ref()
        .and_then(|status| status.observed_generation);
    let after = object.metadata.clone();
    let Ok(before) = external.objects.put_secret(object) else {
        return;
    };
    let edited = match &before {
        // At a start what is done already waits behind what is not.
        None => observed != generation,
        Some(before) => {
            let old = &before.metadata;
            let same = old.generation == after.generation
                && old.labels == after.labels
                && old.annotations == after.annotations
                && old.deletion_timestamp == after.deletion_timestamp;
            if same {
                return;
            }
            true
        }
    };
    let priority = if edited {
        Priority::Urgent
    } else {
        Priority::Routine
    };
    external.work.add(Key::Secret(key), priority);
}

fn deleted(external: &External, key: ObjectKey) {
    external.objects.remove_secret(&key);
    external.work.forget(&Key::Secret(key));
}

async fn stores(external: &External) {
    let api: Api<SecretStore> = Api::all(external.shared.client.clone());
    follow_stores(external, NAMES[1], api, StoreKind::SecretStore, |store| {
        Store {
            metadata: store.metadata,
            spec: store.spec,
            status: store.status,
        }
    })
    .await;
}

async fn cluster_stores(external: &External) {
    let api: Api<ClusterSecretStore> = Api::all(external.shared.client.clone());
    let kind = StoreKind::ClusterSecretStore;
    follow_stores(external, NAMES[2], api, kind, |store| Store {
        metadata: store.metadata,
        spec: store.spec.0,
        status: store.status,
    })
    .await;
}

async fn follow_stores<K>(
    external: &External,
    name: &str,
    api: Api<K>,
    kind: StoreKind,
    store: impl Fn(K) -> Store,
) where
    K: kube::Resource + Clone + serde::de::DeserializeOwned + std::fmt::Debug + Send + 'static,
{
    let key = |object: &K| StoreKey {
        kind,
        namespace: object.meta().namespace.clone().unwrap_or_default(),
        name: object.meta().name.clone().unwrap_or_default(),
    };
    let watch = (name, api, Config::default(), &*external.shared.health);
    let kept = || external.objects.store_keys(kind);
    stream::follow_kept(watch, key, kept, |seen| match seen {
        Seen::Listed(object) | Seen::Changed(object) => {
            store_changed(external, &key(&object), store(object));
        }
        Seen::Gone(key) => store_deleted(external, &key),
    })
    .await;
}

/// A store that is new, or says something else than before, or whose check has ended otherwise: who uses
/// it need not wait for the next interval.
fn store_changed(external: &External, key: &StoreKey, store: Store) {
    use signet_engine::external::store::is_usable;
    let usable = is_usable(store.status.as_ref());
    let (generation, uid) = (store.metadata.generation, store.metadata.uid.clone());
    let before = external.objects.put_store(key.clone(), store);
    let same = before.as_ref().is_some_and(|before| {
        before.metadata.generation == generation && before.metadata.uid == uid
    });
    let was_usable = before.is_some_and(|before| is_usable(before.status.as_ref()));
    if !same {
        external.work.add(Key::Store(key.clone()), Priority::Urgent);
    }
    if !same || usable && !was_usable {
        wake(external, key);
    }
}

fn store_deleted(external: &External, key: &StoreKey) {
    external.objects.remove_store(key);
    external.stores.forget(key);
    external.work.forget(&Key::Store(key.clone()));
    wake(external, key);
}

/// Those that ask a store are looked at again; for one that is as it should be that is all.
fn wake(external: &External, store: &StoreKey) {
    for key in external.objects.users_of(store) {
        external.work.add(Key::Secret(key), Priority::Routine);
    }
}

/// Looks at the data of all managed Secrets once, in pages, and keeps nothing of it: a restart asks for
/// no Secret by name.
async fn verify(external: &External) {
    let api: Api<Secret> = Api::all(external.shared.client.clone());
    let managed = format!("{}={}", label::MANAGED, label::MANAGED_VALUE);
    let mut params = ListParams::default().labels(&managed).limit(PAGE);
    let mut count = 0;
    loop {
        let page = match ask(api.list(&params)).await {
            Ok(page) => page,
            Err(error) => {
                // Each is looked at when its turn comes.
                warn!(%error, "cannot list the managed Secrets");
                return;
            }
        };
        for secret in page.items {
            let secret = SecretManifest::new(secret);
            let (key, valid) = (ObjectKey::of(secret.expose()), hash::holds(secret.expose()));
            external
                .objects
                .know_target(key, &secret.expose().metadata, valid);
            count += 1;
        }
        match page.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => params = params.continue_token(&token),
            None => break,
        }
    }
    info!(secrets = count, "the managed Secrets have been seen once");
}

async fn targets(external: &External) {
    let api: Api<PartialObjectMeta<Secret>> = Api::all(external.shared.client.clone());
    let managed = format!("{}={}", label::MANAGED, label::MANAGED_VALUE);
    let config = Config::default().labels(&managed);
    let watch = (NAMES[3], api, config, &*external.shared.health);
    let kept = || external.objects.target_keys();
    stream::follow_kept(watch, ObjectKey::of, kept, |seen| match seen {
        Seen::Listed(object) | Seen::Changed(object) => {
            target_seen(external, &ObjectKey::of(&object), &object.metadata);
        }
        Seen::Gone(key) => target_gone(external, &key),
    })
    .await;
}

fn target_seen(
    external: &External,
    key: &ObjectKey,
    meta: &k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
) {
    if external.objects.saw_target(key.clone(), meta) {
        for maker in external.objects.makers_of(key) {
            external.work.add(Key::Secret(maker), Priority::Routine);
        }
    }
}

fn target_gone(external: &External, key: &ObjectKey) {
    external.objects.lose_target(key);
    for maker in external.objects.makers_of(key) {
        external.work.add(Key::Secret(maker), Priority::Urgent);
    }
}
