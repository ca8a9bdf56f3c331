//! One object: from what is known of it to the Secret, the status and the events.
//!
//! # Flow
//!
//! 1. Gone, going away or suspended: little to do.
//! 2. Recognised as unchanged by status and metadata: nothing to do, and nothing asked of anybody.
//! 3. The Secret is read, unless there is none as far as is known; the items are opened on the
//!    pool; the engine plans.
//! 4. The plan is carried out. If the Secret is not as it was observed, it is read again and
//!    planned anew.
//! 5. Status and events say what came of it; a failure is tried again later.
//!
//! # Guarantees
//!
//! - A new object costs a create, a status and an event. An unchanged one costs nothing.
//! - Every write carries what it was decided on: the UID and version of the Secret, the version of
//!   the object.
//! - Whatever fails, other objects go on and this one comes back.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use kube::Api;
use signet_crds::sealed_secret::SealedSecret;
use signet_engine::{
    attention::{self, Attention},
    outcome::Outcome,
    recognise,
};
use tracing::{info, warn};

use crate::{
    api::{ApiError, ask, optional},
    apply::Secrets,
    context::Context,
    metrics::Ended,
    object::ObjectKey,
    queue::Priority,
    report::report,
    watch,
};

mod attempt;
mod ended;

use attempt::Attempt;
use ended::{api_failure, ended, ended_before, later, truce};

/// What is being done when a Secret is read, in messages.
const READ: &str = "read the Secret";
/// An attempt that takes longer than this is said to be under way, if nothing was said before.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
/// Delay of the next attempt after an internal error.
const SOON: Duration = Duration::from_secs(5);

/// Works on one object.
pub async fn run(context: &Context, key: &ObjectKey) {
    let began = Instant::now();
    let ended = if let Some(sealed) = context.sealed.get(key) {
        object(context, key, &sealed).await
    } else {
        gone(context, key).await;
        Ended::Unchanged
    };
    context.metrics.observe_reconcile(ended, began.elapsed());
}

/// Asks for another attempt after an internal error.
pub fn retry(context: &Context, key: &ObjectKey) {
    context.metrics.count_error("unseal", &key.namespace);
    context.work.add_after(key.clone(), Priority::Routine, SOON);
}

async fn object(context: &Context, key: &ObjectKey, sealed: &Arc<SealedSecret>) -> Ended {
    match attention::of(sealed) {
        Attention::Deleting => return Ended::Unchanged,
        Attention::Suspended => return ended(context, key, sealed, &Outcome::Suspended).await,
        Attention::Work => {}
    }
    if let Some(rival) = context.rivals.of(key, Instant::now()) {
        return truce(context, key, sealed, &rival).await;
    }
    match look(context, key, sealed).await {
        Ok(Found::Changed) => {}
        Ok(Found::Unchanged) => {
            context.work.succeeded(key);
            return Ended::Unchanged;
        }
        Ok(Found::Untold(outcome)) => return ended_before(context, key, sealed, &outcome).await,
        Ok(Found::Gone) => {
            watch::sealed_deleted(context, key);
            return Ended::Unchanged;
        }
        Err(error) => {
            let outcome = Outcome::Failed(api_failure(&error, READ));
            return ended(context, key, sealed, &outcome).await;
        }
    }
    // Asked here too, before what costs private-key work.
    let absent = context.targets.get(key).is_none();
    if absent && let Some(wait) = context.vacancies.wait(key, Instant::now()) {
        return later(context, key, sealed, wait).await;
    }
    context.metrics.count_request();
    let mut attempt = Box::pin(attempt::attempt(context, key, sealed));
    let shown = tokio::time::timeout(SHOWN_AFTER, &mut attempt).await;
    let attempt = if let Ok(attempt) = shown {
        attempt
    } else {
        let status = sealed.status.as_ref();
        if status.is_none_or(|status| status.conditions.is_empty()) {
            // It is only news: the end of the attempt says all.
            let _ = report(context, key, sealed, &Outcome::Progressing).await;
        }
        attempt.await
    };
    match attempt {
        Attempt::Ended(outcome) => ended(context, key, sealed, &outcome).await,
        Attempt::TooSoon(wait) => later(context, key, sealed, wait).await,
        Attempt::Overtaken => Ended::Unchanged,
    }
}

/// What a look at an object comes to.
enum Found {
    /// Nothing has to be done.
    Unchanged,
    /// Nothing but to write the status that could not be written before.
    Untold(Outcome),
    /// Something may have to be done.
    Changed,
    /// It does not exist any more.
    Gone,
}

/// Looks at an object by what is known. What its status remembers and the watch has not seen is
/// looked up: the Secret was deleted, or Secrets are not watched. Where it was deleted, so may have
/// been the object, by the same hand: a Secret made then would belong to nobody.
async fn look(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
) -> Result<Found, ApiError> {
    let policy = &context.settings.policy;
    let mut known = context.targets.get(key);
    if known.is_none() && recognise::applied_to(sealed, policy).is_some() {
        let secrets = Secrets::of(key, context.client.clone(), context.metrics.clone());
        let question = context.targets.question(key);
        if let Some(found) = secrets.get_metadata().await? {
            question.answered(found);
            known = context.targets.get(key);
        } else if !exists(context, key, sealed).await? {
            return Ok(Found::Gone);
        }
    }
    if recognise::unchanged(sealed, known.as_deref(), policy) {
        return Ok(Found::Unchanged);
    }
    let untold = context.unwritten.of(key, sealed);
    let untold = untold
        .filter(|(_, applied)| recognise::is_as_applied(sealed, applied, known.as_deref(), policy));
    Ok(untold.map_or(Found::Changed, |(outcome, _)| Found::Untold(outcome)))
}

async fn exists(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
) -> Result<bool, ApiError> {
    let api: Api<SealedSecret> = Api::namespaced(context.client.clone(), &key.namespace);
    let found = optional(ask(api.get_metadata(&key.name)).await)?;
    Ok(found.is_some_and(|found| found.metadata.uid == sealed.metadata.uid))
}

/// The object was deleted. Its Secret follows by garbage collection, or here if that is asked for.
async fn gone(context: &Context, key: &ObjectKey) {
    context.metrics.count_request();
    context.rivals.forget(key);
    if let Some(sealed) = context.take_gone(key)
        && let Err(error) = attempt::delete_secret_of(context, key, &sealed).await
    {
        warn!(object = %key, %error, "cannot delete the Secret of a deleted SealedSecret, trying again");
        context.keep_gone(key.clone(), sealed);
        context.work.add_after(key.clone(), Priority::Routine, SOON);
        return;
    }
    context.targets.remove(key);
    context.vacancies.forget(key);
    context.unwritten.forget(key);
    context.work.forget(key);
    info!(object = %key, "the SealedSecret is gone");
}

#[cfg(test)]
mod tests;
