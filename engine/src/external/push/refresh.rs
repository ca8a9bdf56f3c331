//! Whether the stores are to be written.

use jiff::{SignedDuration, Timestamp};
use signet_crds::external::push_secret::{PushSecret, PushSecretStatus};

use crate::external::hash;

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// Write.
    Now,
    /// Nothing until then, unless the resource or its source changes.
    Wait(Timestamp),
    /// Nothing, unless the resource or its source changes.
    Never,
}

/// Decides by the status. A change of the source is another reason to write at once
/// (external-secrets#6069), which the caller sees.
pub fn decide(push: &PushSecret, now: Timestamp) -> Refresh {
    let empty = PushSecretStatus::default();
    let status = push.status.as_ref().unwrap_or(&empty);
    if status.synced_resource_version != hash::of_version(&push.metadata) {
        return Refresh::Now;
    }
    let Some(last) = status.refresh_time.as_ref().map(|time| time.0) else {
        return Refresh::Now;
    };
    let interval = push.spec.refresh_interval();
    if !interval.is_positive() {
        return Refresh::Never;
    }
    match last.checked_add(SignedDuration::from_nanos(interval.nanos())) {
        Ok(due) if due > now && last <= now => Refresh::Wait(due),
        Ok(_) => Refresh::Now,
        Err(_) => Refresh::Never,
    }
}
