//! The last key, when somebody has taken it away.

use std::time::Duration;

use tokio::time::Instant;

/// Time in which a last key that was deleted or relabelled can be put back before another takes its
/// place: who restores a backup deletes first and creates then.
pub(super) const RESTORABLE: Duration = Duration::from_mins(1);

/// Whether there was a key, and since when there is none.
#[derive(Debug, Default)]
pub(super) struct LastKey {
    seen: bool,
    lost: Option<Instant>,
}

impl LastKey {
    /// Notes whether there is a key. Returns how long a new one is to wait; at the start, where there
    /// never was one, not at all.
    pub(super) fn wait(&mut self, there: bool, now: Instant) -> Option<Duration> {
        if there {
            *self = Self {
                seen: true,
                lost: None,
            };
            return None;
        }
        if !self.seen {
            return None;
        }
        let lost = *self.lost.get_or_insert(now);
        let left = (lost + RESTORABLE).saturating_duration_since(now);
        (!left.is_zero()).then_some(left)
    }

    /// Whether this is the moment in which it was lost.
    pub(super) fn is_lost_at(&self, now: Instant) -> bool {
        self.lost == Some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_is_made_at_once_and_a_lost_one_can_be_restored_for_a_minute() {
        let (mut last, now) = (LastKey::default(), Instant::now());
        assert_eq!(last.wait(false, now), None);
        assert_eq!(last.wait(true, now), None);
        assert_eq!(last.wait(false, now), Some(RESTORABLE));
        assert!(last.is_lost_at(now));
        let later = now + Duration::from_secs(40);
        assert_eq!(last.wait(false, later), Some(Duration::from_secs(20)));
        assert!(!last.is_lost_at(later));
        assert_eq!(last.wait(false, now + RESTORABLE), None);
        assert_eq!(last.wait(true, later), None);
        assert_eq!(last.wait(false, later), Some(RESTORABLE), "it begins anew");
    }
}
