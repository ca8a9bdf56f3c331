//! Reporting what came of an attempt: status and events.

use jiff::Timestamp;
use kube::{Api, api::PostParams, core::Request};
use serde_json::json;
use signet_crds::{
    constants,
    sealed_secret::{SealedSecret, SealedSecretStatus},
};
use signet_engine::{events, outcome::Outcome, status};
use tracing::debug;

use crate::{
    api::{ApiError, ask},
    client::FIELD_MANAGER,
    context::Context,
    metrics::Written,
    object::ObjectKey,
    watch::{self, Source},
};

/// Times that a status is computed anew because the object has changed meanwhile.
const TRIES: usize = 4;

/// Writes the status that an attempt on `sealed` leads to, and the events that it is worth.
///
/// An object that has a new generation by now keeps its status: that generation is worked on next.
pub async fn report(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    outcome: &Outcome,
) -> Result<(), ApiError> {
    if context.settings.observe {
        return Ok(());
    }
    for event in events::of(sealed, outcome) {
        context
            .events
            .publish(sealed, constants::event::COMPONENT, &event);
    }
    if !context.settings.update_status {
        return Ok(());
    }
    write_status(context, key, sealed, outcome).await
}

/// Writes the status alone. Where it is too large for the API server, a shorter one is written.
pub async fn write_status(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    outcome: &Outcome,
) -> Result<(), ApiError> {
    let written = try_status(context, key, sealed, outcome).await;
    if written.is_err() {
        context.metrics.count_error("status", &key.namespace);
    }
    written
}

async fn try_status(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    outcome: &Outcome,
) -> Result<(), ApiError> {
    let api: Api<SealedSecret> = Api::namespaced(context.client.clone(), &key.namespace);
    // What is known may be newer than what was worked on, by a status that was written meanwhile.
    let Some(known) = context.sealed.get(key) else {
        return Ok(());
    };
    let mut latest = (*known).clone();
    let mut short = false;
    for _ in 0..TRIES {
        let same = latest.metadata.uid == sealed.metadata.uid
            && latest.metadata.generation == sealed.metadata.generation;
        if !same {
            debug!(object = %key, "changed meanwhile, its status waits for the next attempt");
            return Ok(());
        }
        let Some(mut status) = status::after(&latest, outcome, Timestamp::now()) else {
            return Ok(());
        };
        if short {
            status = status::shortened(status);
        }
        match put(context, &api, key, &body(key, &latest, &status)).await {
            Ok(written) => {
                context.metrics.count_write(Written::Status);
                watch::keep(context, written, Source::OwnWrite);
                return Ok(());
            }
            Err(error) if error.is_too_large() && !short => short = true,
            Err(error @ (ApiError::Conflict | ApiError::NotFound)) => {
                match ask(api.get(&key.name)).await {
                    Ok(_) if error == ApiError::NotFound => return Err(no_subresource()),
                    Ok(found) => latest = found,
                    // Deleted meanwhile: there is nobody to tell.
                    Err(ApiError::NotFound) => return Ok(()),
                    Err(error) => return Err(error),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(ApiError::Conflict)
}

/// The object is there, and its status is not.
fn no_subresource() -> ApiError {
    let message = "the CustomResourceDefinition of SealedSecrets has no subresource `status`: apply \
                   the one of deploy/crds";
    ApiError::Invalid(message.to_owned())
}

/// Of all the object the status is what counts here, and the version is the guard.
fn body(key: &ObjectKey, latest: &SealedSecret, status: &SealedSecretStatus) -> serde_json::Value {
    json!({
        "apiVersion": "bitnami.com/v1alpha1",
        "kind": "SealedSecret",
        "metadata": {
            "name": key.name,
            "namespace": key.namespace,
            "uid": latest.metadata.uid,
            "resourceVersion": latest.metadata.resource_version,
        },
        "spec": {"encryptedData": {}},
        "status": status,
    })
}

async fn put(
    context: &Context,
    api: &Api<SealedSecret>,
    key: &ObjectKey,
    body: &serde_json::Value,
) -> Result<SealedSecret, ApiError> {
    let params = PostParams {
        field_manager: Some(FIELD_MANAGER.into()),
        ..Default::default()
    };
    let body = body.to_string().into_bytes();
    let request =
        Request::new(api.resource_url()).replace_subresource("status", &key.name, &params, body);
    let request = request.map_err(|_| ApiError::Unreadable)?;
    ask(context.client.request(request)).await
}
