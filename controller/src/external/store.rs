//! One store: checked from time to time, its status told.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use kube::api::ObjectMeta;
use signet_crds::{
    duration::GoDuration,
    external::{
        refs::StoreKind,
        store::{
            Capabilities, ClusterSecretStore, ClusterStoreSpec, Provider, SecretStore,
            StoreInterval, StoreStatus,
        },
    },
};
use signet_engine::external::store::{self, Checked};
use signet_providers::store as providers;
use tracing::{debug, warn};

use super::{
    External, api,
    build::BuildError,
    key::{Key, StoreKey},
    objects::Store,
};
use crate::{api::ApiError, queue::Priority};

/// Checks one store.
pub(super) async fn run(external: &External, key: &StoreKey) {
    let Some(found) = external.objects.store(key) else {
        return;
    };
    let policy = &external.settings.policy;
    if found.metadata.deletion_timestamp.is_some()
        || !store::is_ours(found.spec.controller.as_deref(), policy)
    {
        return;
    }
    let checked = check(external, key, &found).await;
    let item = Key::Store(key.clone());
    if let Err(error) = report(external, key, &found, &checked).await {
        warn!(store = %key, %error, "cannot write the status of a store");
        external.work.failed(&item);
    }
    let delay = if let Checked::Failed {
        message,
        transient: true,
    } = &checked
    {
        let attempt = external.work.failed(&item);
        debug!(store = %key, %message, attempt, "a store cannot be used");
        Duration::from_secs(1 << attempt.min(7)).min(interval(external, &found))
    } else {
        external.work.succeeded(&item);
        interval(external, &found)
    };
    external.work.add_after(item, Priority::Routine, delay);
}

fn interval(external: &External, store: &Store) -> Duration {
    let own = store.spec.refresh_interval.map(StoreInterval::duration);
    let own = own.and_then(GoDuration::to_std);
    own.filter(|interval| !interval.is_zero())
        .unwrap_or(external.settings.store_interval)
}

async fn check(external: &External, key: &StoreKey, found: &Store) -> Checked {
    let capabilities = capabilities(&found.spec.provider);
    let namespace = match key.kind {
        StoreKind::SecretStore => &key.namespace,
        // Its references may be resolved in the namespace of who uses it: then nothing is known before.
        StoreKind::ClusterSecretStore => "",
    };
    let opened = external.stores.get(key, found, namespace).await;
    let opened = match opened {
        Ok(opened) => opened,
        Err(BuildError::NotServed(provider)) => return Checked::NotServed { provider },
        Err(_) if key.kind == StoreKind::ClusterSecretStore && namespace.is_empty() => {
            return Checked::Unknown(capabilities);
        }
        Err(error) => {
            return Checked::Failed {
                message: error.to_string(),
                transient: error.is_transient(),
            };
        }
    };
    match opened.store().check().await {
        Ok(providers::Checked::Valid) => Checked::Valid(capabilities),
        Ok(providers::Checked::Unknown) => Checked::Unknown(capabilities),
        Err(error) => {
            external.stores.doubt(key, namespace).await;
            let message = match error.hint() {
                Some(hint) => format!("{error}; {hint}"),
                None => error.to_string(),
            };
            Checked::Failed {
                message,
                transient: true,
            }
        }
    }
}

fn capabilities(provider: &Provider) -> Capabilities {
    match provider {
        Provider::Fake(_) => Capabilities::ReadOnly,
        _ => Capabilities::ReadWrite,
    }
}

async fn report(
    external: &External,
    key: &StoreKey,
    found: &Arc<Store>,
    checked: &Checked,
) -> Result<(), ApiError> {
    let (before, generation) = (found.status.as_ref(), found.metadata.generation);
    let Some(status) = store::after(before, generation, checked, Timestamp::now()) else {
        return Ok(());
    };
    if external.shared.settings.observe {
        return Ok(());
    }
    let metadata = ObjectMeta {
        name: Some(key.name.clone()),
        namespace: Some(key.namespace.clone()).filter(|namespace| !namespace.is_empty()),
        resource_version: found.metadata.resource_version.clone(),
        ..ObjectMeta::default()
    };
    // What the watch brings next is the status that was written: nothing is to be remembered here.
    match write(external, key.kind, metadata, found, &status).await {
        Ok(()) | Err(ApiError::Conflict | ApiError::NotFound) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn write(
    external: &External,
    kind: StoreKind,
    metadata: ObjectMeta,
    found: &Store,
    status: &StoreStatus,
) -> Result<(), ApiError> {
    let (client, spec) = (&external.shared.client, found.spec.clone());
    match kind {
        StoreKind::SecretStore => {
            let store = SecretStore {
                metadata,
                spec,
                status: None,
            };
            api::write_status(client, &store, status).await.map(drop)
        }
        StoreKind::ClusterSecretStore => {
            let store = ClusterSecretStore {
                metadata,
                spec: ClusterStoreSpec(spec),
                status: None,
            };
            api::write_status(client, &store, status).await.map(drop)
        }
    }
}
