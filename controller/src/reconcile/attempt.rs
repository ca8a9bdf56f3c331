//! One attempt: read, open, plan, write.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use k8s_openapi::{api::core::v1::Secret, apimachinery::pkg::apis::meta::v1::ObjectMeta};
use signet_crds::{
    constants::{annotation, event},
    sealed_secret::SealedSecret,
};
use signet_engine::{
    events::{EventDraft, EventKind},
    manifest::SecretManifest,
    outcome::{ApiFailure, Failure, Outcome},
    plan::{self, Action, Plan},
    recognise,
    unseal::{self, Hints, Unsealed},
};
use tracing::{info, warn};

use super::{READ, api_failure};
use crate::{
    api::ApiError, apply::Secrets, context::Context, object::ObjectKey, restart,
    rival::last_other_writer, store::Question, vacancy::MOMENT,
};

/// Times that a Secret that has changed meanwhile is looked at again.
const TRIES: usize = 4;

/// What an attempt comes to.
pub(super) enum Attempt {
    /// It has come to its end.
    Ended(Outcome),
    /// The Secret may not be made yet: so long it is to be waited.
    TooSoon(Duration),
    /// The object was deleted meanwhile: nothing was written after that was known.
    Overtaken,
}

/// Makes the Secret as described, or says why not.
pub(super) async fn attempt(
    context: &Context,
    key: &ObjectKey,
    sealed: &Arc<SealedSecret>,
) -> Attempt {
    let tried = match open(context, sealed).await {
        Ok(unsealed) => apply(context, key, sealed, &unsealed).await,
        Err(failure) => Err(failure),
    };
    tried.unwrap_or_else(|failure| Attempt::Ended(Outcome::Failed(failure)))
}

/// Reads, plans and writes, until the Secret is as it was observed.
async fn apply(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    unsealed: &Unsealed,
) -> Result<Attempt, Failure> {
    let secrets = Secrets::of(key, context.client.clone(), context.metrics.clone());
    let policy = &context.settings.policy;
    let question = context.targets.question(key);
    // A Secret that nobody has seen is not asked for: creating it tells whether it is there.
    let mut look = context.targets.get(key).is_some() || context.settings.observe;
    let mut in_the_way = false;
    for number in 0..TRIES {
        let observed = if look { secrets.get().await } else { Ok(None) };
        let observed = observed.map_err(|error| api_failure(&error, READ))?;
        remember(context, key, &question, look, observed.as_ref());
        if std::mem::take(&mut in_the_way) && observed.is_none() {
            // It is deleted this very moment.
            context.vacancies.note(key.clone(), Instant::now());
        }
        if !is_there(context, key, sealed) {
            return Ok(Attempt::Overtaken);
        }
        let secret = observed.as_ref().map(SecretManifest::expose);
        let plan = plan::plan(sealed, unsealed, secret, policy);
        let settled = |written| settled(sealed, unsealed, &plan, secret, written, context);
        if context.settings.observe {
            info!(object = %key, would = describe(&plan.action), "observing");
            return Ok(settled(None));
        }
        if matches!(plan.action, Action::Create(_))
            && let Some(wait) = context.vacancies.wait(key, Instant::now())
        {
            if number == 0 || wait > MOMENT {
                return Ok(Attempt::TooSoon(wait));
            }
            // What keeps coming and going is given up in the end, and told.
            tokio::time::sleep(wait).await;
            continue;
        }
        match secrets.apply(&plan.action).await {
            Ok(written) => {
                let mut is_known = true;
                if let Some(meta) = &written {
                    is_known = question.answered(meta.clone());
                    info!(object = %key, did = describe(&plan.action), "the Secret is as described");
                    note_drift(context, key, sealed, secret);
                    restart_workloads(context, key, sealed, secret, &plan.action).await;
                }
                if !is_known {
                    // It was deleted while the answer was on its way: nothing to be proud of.
                    let wait = context.vacancies.wait(key, Instant::now());
                    return Ok(Attempt::TooSoon(wait.unwrap_or_default()));
                }
                return Ok(settled(written));
            }
            Err(error) if is_surprise(&error, &plan.action) => {
                look = true;
                in_the_way = error == ApiError::AlreadyExists;
            }
            Err(error) => return Err(api_failure(&error, describe(&plan.action))),
        }
    }
    let message = "the Secret changes faster than it can be written".to_owned();
    Err(Failure::Api(ApiFailure {
        code: Some(409),
        message,
        retry_after: None,
    }))
}

/// Deletes the Secret that belonged to a deleted SealedSecret, and no other.
pub(super) async fn delete_secret_of(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
) -> Result<(), ApiError> {
    let secrets = Secrets::of(key, context.client.clone(), context.metrics.clone());
    let Some(meta) = secrets.get_metadata().await? else {
        return Ok(());
    };
    let owners = meta.owner_references.iter().flatten();
    let owned = owners
        .into_iter()
        .any(|owner| Some(&owner.uid) == sealed.metadata.uid.as_ref());
    // What the status says of it does not count: others can write it.
    if !owned || context.settings.observe {
        return Ok(());
    }
    match secrets.delete(&meta.uid.unwrap_or_default(), None).await {
        Ok(()) | Err(ApiError::NotFound | ApiError::Conflict) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Opens the items, where that may take its time.
async fn open(context: &Context, sealed: &Arc<SealedSecret>) -> Result<Unsealed, Failure> {
    let (sealed, ring, policy) = (
        sealed.clone(),
        context.ring.now(),
        context.settings.policy.clone(),
    );
    let hints = Hints::from_status(&sealed);
    let opened = context
        .pool
        .run(move |seat| unseal::unseal_at(&sealed, &ring, &hints, &policy, seat))
        .await;
    let opened = opened.map_err(|panicked| {
        Failure::Api(ApiFailure {
            code: None,
            message: format!("{panicked} while opening the items"),
            retry_after: None,
        })
    })?;
    let attempts = match &opened {
        Ok(unsealed) => unsealed.attempts,
        Err(error) => error.attempts,
    };
    context.metrics.count_private_operations(attempts);
    opened.map_err(Failure::Unseal)
}

/// The outcome of a plan that was carried out.
fn settled(
    sealed: &SealedSecret,
    unsealed: &Unsealed,
    plan: &Plan,
    observed: Option<&Secret>,
    written: Option<ObjectMeta>,
    context: &Context,
) -> Attempt {
    let left = written
        .or_else(|| observed.map(|secret| secret.metadata.clone()))
        .unwrap_or_default();
    let outcome = Outcome::done(sealed, unsealed, plan, &left, &context.settings.policy);
    Attempt::Ended(outcome)
}

/// What was just read is known from here on.
fn remember(
    context: &Context,
    key: &ObjectKey,
    question: &Question<'_>,
    looked: bool,
    observed: Option<&SecretManifest>,
) {
    match observed {
        Some(secret) => drop(question.answered(secret.expose().metadata.clone())),
        None if looked => context.targets.remove(key),
        None => {}
    }
}

/// Whether the object exists, as far as is known: opening it may have taken its time.
fn is_there(context: &Context, key: &ObjectKey, sealed: &SealedSecret) -> bool {
    let known = context.sealed.get(key);
    known.is_some_and(|known| known.metadata.uid == sealed.metadata.uid)
}

/// Notes that somebody had changed the Secret after this very object was applied to it: if it
/// happens again and again, it is another controller.
fn note_drift(context: &Context, key: &ObjectKey, sealed: &SealedSecret, before: Option<&Secret>) {
    let Some(before) = before else { return };
    let applied = recognise::applied_to(sealed, &context.settings.policy);
    let ours =
        applied.is_some_and(|applied| Some(&applied.secret_uid) == before.metadata.uid.as_ref());
    let fields = before
        .metadata
        .managed_fields
        .as_deref()
        .unwrap_or_default();
    if ours && let Some(writer) = last_other_writer(fields, None) {
        context.metrics.count_rival();
        context.rivals.note(key, &writer, Instant::now());
    }
}

/// Restarts what uses the Secret, if its data has changed and the object asks for it.
async fn restart_workloads(
    context: &Context,
    key: &ObjectKey,
    sealed: &SealedSecret,
    before: Option<&Secret>,
    action: &Action,
) {
    let annotations = sealed.metadata.annotations.as_ref();
    let asked = annotations
        .and_then(|all| all.get(annotation::RESTART_WORKLOADS))
        .is_some_and(|value| value == "true");
    let (Action::Replace(after) | Action::Recreate { create: after, .. }, Some(before), true) =
        (action, before, asked)
    else {
        return;
    };
    if after.expose().data == before.data {
        return;
    }
    if let Err(error) =
        restart::workloads_using(key, &context.client, &context.metrics, Timestamp::now()).await
    {
        warn!(object = %key, %error, "cannot restart the workloads that use the changed Secret");
        let message = format!("cannot restart the workloads that use the changed Secret: {error}");
        let draft = EventDraft {
            kind: EventKind::Warning,
            reason: event::ERR_RESTART_FAILED,
            message,
        };
        context.events.publish(sealed, event::COMPONENT, &draft);
    }
}

/// Whether the answer says that the Secret is not as it was observed.
fn is_surprise(error: &ApiError, action: &Action) -> bool {
    match error {
        ApiError::AlreadyExists => true,
        // Of a create it means that the namespace is gone.
        ApiError::Conflict | ApiError::NotFound => !matches!(action, Action::Create(_)),
        _ => false,
    }
}

fn describe(action: &Action) -> &'static str {
    match action {
        Action::Create(_) => "create the Secret",
        Action::Replace(_) => "change the Secret",
        Action::Recreate { .. } => "delete the Secret and create it anew",
        Action::Keep => "leave the Secret as it is",
        Action::LeaveDrift => "leave the Secret as others changed it",
        Action::Refuse(_) => "refuse to touch the Secret",
    }
}
