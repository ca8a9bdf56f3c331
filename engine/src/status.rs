//! The status to write after an attempt.

use std::borrow::Cow;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use signet_crds::constants::{condition, condition_status, reason};
use signet_crds::sealed_secret::{Condition, OwnedMetadata, SealedSecret, SealedSecretStatus};

use crate::outcome::{Outcome, Remedy};
use crate::text;

/// The longest message of a condition, in bytes: an object may have thousands of items, and etcd
/// takes the object and its status together.
const LONGEST: usize = 8192;
/// The same where even that was too long.
const SHORT: usize = 512;

/// The status that an outcome makes of the present one; `None` when that says it already.
///
/// # Guarantees
///
/// - `Synced` comes first, `Ready` says the same; `Stalled` is there when a person is needed,
///   `Reconciling` when time will do, neither when all is well.
/// - `observedGeneration` and all conditions change together, for every new generation, also when
///   nothing else changed and also when the attempt failed.
/// - Success clears what failure wrote (sealed-secrets#603).
/// - `lastTransitionTime` moves when a `status` flips, `lastUpdateTime` whenever anything of the
///   condition changes or a new generation was looked at; an attempt that finds nothing new moves
///   neither, so that a status never causes the next event.
/// - `Unknown` is only ever a first status.
/// - Conditions of other programs stay, at the end.
pub fn after(
    sealed: &SealedSecret,
    outcome: &Outcome,
    now: Timestamp,
) -> Option<SealedSecretStatus> {
    let before = sealed.status.clone().unwrap_or_default();
    if *outcome == Outcome::Progressing && before.condition(condition::SYNCED).is_some() {
        // What was true of the last generation is not unknown now; who asks compares generations.
        return None;
    }
    let generation = match outcome {
        // Nothing of a new generation was looked at.
        Outcome::Suspended => before.observed_generation,
        _ => sealed.metadata.generation,
    };
    let mut conditions: Vec<_> = wanted(outcome, &before)
        .into_iter()
        .map(|c| dated(c, generation, &before, now))
        .collect();
    let ours = [
        condition::SYNCED,
        condition::READY,
        condition::STALLED,
        condition::RECONCILING,
    ];
    let others = before
        .conditions
        .iter()
        .filter(|c| !ours.contains(&c.type_.as_str()));
    conditions.extend(others.cloned());

    let applied = match outcome {
        Outcome::Applied { applied, .. } => Some(applied.clone()),
        _ => before.applied.clone(),
    };
    let after = SealedSecretStatus {
        observed_generation: generation,
        conditions,
        applied,
    };
    (sealed.status.as_ref() != Some(&after)).then_some(after)
}

/// The status without what can be missed, for an API server that finds it too large: which key
/// opened which item, which labels and annotations were set, and the ends of long messages.
pub fn shortened(mut status: SealedSecretStatus) -> SealedSecretStatus {
    for condition in &mut status.conditions {
        condition.message = text::shortened(&condition.message, SHORT).into_owned();
    }
    if let Some(applied) = &mut status.applied {
        applied.metadata = OwnedMetadata::default();
        applied.keys.iter_mut().for_each(|key| key.items.clear());
    }
    status
}

/// A message as a condition has it.
pub(crate) fn message(message: &str) -> Cow<'_, str> {
    text::shortened(message, LONGEST)
}

/// A condition before it has dates.
struct Wanted {
    type_: &'static str,
    status: String,
    reason: &'static str,
    message: String,
}

fn wanted(outcome: &Outcome, before: &SealedSecretStatus) -> Vec<Wanted> {
    let pair = |status: &str, reason: &'static str, message: &str| {
        vec![
            want(condition::SYNCED, status, reason, message),
            want(condition::READY, status, reason, message),
        ]
    };
    match outcome {
        Outcome::Applied {
            drifted, warnings, ..
        } => {
            let mut notes: Vec<_> = warnings.iter().map(ToString::to_string).collect();
            if *drifted {
                notes.push(DRIFTED.to_owned());
            }
            let reason = if *drifted {
                reason::DRIFTED
            } else {
                reason::UNSEALED
            };
            pair(condition_status::TRUE, reason, &notes.join("\n"))
        }
        Outcome::Failed(failure) => {
            let (reason, message) = (failure.reason(), failure.message());
            let mut conditions = pair(condition_status::FALSE, reason, &message);
            let who = match failure.remedy() {
                Remedy::Retry => condition::RECONCILING,
                Remedy::Cluster | Remedy::Object => condition::STALLED,
            };
            conditions.push(want(who, condition_status::TRUE, reason, &message));
            conditions
        }
        Outcome::Progressing => {
            let mut conditions = pair(condition_status::UNKNOWN, reason::PROGRESSING, PROGRESSING);
            let reconciling = condition::RECONCILING;
            conditions.push(want(
                reconciling,
                condition_status::TRUE,
                reason::PROGRESSING,
                PROGRESSING,
            ));
            conditions
        }
        Outcome::Suspended => {
            let synced = before
                .condition(condition::SYNCED)
                .map(|c| c.status.as_str());
            let status = synced.unwrap_or(condition_status::UNKNOWN);
            pair(status, reason::SUSPENDED, SUSPENDED)
        }
    }
}

const DRIFTED: &str =
    "the Secret was changed by others and is left so: drift repair is switched off";
const PROGRESSING: &str = "the first attempt is under way";
const SUSPENDED: &str =
    "left alone because of the annotation signet.dev/suspend: \"true\"; remove it to go on";

fn want(type_: &'static str, status: &str, reason: &'static str, text: &str) -> Wanted {
    Wanted {
        type_,
        status: status.to_owned(),
        reason,
        message: message(text).into_owned(),
    }
}

fn dated(
    wanted: Wanted,
    generation: Option<i64>,
    before: &SealedSecretStatus,
    now: Timestamp,
) -> Condition {
    // Kubernetes keeps whole seconds; what it gives back must compare equal.
    let now = Time(Timestamp::from_second(now.as_second()).unwrap_or(now));
    let old = before.condition(wanted.type_);
    // What was observed is told by the status as a whole: a resource definition of earlier days drops
    // the field from the condition, and that must not look like news for ever.
    let is_news = before.observed_generation != generation
        || old.is_none_or(|old| {
            (
                old.status.as_str(),
                old.reason.as_str(),
                old.message.as_str(),
            ) != (
                wanted.status.as_str(),
                wanted.reason,
                wanted.message.as_str(),
            )
        });
    let updated = old
        .and_then(|old| old.last_update_time.clone())
        .filter(|_| !is_news);
    let flipped = old.is_none_or(|old| old.status != wanted.status);
    let turned = old
        .and_then(|old| old.last_transition_time.clone())
        .filter(|_| !flipped);
    Condition {
        type_: wanted.type_.to_owned(),
        status: wanted.status,
        observed_generation: generation,
        last_update_time: updated.or_else(|| Some(now.clone())),
        last_transition_time: turned.or(Some(now)),
        reason: wanted.reason.to_owned(),
        message: wanted.message,
    }
}

#[cfg(test)]
mod tests;
