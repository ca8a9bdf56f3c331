//! Another controller beside us that writes the same statuses or Secrets: noticed, said, and not
//! fought.
//!
//! A status of ours that comes back without what only we write was written over. Once or twice is
//! the change of hands (a Sealed Secrets controller that is being replaced); [`OFTEN`] times within
//! [`WITHIN`] is a second writer. Then the object is left alone for [`TRUCE`], and its status says
//! who else writes.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;

use crate::{client::FIELD_MANAGER, object::ObjectKey};

/// Times that somebody must have written over us.
pub const OFTEN: usize = 5;
/// Time in which that counts.
pub const WITHIN: Duration = Duration::from_mins(2);
/// Time for which the object is then left alone.
pub const TRUCE: Duration = Duration::from_mins(5);

/// Who wrote over what.
#[derive(Debug, Default)]
pub struct Rivals(Mutex<HashMap<ObjectKey, Encounters>>);

#[derive(Debug, Default)]
struct Encounters {
    writer: String,
    times: Vec<Instant>,
}

/// A second writer of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rival {
    /// Its name in managedFields.
    pub writer: String,
    /// How long to leave the object alone.
    pub wait: Duration,
}

impl Rivals {
    /// Somebody wrote over us.
    pub fn note(&self, key: &ObjectKey, writer: &str, now: Instant) {
        let mut all = self.lock();
        let encounters = all.entry(key.clone()).or_default();
        writer.clone_into(&mut encounters.writer);
        let recent = |time: &Instant| now.saturating_duration_since(*time) < WITHIN;
        encounters.times.retain(recent);
        encounters.times.push(now);
    }

    /// The second writer of an object, while it is to be left alone.
    pub fn of(&self, key: &ObjectKey, now: Instant) -> Option<Rival> {
        let mut all = self.lock();
        let encounters = all.get_mut(key)?;
        let last = encounters.times.last().copied()?;
        let wait = TRUCE.saturating_sub(now.saturating_duration_since(last));
        if wait.is_zero() {
            all.remove(key);
            return None;
        }
        (encounters.times.len() >= OFTEN).then(|| Rival {
            writer: encounters.writer.clone(),
            wait,
        })
    }

    /// The object is gone.
    pub fn forget(&self, key: &ObjectKey) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ObjectKey, Encounters>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who but us wrote last, of the status or of the object itself.
pub fn last_other_writer(
    fields: &[ManagedFieldsEntry],
    subresource: Option<&str>,
) -> Option<String> {
    let others = fields.iter().filter(|entry| {
        entry.subresource.as_deref().filter(|name| !name.is_empty()) == subresource
            && entry.manager.as_deref() != Some(FIELD_MANAGER)
    });
    others
        .max_by_key(|entry| entry.time.clone())
        .and_then(|entry| entry.manager.clone())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

    use super::*;

    fn minutes(since: Instant, minutes: u64) -> Instant {
        since + Duration::from_mins(minutes)
    }

    #[test]
    fn a_change_of_hands_is_no_fight() {
        let (rivals, key, now) = (Rivals::default(), ObjectKey::new("n", "a"), Instant::now());
        rivals.note(&key, "controller", now);
        rivals.note(&key, "controller", now);
        assert_eq!(rivals.of(&key, now), None);
    }

    #[test]
    fn a_second_writer_is_left_alone_with_for_a_while() {
        let (rivals, key, now) = (Rivals::default(), ObjectKey::new("n", "a"), Instant::now());
        for _ in 0..OFTEN {
            rivals.note(&key, "controller", now);
        }
        let rival = rivals.of(&key, minutes(now, 1)).unwrap();
        assert_eq!(
            rival,
            Rival {
                writer: "controller".into(),
                wait: Duration::from_mins(4)
            }
        );
        assert_eq!(rivals.of(&key, minutes(now, 5)), None);
    }

    #[test]
    fn encounters_far_apart_do_not_add_up() {
        let (rivals, key, now) = (Rivals::default(), ObjectKey::new("n", "a"), Instant::now());
        for number in 0..6 {
            rivals.note(&key, "controller", minutes(now, number));
        }
        assert_eq!(rivals.of(&key, minutes(now, 5)), None);
    }

    #[test]
    fn the_last_writer_that_is_not_us_is_named() {
        let entry = |manager: &str, subresource: Option<&str>, time: &str| ManagedFieldsEntry {
            manager: Some(manager.into()),
            subresource: subresource.map(str::to_owned),
            time: Some(Time(time.parse().unwrap())),
            ..Default::default()
        };
        let fields = [
            entry("kubectl", None, "2026-01-03T00:00:00Z"),
            entry("old", Some("status"), "2026-01-01T00:00:00Z"),
            entry("controller", Some("status"), "2026-01-02T00:00:00Z"),
            entry(FIELD_MANAGER, Some("status"), "2026-01-04T00:00:00Z"),
        ];
        assert_eq!(
            last_other_writer(&fields, Some("status")).as_deref(),
            Some("controller")
        );
        assert_eq!(last_other_writer(&fields, None).as_deref(), Some("kubectl"));
        assert_eq!(last_other_writer(&[], None), None);
    }
}
