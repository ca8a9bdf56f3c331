//! Whether a Secret may be made now under a name that another just had, and when else.
//!
//! An attempt within the first quarter of a second after a deletion is taken for recreating what
//! one does not own: whoever deletes the Secret that was in the way, and looks at once, must not
//! find another in its place. After a moment it is plainly a new one, and people do not notice the
//! difference. So no Secret is made within [`MOMENT`] of the deletion of one of its name, whoever it
//! belonged to and however that became known: by the watch, by a list without it, or because a
//! create met it and a look did not.
//!
//! Nothing is kept for longer than that moment, so memory does not grow with the cluster's Secrets.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::object::ObjectKey;

/// Time between the deletion of a Secret and the making of the next.
pub const MOMENT: Duration = Duration::from_millis(300);
/// Time after which a new object is worked on: by then the other watch has told of a Secret that was
/// deleted together with its coming.
pub const SETTLED: Duration = Duration::from_millis(100);

/// The names that have become free within the last [`MOMENT`], oldest first.
#[derive(Debug, Default)]
pub struct Vacancies(Mutex<VecDeque<(Instant, ObjectKey)>>);

impl Vacancies {
    /// The Secret of this name is gone. Returns after how long another may be made.
    pub fn note(&self, key: ObjectKey, now: Instant) -> Duration {
        let mut names = self.names();
        while names.front().is_some_and(|(then, _)| *then + MOMENT <= now) {
            names.pop_front();
        }
        names.push_back((now, key));
        MOMENT
    }

    /// How long to wait until a Secret of this name may be made; nothing if that is now.
    pub fn wait(&self, key: &ObjectKey, now: Instant) -> Option<Duration> {
        let names = self.names();
        let (then, _) = names.iter().rev().find(|(_, name)| name == key)?;
        let left = (*then + MOMENT).checked_duration_since(now)?;
        (!left.is_zero()).then_some(left)
    }

    fn names(&self) -> MutexGuard<'_, VecDeque<(Instant, ObjectKey)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_waited_for_until_the_moment_after_its_last_deletion_is_over() {
        let (vacancies, start) = (Vacancies::default(), Instant::now());
        let (key, other) = (ObjectKey::new("n", "a"), ObjectKey::new("n", "b"));
        assert_eq!(vacancies.wait(&key, start), None);
        vacancies.note(key.clone(), start);
        let later = start + Duration::from_millis(100);
        assert_eq!(
            vacancies.wait(&key, later),
            Some(Duration::from_millis(200))
        );
        assert_eq!(vacancies.wait(&other, later), None);
        vacancies.note(key.clone(), later);
        assert_eq!(vacancies.wait(&key, later), Some(MOMENT));
        assert_eq!(vacancies.wait(&key, later + MOMENT), None);
    }

    #[test]
    fn issue_1289_what_is_over_is_forgotten() {
        let (vacancies, start) = (Vacancies::default(), Instant::now());
        for number in 0..1000 {
            let name = format!("s-{number}");
            vacancies.note(ObjectKey::new("n", &name), start + MOMENT * number);
        }
        assert_eq!(vacancies.names().len(), 1);
    }
}
