//! The conditions that all resources of the group have.

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use signet_crds::constants::{condition as signet, condition_status};
use signet_crds::external::constants::condition;
use signet_crds::external::status::{Condition, condition as find};

use crate::outcome::Remedy;
use crate::text;

pub(super) const READY: &str = condition::READY;
const OURS: [&str; 3] = [READY, signet::STALLED, signet::RECONCILING];

/// What is to be said.
pub(super) struct Verdict {
    pub(super) status: &'static str,
    pub(super) reason: &'static str,
    pub(super) message: String,
    /// Who can mend it, if anything is wrong.
    pub(super) remedy: Option<Remedy>,
}

/// `Ready` first; then `Stalled` or `Reconciling`, if anything is wrong; then those of others.
pub(super) fn after(
    before: &[Condition],
    verdict: &Verdict,
    generation: Option<i64>,
    now: Timestamp,
) -> Vec<Condition> {
    let said = |type_: &str, status: &str| Condition {
        type_: type_.to_owned(),
        status: status.to_owned(),
        reason: verdict.reason.to_owned(),
        message: told(&verdict.message),
        last_transition_time: turned(before, type_, status, now),
        observed_generation: generation,
    };
    let mut conditions = vec![said(READY, verdict.status)];
    if let Some(remedy) = verdict.remedy {
        let type_ = match remedy {
            Remedy::Retry => signet::RECONCILING,
            Remedy::Cluster | Remedy::Object => signet::STALLED,
        };
        conditions.push(said(type_, condition_status::TRUE));
    }
    let others = before.iter().filter(|other| !OURS.contains(&&*other.type_));
    conditions.extend(others.cloned());
    conditions
}

/// Kubernetes keeps whole seconds; what it gives back must compare equal.
pub(super) fn whole_seconds(now: Timestamp) -> Time {
    Time(Timestamp::from_second(now.as_second()).unwrap_or(now))
}

/// When the status of a condition last changed.
fn turned(before: &[Condition], type_: &str, status: &str, now: Timestamp) -> Option<Time> {
    let same = find(before, type_).filter(|old| old.status == status);
    let turned = same.and_then(|old| old.last_transition_time.clone());
    turned.or_else(|| Some(whole_seconds(now)))
}

/// Longest message that the API server takes, less some room.
const LONGEST: usize = 32_000;

/// A message as a condition has it: one line, and not too long.
pub(super) fn told(message: &str) -> String {
    text::shortened(&text::line(message), LONGEST).into_owned()
}
