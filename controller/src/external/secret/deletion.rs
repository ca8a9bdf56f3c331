//! ExternalSecrets that go away.
//!
//! Ours have no finalizer: an owned Secret goes by garbage collection. One that the peer has put a
//! finalizer on is let go after what the peer would do.

use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams, Preconditions},
};
use serde_json::json;
use signet_crds::external::{
    constants::finalizer,
    external_secret::{CreationPolicy, DeletionPolicy, ExternalSecret},
};
use tracing::{info, warn};

use super::{External, SOON, read, secrets};
use crate::{
    api::{ApiError, ask},
    external::key::Key,
    object::ObjectKey,
    queue::Priority,
};

/// Deletes the Secret where that is asked for, and takes the finalizer off.
pub(super) async fn let_go(external: &External, key: &ObjectKey, object: &ExternalSecret) {
    let finalizers = object.metadata.finalizers.iter().flatten();
    let mut ours = finalizers.filter(|name| *name == finalizer::EXTERNAL_SECRET);
    if ours.next().is_none() || external.shared.settings.observe {
        return;
    }
    let done = match delete_secret(external, key, object).await {
        Ok(()) => take_off(external, key, object).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => info!(object = %key, "the ExternalSecret may go"),
        Err(error) => {
            warn!(object = %key, %error, "cannot let a deleted ExternalSecret go, trying again");
            let item = Key::Secret(key.clone());
            external.work.add_after(item, Priority::Routine, SOON);
        }
    }
}

async fn delete_secret(
    external: &External,
    key: &ObjectKey,
    object: &ExternalSecret,
) -> Result<(), ApiError> {
    let target = &object.spec.target;
    if target.deletion_policy != DeletionPolicy::Delete
        || target.creation_policy != CreationPolicy::Owner
    {
        return Ok(());
    }
    let place = ObjectKey::new(key.namespace.clone(), target.name(&key.name));
    let Some(secret) = read(external, &place).await? else {
        return Ok(());
    };
    let metadata = &secret.expose().metadata;
    let mut owners = metadata.owner_references.iter().flatten();
    if !owners.any(|owner| Some(&owner.uid) == object.metadata.uid.as_ref()) {
        return Ok(());
    }
    let preconditions = Preconditions {
        uid: metadata.uid.clone(),
        resource_version: metadata.resource_version.clone(),
    };
    let params = DeleteParams::default().preconditions(preconditions);
    match ask(secrets(external, &place).delete(&place.name, &params)).await {
        Ok(_) | Err(ApiError::NotFound) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn take_off(
    external: &External,
    key: &ObjectKey,
    object: &ExternalSecret,
) -> Result<(), ApiError> {
    let others: Vec<_> = object
        .metadata
        .finalizers
        .iter()
        .flatten()
        .filter(|name| *name != finalizer::EXTERNAL_SECRET)
        .collect();
    let body = json!({"metadata": {
        "resourceVersion": object.metadata.resource_version,
        "finalizers": others,
    }});
    let client = external.shared.client.clone();
    let api: Api<ExternalSecret> = Api::namespaced(client, &key.namespace);
    match ask(api.patch(&key.name, &PatchParams::default(), &Patch::Merge(&body))).await {
        Ok(_) | Err(ApiError::NotFound) => Ok(()),
        Err(error) => Err(error),
    }
}
