//! Whether a Secret may be made now under a name that another just had, and when else.
//!
//! An attempt within the first quarter of a second after a deletion is taken for recreating what
//! one does not own: whoever deletes the Secret that was in the way, and looks at once, must not
//! find another in its place. After a moment it is plainly a new one, and people do not notice the
//! difference. So no Secret is made within [`MOMENT`] of the deletion of one of its name, whoever it
//! belonged to and however that became known: by the watch, by a list without it, or because a
//! create met it and a look did not.
//!
//! A Secret that something deletes again and again is made again ever later (see [`Losses`]), so
//! that two programs do not wear the API server out against each other.
//!
//! Nothing is kept for longer than that, so memory does not grow with the cluster's Secrets.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::object::ObjectKey;

mod losses;

use losses::Losses;

/// Time between the deletion of a Secret and the making of the next.
pub const MOMENT: Duration = Duration::from_millis(300);
/// Time after which a new object is worked on: by then the other watch has told of a Secret that was
/// deleted together with its coming.
pub const SETTLED: Duration = Duration::from_millis(100);

/// The names that have become free of late.
#[derive(Debug, Default)]
pub struct Vacancies {
    /// Those within the last [`MOMENT`], oldest first.
    names: Mutex<VecDeque<(Instant, ObjectKey)>>,
    losses: Mutex<Losses>,
}

impl Vacancies {
    /// The Secret of this name is gone. Returns after how long another may be made.
    pub fn note(&self, key: ObjectKey, now: Instant) -> Duration {
        let mut names = lock(&self.names);
        while names.front().is_some_and(|(then, _)| *then + MOMENT <= now) {
            names.pop_front();
        }
        names.push_back((now, key));
        MOMENT
    }

    /// The same of a Secret that a SealedSecret describes.
    pub fn note_loss(&self, key: ObjectKey, now: Instant) -> Duration {
        let wait = lock(&self.losses).note(key.clone(), now);
        self.note(key, now).max(wait)
    }

    /// How long to wait until a Secret of this name may be made; nothing if that is now.
    pub fn wait(&self, key: &ObjectKey, now: Instant) -> Option<Duration> {
        let names = lock(&self.names);
        let noted = names.iter().rev().find(|(_, name)| name == key);
        let left = noted.and_then(|(then, _)| (*then + MOMENT).checked_duration_since(now));
        let lost = lock(&self.losses).wait(key, now);
        left.max(lost).filter(|wait| !wait.is_zero())
    }

    /// Whether the Secret of this name is deleted again and again.
    pub fn is_lost_often(&self, key: &ObjectKey, now: Instant) -> bool {
        lock(&self.losses).is_often(key, now)
    }

    /// The SealedSecret of this name is gone.
    pub fn forget(&self, key: &ObjectKey) {
        lock(&self.losses).forget(key);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn a_secret_that_is_lost_again_and_again_is_waited_for_longer() {
        let (vacancies, start) = (Vacancies::default(), Instant::now());
        let key = ObjectKey::new("n", "a");
        assert_eq!(vacancies.note_loss(key.clone(), start), MOMENT);
        assert_eq!(vacancies.note_loss(key.clone(), start), 2 * MOMENT);
        assert_eq!(vacancies.wait(&key, start + MOMENT), Some(MOMENT));
        assert_eq!(vacancies.wait(&key, start + 2 * MOMENT), None);
        vacancies.forget(&key);
        assert_eq!(vacancies.note_loss(key, start), MOMENT);
    }

    #[test]
    fn issue_1289_what_is_over_is_forgotten() {
        let (vacancies, start) = (Vacancies::default(), Instant::now());
        for number in 0..1000 {
            let name = format!("s-{number}");
            vacancies.note(ObjectKey::new("n", &name), start + MOMENT * number);
        }
        assert_eq!(lock(&vacancies.names).len(), 1);
    }
}
