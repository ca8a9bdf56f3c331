//! Secrets that were deleted a moment ago, whoever they belonged to.
//!
//! A new SealedSecret may come just as a Secret of its name goes. That Secret was not its own, so
//! making another at once would look like recreating it; after a moment it is plainly a new one.
//! Nothing is kept for longer than that moment, so memory does not grow with the cluster's Secrets.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::object::ObjectKey;

/// The names of Secrets that were deleted within the last `moment`.
#[derive(Debug)]
pub struct Deletions {
    moment: Duration,
    /// Oldest first.
    seen: Mutex<VecDeque<(Instant, ObjectKey)>>,
}

impl Deletions {
    /// Remembers each deletion for so long.
    pub fn new(moment: Duration) -> Self {
        Self {
            moment,
            seen: Mutex::default(),
        }
    }

    /// A Secret was deleted.
    pub fn note(&self, key: ObjectKey, now: Instant) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        while seen
            .front()
            .is_some_and(|(then, _)| *then + self.moment <= now)
        {
            seen.pop_front();
        }
        seen.push_back((now, key));
    }

    /// How long to wait until a Secret of this name may be made; nothing if none was deleted lately.
    pub fn wait(&self, key: &ObjectKey, now: Instant) -> Option<Duration> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (then, _) = seen.iter().rev().find(|(_, deleted)| deleted == key)?;
        let left = (*then + self.moment).checked_duration_since(now)?;
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOMENT: Duration = Duration::from_millis(300);

    #[test]
    fn a_name_is_waited_for_until_the_moment_after_its_last_deletion_is_over() {
        let (deletions, start) = (Deletions::new(MOMENT), Instant::now());
        let (key, other) = (ObjectKey::new("n", "a"), ObjectKey::new("n", "b"));
        assert_eq!(deletions.wait(&key, start), None);
        deletions.note(key.clone(), start);
        let later = start + Duration::from_millis(100);
        assert_eq!(
            deletions.wait(&key, later),
            Some(Duration::from_millis(200))
        );
        assert_eq!(deletions.wait(&other, later), None);
        deletions.note(key.clone(), later);
        assert_eq!(deletions.wait(&key, later), Some(MOMENT));
        assert_eq!(deletions.wait(&key, later + MOMENT), None);
    }

    #[test]
    fn issue_1289_what_is_over_is_forgotten() {
        let (deletions, start) = (Deletions::new(MOMENT), Instant::now());
        for number in 0..1000 {
            let name = format!("s-{number}");
            deletions.note(ObjectKey::new("n", &name), start + MOMENT * number);
        }
        assert_eq!(deletions.seen.lock().map(|seen| seen.len()).ok(), Some(1));
    }
}
