//! The status to write after an attempt.

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use signet_crds::constants::{condition_status, reason as signet};
use signet_crds::external::constants::{message as peer, reason};
use signet_crds::external::external_secret::{
    Binding, CreationPolicy, ExternalSecret, ExternalSecretStatus,
};
use signet_crds::external::status::condition;

use super::conditions::{self, READY, Verdict};
use super::hash;
use super::outcome::Outcome;

/// Message of a target that was deleted.
pub(super) const DELETED: &str = "secret deleted due to DeletionPolicy=Delete";
const NO_TARGET: &str =
    "secret will not be created due to CreationPolicy=Merge: there is no such Secret yet";
const PROGRESSING: &str = "the first attempt is under way";

/// The status that an outcome makes of the present one; `None` when that says it already.
///
/// # Guarantees
///
/// - `Ready` comes first; `Stalled` is there when a person is needed, `Reconciling` when time will do,
///   neither when all is well.
/// - `observedGeneration` and all conditions change together, also on failure and on recovery.
/// - A failure changes neither `refreshTime` nor `syncedResourceVersion`: these are what the last success
///   left.
/// - `Unknown` is only ever a first status.
/// - Conditions of other programs stay, at the end.
pub fn after(
    external: &ExternalSecret,
    outcome: &Outcome,
    now: Timestamp,
) -> Option<ExternalSecretStatus> {
    let before = external.status.clone().unwrap_or_default();
    if *outcome == Outcome::Progressing && condition(&before.conditions, READY).is_some() {
        // What was true of the last generation is not unknown now; who asks compares generations.
        return None;
    }
    let generation = external.metadata.generation;
    let verdict = Verdict {
        status: ready(outcome),
        reason: reason_of(outcome),
        message: message(outcome),
        remedy: match outcome {
            Outcome::Failed(failure) => Some(failure.remedy()),
            Outcome::NoTarget | Outcome::Progressing => Some(crate::outcome::Remedy::Retry),
            _ => None,
        },
    };
    let conditions = conditions::after(&before.conditions, &verdict, generation, now);
    let mut after = ExternalSecretStatus {
        observed_generation: generation,
        conditions,
        ..before
    };
    if is_end(outcome) {
        after.refresh_time = Some(conditions::whole_seconds(now));
        after.synced_resource_version = hash::of_version(&external.metadata);
    }
    let target = &external.spec.target;
    if matches!(outcome, Outcome::Synced(_)) && target.creation_policy != CreationPolicy::None {
        let own = external.metadata.name.as_deref().unwrap_or_default();
        let name = target.name(own).to_owned();
        after.binding = Binding { name };
    }
    (external.status.as_ref() != Some(&after)).then_some(after)
}

/// When the stores were asked last, for who shows it.
pub fn refreshed(external: &ExternalSecret) -> Option<&Time> {
    external.status.as_ref()?.refresh_time.as_ref()
}

/// Whether the stores need not be asked before the interval is over.
fn is_end(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Failed(_) | Outcome::Progressing)
}

fn ready(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Synced(_) | Outcome::Retained | Outcome::Deleted => condition_status::TRUE,
        Outcome::NoTarget | Outcome::Failed(_) => condition_status::FALSE,
        Outcome::Progressing => condition_status::UNKNOWN,
    }
}

fn reason_of(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Synced(synced) if !synced.missing.is_empty() => PARTIAL,
        Outcome::Synced(_) | Outcome::Retained => reason::SECRET_SYNCED,
        Outcome::Deleted => reason::SECRET_DELETED,
        Outcome::NoTarget => reason::SECRET_MISSING,
        Outcome::Failed(failure) => failure.reason(),
        Outcome::Progressing => signet::PROGRESSING,
    }
}

/// Reason of a Secret that lacks what its stores lack.
pub const PARTIAL: &str = "Partial";

/// The message of the conditions.
pub(super) fn message(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Synced(synced) if !synced.missing.is_empty() => {
            let missing: Vec<_> = synced.missing.iter().map(ToString::to_string).collect();
            format!(
                "{}; the store does not have: {}",
                peer::SECRET_SYNCED,
                missing.join(", ")
            )
        }
        Outcome::Synced(_) => peer::SECRET_SYNCED.to_owned(),
        Outcome::Retained => peer::SECRET_RETAINED.to_owned(),
        Outcome::Deleted => DELETED.to_owned(),
        Outcome::NoTarget => NO_TARGET.to_owned(),
        Outcome::Failed(failure) => failure.to_string(),
        Outcome::Progressing => PROGRESSING.to_owned(),
    }
}

#[cfg(test)]
mod tests;
