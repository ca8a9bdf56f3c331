//! Durations of flags, as Go's `time.ParseDuration` reads them: `720h`, `1h15m30.5s`, `300ms`, `0`.

use std::time::Duration;

use signet_crds::duration::{GoDuration, ParseError};
use thiserror::Error;

/// Why a text is not a duration for a flag.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DurationError {
    /// It is none at all.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// Below zero: no flag of ours means anything by that.
    #[error("`{0}` is negative")]
    Negative(String),
}

/// Parses a Go duration.
pub fn parse(text: &str) -> Result<Duration, DurationError> {
    let duration: GoDuration = text.parse()?;
    duration
        .to_std()
        .ok_or_else(|| DurationError::Negative(text.to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn durations_that_go_prints_are_read() {
        assert_eq!(parse("87600h0m0s"), Ok(Duration::from_hours(87_600)));
        assert_eq!(parse("-0s"), Ok(Duration::ZERO));
        assert!(matches!(parse("1h-5m"), Err(DurationError::Text(_))));
    }

    #[test]
    fn a_negative_duration_is_named_as_such() {
        assert_eq!(parse("-1h"), Err(DurationError::Negative("-1h".into())));
    }
}
