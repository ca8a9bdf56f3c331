//! When to try again.

use std::time::Duration;

use signet_crds::external::external_secret::ExternalSecret;

use crate::outcome::Remedy;
use crate::retry::jitter;

use super::outcome::Failure;

const SECOND: Duration = Duration::from_secs(1);
const LONGEST_TRANSIENT: Duration = Duration::from_mins(5);
const LONGEST: Duration = Duration::from_hours(1);

/// How long to wait before the next attempt, after `attempt` failed ones in a row (the first is 1). A
/// change of the resource, its store or its Secret comes before it.
///
/// What time can mend is tried after a second, then less and less often, at most every five minutes or
/// at the interval of the resource. What only a person can mend, such as a secret that the store does not
/// have, is asked for as often as the interval says, at most every minute and at least every hour:
/// a resource that asks once a day must not ask hundreds of times because it fails
/// (external-secrets#6728). Where a store says after how long to come again, nobody comes before, within
/// an hour. `seed` varies it by a fifth: give each object its own, such as a hash of its UID.
pub fn delay(external: &ExternalSecret, failure: &Failure, attempt: u32, seed: u64) -> Duration {
    let interval = external.spec.refresh_interval().to_std();
    let interval = interval
        .filter(|interval| !interval.is_zero())
        .unwrap_or(LONGEST);
    let (first, longest) = match failure.remedy() {
        Remedy::Retry => (SECOND, LONGEST_TRANSIENT.min(interval.max(10 * SECOND))),
        Remedy::Cluster | Remedy::Object => {
            let longest = interval.clamp(Duration::from_mins(1), LONGEST);
            (Duration::from_mins(1), longest)
        }
    };
    let doublings = attempt.saturating_sub(1).min(16);
    let plain = first.saturating_mul(1 << doublings).min(longest);
    let own = plain.mul_f64(jitter(seed, attempt));
    match failure.retry_after() {
        Some(told) => own.max(told.min(LONGEST)),
        None => own,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use signet_crds::external::external_secret::ExternalSecretSpec;

    use super::*;

    fn every(interval: &str) -> ExternalSecret {
        let mut external = ExternalSecret::new("app", ExternalSecretSpec::default());
        external.spec.refresh_interval = Some(interval.parse().unwrap());
        external
    }

    fn failed(transient: bool) -> Failure {
        Failure::Store {
            message: "no answer".to_owned(),
            transient,
        }
    }

    /// Attempts in a day.
    fn attempts(external: &ExternalSecret, failure: &Failure) -> u32 {
        let mut time = Duration::ZERO;
        let mut attempt = 0;
        while time < Duration::from_hours(24) {
            attempt += 1;
            time += delay(external, failure, attempt, 7);
        }
        attempt
    }

    #[test]
    fn issue_6728_a_resource_that_asks_once_a_day_does_not_ask_hundreds_of_times_when_it_fails() {
        assert!(attempts(&every("24h"), &failed(false)) < 40);
        assert!(attempts(&every("1h"), &failed(false)) < 40);
    }

    #[test]
    fn what_time_can_mend_is_tried_soon_and_then_every_five_minutes() {
        let external = every("24h");
        assert!(delay(&external, &failed(true), 1, 7) < 2 * SECOND);
        assert!(delay(&external, &failed(true), 50, 7) <= Duration::from_mins(6));
        assert!(delay(&every("30s"), &failed(true), 50, 7) <= Duration::from_secs(36));
        assert!(delay(&every("0"), &failed(true), 50, 7) <= Duration::from_mins(6));
    }

    #[test]
    fn nobody_comes_before_the_store_says() {
        use crate::outcome::ApiFailure;
        let busy = |retry_after| {
            Failure::Api(ApiFailure {
                code: Some(429),
                message: String::new(),
                retry_after,
            })
        };
        let told = Duration::from_secs(90);
        assert_eq!(delay(&every("1h"), &busy(Some(told)), 1, 7), told);
        assert!(delay(&every("1h"), &busy(None), 1, 7) < told);
    }
}
