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
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::{Duration, Instant},
};

use signet_crds::sealed_secret::SealedSecret;
use signet_engine::{
    attention::{self, Attention},
    outcome::{ApiFailure, Failure, Outcome},
    recognise, retry,
};
use tracing::{debug, info, warn};

use crate::{
    api::ApiError, apply::Secrets, context::Context, metrics::Ended, object::ObjectKey,
    queue::Priority, report::report, rival::Rival,
};

mod attempt;

/// An attempt that takes longer than this is said to be under way, if nothing was said before.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
/// Delay of the next attempt after an internal error or a status that could not be written.
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
    match is_unchanged(context, key, sealed).await {
        Ok(false) => {}
        Ok(true) => {
            context.work.succeeded(key);
            return Ended::Unchanged;
        }
        Err(error) => {
            context.metrics.count_error("fetch", &key.namespace);
            return ended(
                context,
                key,
                sealed,
                &Outcome::Failed(api_failure(&error, "read the Secret")),
            )
            .await;
        }
    }
    context.metrics.count_request();
    let mut attempt = Box::pin(attempt::attempt(context, key, sealed));
    let shown = tokio::time::timeout(SHOWN_AFTER, &mut attempt).await;
    let outcome = if let Ok(outcome) = shown {
        outcome
    } else {
        let status = sealed.status.as_ref();
        if status.is_none_or(|status| status.conditions.is_empty()) {
            // It is only news: the end of the attempt says all.
            let _ = report(context, key, sealed, &Outcome::Progressing).await;
        }
        attempt.await
    };
    ended(context, key, sealed, &outcome).await
}

/// Whether nothing has to be done, by what is known. What a status remembers and the watch has not
/// seen is looked up: the Secret was deleted, or Secrets are not watched.
async fn is_unchanged(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
) -> Result<bool, ApiError> {
    let policy = &context.settings.policy;
    let mut known = context.targets.get(key);
    if known.is_none() && recognise::applied_to(sealed, policy).is_some() {
        let secrets = Secrets::of(key, context.client.clone(), context.metrics.clone());
        if let Some(found) = secrets.get_metadata().await? {
            context.targets.put(key.clone(), found);
            known = context.targets.get(key);
        }
    }
    Ok(recognise::unchanged(sealed, known.as_deref(), policy))
}

/// Reports, counts, and asks for the next attempt where one is due.
async fn ended(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    outcome: &Outcome,
) -> Ended {
    let reported = report(context, key, sealed, outcome).await;
    let failure = match outcome {
        Outcome::Failed(failure) => failure,
        _ if reported.is_err() => {
            context.work.add_after(key.clone(), Priority::Routine, SOON);
            return Ended::Failed;
        }
        _ => {
            context.work.succeeded(key);
            return Ended::Synced;
        }
    };
    context
        .metrics
        .count_error(failure.metric(), &key.namespace);
    let attempt = context.work.failed(key);
    let delay = retry::delay(failure, attempt, seed(sealed));
    let message = failure.message();
    if attempt == 1 {
        warn!(object = %key, reason = failure.reason(), %message, "the Secret is not as described");
    } else {
        debug!(object = %key, reason = failure.reason(), %message, attempt, "the Secret is still not as described");
    }
    context
        .work
        .add_after(key.clone(), Priority::Routine, delay);
    Ended::Failed
}

/// Leaves an object alone that another controller writes, and says so.
async fn truce(context: &Context, key: &ObjectKey, sealed: &SealedSecret, rival: &Rival) -> Ended {
    warn!(object = %key, writer = %rival.writer, "another controller writes the same object, it is left alone for a while");
    let message = format!(
        "`{}` writes this SealedSecret or its Secret as well, so it is left alone for {} s at a time; \
         stop one of the two controllers, or start this one with --observe",
        rival.writer,
        crate::rival::TRUCE.as_secs()
    );
    let outcome = Outcome::Failed(Failure::OtherWriter(message));
    let _ = report(context, key, sealed, &outcome).await;
    context
        .work
        .add_after(key.clone(), Priority::Routine, rival.wait);
    Ended::Failed
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
    context.work.forget(key);
    info!(object = %key, "the SealedSecret is gone");
}

/// A failure of the API server while doing something.
fn api_failure(error: &ApiError, doing: &str) -> Failure {
    let code = Some(error.code()).filter(|code| *code != 0);
    Failure::Api(ApiFailure {
        code,
        message: format!("cannot {doing}: {error}"),
    })
}

/// Spreads the attempts of objects that failed together.
fn seed(sealed: &SealedSecret) -> u64 {
    let mut hasher = DefaultHasher::new();
    sealed.metadata.uid.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
