//! Secrets that are deleted again and again.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use super::MOMENT;
use crate::object::ObjectKey;

/// So many times in a row are not a person's doing any more.
const OFTEN: u32 = 4;
/// The longest wait until a Secret is made again.
const LONGEST: Duration = Duration::from_mins(5);
/// A deletion that comes this much later than twice the wait before is the first again.
const QUIET: Duration = Duration::from_secs(30);

/// How often the Secret of each name was deleted in a row.
#[derive(Debug, Default)]
pub(super) struct Losses {
    rows: HashMap<ObjectKey, Row>,
    /// Number of rows at which those that are over are dropped.
    crowded: usize,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    times: u32,
    last: Instant,
}

impl Losses {
    /// The Secret was deleted. Returns after how long it may be made again: the wait doubles each
    /// time.
    pub(super) fn note(&mut self, key: ObjectKey, now: Instant) -> Duration {
        if self.rows.len() >= self.crowded {
            self.rows.retain(|_, row| !row.is_over(now));
            self.crowded = 2 * self.rows.len() + 64;
        }
        let before = self.rows.get(&key).filter(|row| !row.is_over(now));
        let times = before.map_or(0, |row| row.times).saturating_add(1);
        let row = Row { times, last: now };
        self.rows.insert(key, row);
        row.wait()
    }

    /// How long it is until then.
    pub(super) fn wait(&self, key: &ObjectKey, now: Instant) -> Option<Duration> {
        let row = self.rows.get(key)?;
        (row.last + row.wait()).checked_duration_since(now)
    }

    /// Whether it is deleted again and again.
    pub(super) fn is_often(&self, key: &ObjectKey, now: Instant) -> bool {
        let row = self.rows.get(key);
        row.is_some_and(|row| row.times >= OFTEN && !row.is_over(now))
    }

    pub(super) fn forget(&mut self, key: &ObjectKey) {
        self.rows.remove(key);
    }
}

impl Row {
    fn wait(self) -> Duration {
        let doublings = self.times.saturating_sub(1).min(16);
        MOMENT.saturating_mul(1 << doublings).min(LONGEST)
    }

    fn is_over(self, now: Instant) -> bool {
        self.last + 2 * self.wait() + QUIET <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_five_minutes_and_begins_anew_after_a_quiet_time() {
        let (mut losses, key) = (Losses::default(), ObjectKey::new("n", "a"));
        let mut now = Instant::now();
        let mut waits = Vec::new();
        for _ in 0..14 {
            let wait = losses.note(key.clone(), now);
            waits.push(wait);
            now += wait + Duration::from_millis(5);
        }
        assert!(
            waits
                .windows(2)
                .all(|pair| pair[1] == (2 * pair[0]).min(LONGEST))
        );
        assert_eq!((waits[0], waits[13]), (MOMENT, LONGEST));
        assert!(losses.is_often(&key, now));
        now += 2 * LONGEST + QUIET;
        assert!(!losses.is_often(&key, now));
        assert_eq!(losses.note(key, now), MOMENT);
    }

    #[test]
    fn a_secret_that_a_person_deletes_twice_is_not_deleted_often() {
        let (mut losses, key) = (Losses::default(), ObjectKey::new("n", "a"));
        let now = Instant::now();
        losses.note(key.clone(), now);
        losses.note(key.clone(), now + Duration::from_secs(5));
        assert!(!losses.is_often(&key, now + Duration::from_secs(6)));
    }

    #[test]
    fn what_is_over_is_forgotten() {
        let (mut losses, mut now) = (Losses::default(), Instant::now());
        for number in 0..10_000 {
            losses.note(ObjectKey::new("n", format!("s-{number}")), now);
            now += Duration::from_secs(1);
        }
        assert!(losses.rows.len() < 256, "{}", losses.rows.len());
    }
}
