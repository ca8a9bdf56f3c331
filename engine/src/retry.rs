//! When to try again.

use std::time::Duration;

use crate::outcome::{ApiFailure, Failure, Remedy};

/// How long to wait before the next attempt, after `attempt` failed ones in a row (the first is 1).
/// There is always a next one, for as long as the object exists; a change of the object, of its
/// Secret or of the keys comes before it.
///
/// The delay doubles from a second up to five minutes; where only another object or another key can
/// help, from a minute up to an hour, since each attempt costs private-key operations. `seed` varies
/// it by a fifth, so that objects that failed together do not come back together: give each object
/// its own, such as a hash of its UID.
///
/// Where the API server says after how long to come again, nobody comes before, within the limit of
/// five minutes.
///
/// The shortest delay stays above 500 ms: whoever deletes the Secret in the way and looks at once
/// must not find another in its place.
pub fn delay(failure: &Failure, attempt: u32, seed: u64) -> Duration {
    let (first, longest) = match failure.remedy() {
        Remedy::Retry | Remedy::Cluster => (Duration::from_secs(1), Duration::from_mins(5)),
        Remedy::Object => (Duration::from_mins(1), Duration::from_hours(1)),
    };
    let doublings = attempt.saturating_sub(1).min(16);
    let plain = first.saturating_mul(1 << doublings).min(longest);
    let own = plain.mul_f64(jitter(seed, attempt));
    match failure {
        Failure::Api(ApiFailure {
            retry_after: Some(told),
            ..
        }) => own.max((*told).min(longest)),
        _ => own,
    }
}

/// A factor from 0.8 to 1.2.
pub(crate) fn jitter(seed: u64, attempt: u32) -> f64 {
    // The finalizer of SplitMix64: neighbouring seeds come out far apart.
    let mut bits = seed.wrapping_add(u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let share = u32::try_from((bits ^ (bits >> 31)) >> 32).unwrap_or(u32::MAX);
    0.8 + 0.4 * f64::from(share) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unseal::{Cause, UnsealError};

    fn transient() -> Failure {
        Failure::Api(ApiFailure {
            code: Some(503),
            message: String::new(),
            retry_after: None,
        })
    }

    #[test]
    fn the_delay_grows_and_is_capped_and_never_overflows() {
        let delays: Vec<_> = [1, 2, 3, 9, 100, u32::MAX]
            .map(|n| delay(&transient(), n, 7))
            .into();
        assert!(delays.windows(2).take(3).all(|pair| pair[0] < pair[1]));
        assert!(delays.iter().all(|delay| *delay <= Duration::from_mins(6)));
        assert!(delays[5] >= Duration::from_mins(4));
    }

    #[test]
    fn no_attempt_follows_within_half_a_second() {
        for seed in 0..1000 {
            assert!(delay(&transient(), 1, seed) > Duration::from_millis(500));
        }
    }

    #[test]
    fn nobody_comes_before_the_server_says() {
        let busy = |seconds| {
            Failure::Api(ApiFailure {
                code: Some(429),
                message: String::new(),
                retry_after: Some(Duration::from_secs(seconds)),
            })
        };
        assert_eq!(delay(&busy(30), 1, 7), Duration::from_secs(30));
        assert!(delay(&busy(0), 1, 7) > Duration::from_millis(500));
        assert_eq!(delay(&busy(86_400), 1, 7), Duration::from_mins(5));
    }

    #[test]
    fn objects_that_failed_together_come_back_apart() {
        let mut delays: Vec<_> = (0..100).map(|seed| delay(&transient(), 5, seed)).collect();
        delays.sort_unstable();
        delays.dedup();
        assert!(delays.len() > 90);
    }

    #[test]
    fn what_only_another_object_can_mend_is_tried_seldom() {
        let hopeless = Failure::Unseal(UnsealError::whole(Cause::NotASecret, 1));
        assert!(delay(&hopeless, 1, 0) >= Duration::from_secs(48));
        assert!(delay(&hopeless, 50, 0) <= Duration::from_mins(72));
    }
}
