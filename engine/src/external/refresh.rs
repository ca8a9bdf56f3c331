//! Whether the stores are to be asked.

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use signet_crds::external::constants::{condition, message, reason};
use signet_crds::external::external_secret::{
    CreationPolicy, ExternalSecret, ExternalSecretStatus, RefreshPolicy,
};
use signet_crds::external::status;

use super::hash;
use super::sync_window::Windows;

/// What is known of the target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Target {
    /// Whether there is one.
    pub exists: bool,
    /// Whether its data is what its hash says, and it is marked as managed; `None`: not looked at yet.
    pub valid: Option<bool>,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// Ask the stores.
    Now(Why),
    /// Nothing until then, unless something changes.
    Wait(Timestamp),
    /// Nothing, unless something changes.
    Never,
    /// First look at the data of the target, and ask again.
    Verify,
}

/// Why the stores are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It was never done.
    First,
    /// The resource has changed, or its labels or annotations.
    Changed,
    /// The interval is over.
    Interval,
    /// It was last done in the future: a clock was wrong.
    Clock,
    /// The target is not there.
    TargetMissing,
    /// The target was changed by others.
    TargetChanged,
}

impl Why {
    /// Whether values will do that were read since the last refresh.
    pub fn takes_known_values(self) -> bool {
        matches!(self, Self::TargetMissing | Self::TargetChanged)
    }
}

/// Decides, by the status and the target, as the peer does.
///
/// After a failed attempt the answer is to ask now: how long to wait before is a matter of
/// [`retry`](super::retry).
pub fn decide(external: &ExternalSecret, target: &Target, now: Timestamp) -> Refresh {
    let empty = ExternalSecretStatus::default();
    let status = external.status.as_ref().unwrap_or(&empty);
    let by_time = by_time(external, status, now);
    if let Refresh::Now(_) = by_time {
        return by_time;
    }
    match validity(external, status, *target) {
        Validity::Valid => by_time,
        Validity::Unknown => Refresh::Verify,
        Validity::Missing => Refresh::Now(Why::TargetMissing),
        Validity::Changed => Refresh::Now(Why::TargetChanged),
    }
}

fn by_time(external: &ExternalSecret, status: &ExternalSecretStatus, now: Timestamp) -> Refresh {
    let spec = &external.spec;
    let was_synced = !status.synced_resource_version.is_empty();
    let is_changed = || status.synced_resource_version != hash::of_version(&external.metadata);
    let Some(Time(last)) = status.refresh_time.clone().filter(|_| was_synced) else {
        return Refresh::Now(Why::First);
    };
    let interval = spec.refresh_interval();
    match spec.refresh_policy() {
        RefreshPolicy::CreatedOnce => return Refresh::Never,
        RefreshPolicy::Periodic if !interval.is_positive() => return Refresh::Never,
        _ if is_changed() => return Refresh::Now(Why::Changed),
        RefreshPolicy::OnChange => return Refresh::Never,
        RefreshPolicy::Periodic => {}
    }
    if last > now {
        return Refresh::Now(Why::Clock);
    }
    if spec.target.immutable {
        // What may not change need not be read.
        return Refresh::Never;
    }
    let interval = SignedDuration::from_nanos(interval.nanos());
    let Ok(due) = last.checked_add(interval - early(external, last, interval)) else {
        return Refresh::Never;
    };
    if due > now {
        return Refresh::Wait(due);
    }
    let windows = spec.sync_windows.as_ref().map(Windows::parse);
    match windows {
        // What is wrong with them shows when the attempt is made.
        None | Some(Err(_)) => Refresh::Now(Why::Interval),
        Some(Ok(windows)) => match windows.first_allowed(now) {
            Some(time) if time <= now => Refresh::Now(Why::Interval),
            Some(time) => Refresh::Wait(time),
            None => Refresh::Never,
        },
    }
}

/// How much earlier the first periodic refresh comes, up to a tenth of the interval: resources that were
/// applied together do not ask together ever after. It depends on the UID alone.
fn early(external: &ExternalSecret, last: Timestamp, interval: SignedDuration) -> SignedDuration {
    let metadata = &external.metadata;
    let created = metadata.creation_timestamp.as_ref().map(|time| time.0);
    let is_first = created
        .and_then(|created| created.checked_add(interval / 2).ok())
        .is_some_and(|middle| last < middle);
    match metadata.uid.as_deref() {
        Some(uid) if is_first => {
            let share = hash::spread(uid);
            SignedDuration::try_from_secs_f64(interval.as_secs_f64() * 0.1 * share)
                .unwrap_or_default()
        }
        _ => SignedDuration::ZERO,
    }
}

enum Validity {
    Valid,
    Unknown,
    Missing,
    Changed,
}

fn validity(external: &ExternalSecret, status: &ExternalSecretStatus, target: Target) -> Validity {
    match external.spec.target.creation_policy {
        // What others do to it is their own matter, or there is none.
        CreationPolicy::Orphan | CreationPolicy::None => return Validity::Valid,
        _ if !target.exists && is_meant_to_be_absent(external, status) => return Validity::Valid,
        _ if !target.exists => return Validity::Missing,
        _ => {}
    }
    match target.valid {
        Some(true) => Validity::Valid,
        // Nothing was found to put into it.
        Some(false) if is_retained(status) => Validity::Valid,
        Some(false) => Validity::Changed,
        None => Validity::Unknown,
    }
}

/// Whether the last attempt ended without a target, and would again.
fn is_meant_to_be_absent(external: &ExternalSecret, status: &ExternalSecretStatus) -> bool {
    let is_current = status.observed_generation.is_none()
        || status.observed_generation == external.metadata.generation;
    let ready = status::condition(&status.conditions, condition::READY);
    is_current
        && ready.is_some_and(|ready| {
            matches!(
                &*ready.reason,
                reason::SECRET_DELETED | reason::SECRET_MISSING
            )
        })
        || is_retained(status)
}

fn is_retained(status: &ExternalSecretStatus) -> bool {
    let ready = status::condition(&status.conditions, condition::READY);
    ready.is_some_and(|ready| ready.message == message::SECRET_RETAINED)
}

#[cfg(test)]
mod tests;
