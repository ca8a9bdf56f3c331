//! Whether to write the Lease, and what.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use k8s_openapi::{api::coordination::v1::LeaseSpec, apimachinery::pkg::apis::meta::v1::MicroTime};

use super::Candidate;

/// What to do about the Lease.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Somebody else holds it.
    Wait,
    /// Write this: it is ours, free or expired.
    Write(LeaseSpec),
}

/// Decides from the Lease as it is, and since when it has been so.
///
/// `now` is the monotonic time that expiry is judged by, `wall` the time that is written for people
/// to read.
pub fn decide(
    lease: Option<(&LeaseSpec, Instant)>,
    candidate: &Candidate,
    now: Instant,
    wall: Timestamp,
) -> Decision {
    let wall = MicroTime(wall);
    let holder = lease
        .and_then(|(spec, _)| spec.holder_identity.as_deref())
        .filter(|holder| !holder.is_empty());
    let ours = holder == Some(candidate.identity.as_str());
    if let (Some((spec, since)), Some(_)) = (lease, holder)
        && !ours
        && now.saturating_duration_since(since) < promised(spec, candidate)
    {
        return Decision::Wait;
    }
    let before = lease.map(|(spec, _)| spec.clone()).unwrap_or_default();
    let transitions = before.lease_transitions.unwrap_or(0);
    Decision::Write(LeaseSpec {
        holder_identity: Some(candidate.identity.clone()),
        lease_duration_seconds: Some(
            i32::try_from(candidate.lease_duration.as_secs()).unwrap_or(i32::MAX),
        ),
        acquire_time: if ours {
            before.acquire_time.clone()
        } else {
            Some(wall.clone())
        },
        renew_time: Some(wall),
        lease_transitions: Some(if ours || lease.is_none() {
            transitions
        } else {
            transitions + 1
        }),
        ..before
    })
}

/// How long the holder said it would hold it.
fn promised(spec: &LeaseSpec, candidate: &Candidate) -> Duration {
    match spec.lease_duration_seconds {
        Some(seconds @ 1..) => Duration::from_secs(u64::from(seconds.unsigned_abs())),
        _ => candidate.lease_duration,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn candidate(identity: &str) -> Candidate {
        Candidate {
            namespace: "kube-system".into(),
            name: "signet-controller".into(),
            identity: identity.into(),
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
        }
    }

    fn wall(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn taken(lease: Option<(&LeaseSpec, Instant)>, who: &str, now: Instant) -> Option<LeaseSpec> {
        match decide(lease, &candidate(who), now, wall("2026-01-01T00:01:00Z")) {
            Decision::Write(spec) => Some(spec),
            Decision::Wait => None,
        }
    }

    fn held_by(who: &str) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(who.into()),
            lease_duration_seconds: Some(15),
            acquire_time: Some(MicroTime(wall("2026-01-01T00:00:00Z"))),
            renew_time: Some(MicroTime(wall("2026-01-01T00:00:50Z"))),
            lease_transitions: Some(3),
            ..Default::default()
        }
    }

    #[test]
    fn a_lease_that_is_not_there_is_taken() {
        let spec = taken(None, "a", Instant::now()).unwrap();
        assert_eq!(spec.holder_identity.as_deref(), Some("a"));
        assert_eq!(
            (spec.lease_duration_seconds, spec.lease_transitions),
            (Some(15), Some(0))
        );
    }

    #[test]
    fn a_holder_renews_without_a_transition() {
        let (now, spec) = (Instant::now(), held_by("a"));
        let renewed = taken(Some((&spec, now)), "a", now).unwrap();
        assert_eq!(renewed.lease_transitions, Some(3));
        assert_eq!(renewed.acquire_time, spec.acquire_time);
        assert_eq!(
            renewed.renew_time,
            Some(MicroTime(wall("2026-01-01T00:01:00Z")))
        );
    }

    #[test]
    fn a_lease_of_another_is_left_alone_until_it_has_not_moved_for_its_duration() {
        let (since, spec) = (Instant::now(), held_by("a"));
        assert_eq!(
            taken(
                Some((&spec, since)),
                "b",
                since + Duration::from_millis(14_999)
            ),
            None
        );
        let spec = taken(Some((&spec, since)), "b", since + Duration::from_secs(15)).unwrap();
        assert_eq!(
            (spec.holder_identity.as_deref(), spec.lease_transitions),
            (Some("b"), Some(4))
        );
        assert_eq!(spec.acquire_time, spec.renew_time);
    }

    #[test]
    fn the_time_written_in_the_lease_does_not_count_only_the_own_clock_does() {
        let mut spec = held_by("a");
        spec.renew_time = Some(MicroTime(wall("1999-01-01T00:00:00Z")));
        assert_eq!(
            taken(Some((&spec, Instant::now())), "b", Instant::now()),
            None
        );
    }

    #[test]
    fn a_lease_that_was_given_back_is_taken_at_once() {
        let mut spec = held_by("a");
        for empty in [None, Some(String::new())] {
            spec.holder_identity = empty;
            assert!(taken(Some((&spec, Instant::now())), "b", Instant::now()).is_some());
        }
    }

    #[test]
    fn a_restarted_replica_of_the_same_name_does_not_wait_for_its_own_lease() {
        let spec = held_by("pod-0");
        assert!(taken(Some((&spec, Instant::now())), "pod-0", Instant::now()).is_some());
    }
}
