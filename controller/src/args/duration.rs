//! Durations as Go's `time.ParseDuration` reads them: `720h`, `1h15m30.5s`, `300ms`, `0`.

use std::time::Duration;

use thiserror::Error;

/// Why a text is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DurationError {
    /// Nothing, or only a sign.
    #[error(
        "`{0}` is not a duration, expected a number with a unit such as `720h`, `30m` or `1h30m`"
    )]
    Malformed(String),
    /// A unit that Go does not know.
    #[error("`{text}` has the unknown unit `{unit}`, the units are ns, us, ms, s, m and h")]
    Unit {
        /// The whole text.
        text: String,
        /// What stands where a unit should.
        unit: String,
    },
    /// Below zero: no flag of ours means anything by that.
    #[error("`{0}` is negative")]
    Negative(String),
    /// More than about 292 years, Go's own limit.
    #[error("`{0}` is too long")]
    TooLong(String),
}

/// The largest duration Go can hold, in nanoseconds.
const LONGEST: f64 = 9.223_372_036_854_775e18;

/// Parses a Go duration.
pub fn parse(text: &str) -> Result<Duration, DurationError> {
    let malformed = || DurationError::Malformed(text.to_owned());
    if let Some(rest) = text.strip_prefix('-') {
        return match parse(rest) {
            Ok(Duration::ZERO) => Ok(Duration::ZERO),
            Ok(_) => Err(DurationError::Negative(text.to_owned())),
            Err(_) => Err(malformed()),
        };
    }
    let mut rest = text.strip_prefix('+').unwrap_or(text);
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    if rest.is_empty() {
        return Err(malformed());
    }
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let number = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
                .len();
        let (digits, tail) = rest.split_at(number);
        let value: f64 = match digits {
            "" | "." => return Err(malformed()),
            digits => digits.parse().map_err(|_| malformed())?,
        };
        let unit_end = tail
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_end);
        let nanoseconds = value
            * nanoseconds_in(unit).ok_or_else(|| DurationError::Unit {
                text: text.to_owned(),
                unit: unit.to_owned(),
            })?;
        if nanoseconds > LONGEST {
            return Err(DurationError::TooLong(text.to_owned()));
        }
        total += Duration::from_secs_f64(nanoseconds / 1e9);
        rest = tail;
    }
    if total.as_secs_f64() * 1e9 > LONGEST {
        return Err(DurationError::TooLong(text.to_owned()));
    }
    Ok(total)
}

fn nanoseconds_in(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" => 60e9,
        "h" => 3600e9,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn durations_that_go_prints_are_read_back() {
        for (text, seconds) in [
            ("720h", 2_592_000.0),
            ("87600h0m0s", 315_360_000.0),
            ("1h15m30.5s", 4530.5),
            ("300ms", 0.3),
            ("1.5h", 5400.0),
            ("2us", 2e-6),
            ("2µs", 2e-6),
            (".5s", 0.5),
            ("+3s", 3.0),
            ("0", 0.0),
            ("-0s", 0.0),
        ] {
            let parsed = parse(text).unwrap().as_secs_f64();
            assert!((parsed - seconds).abs() < 1e-9, "{text}: {parsed}");
        }
    }

    #[test]
    fn what_go_refuses_is_refused() {
        for text in [
            "", "+", "-", "3", "h", "1x", "1h5", "..s", "1 h", "one hour",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_negative_duration_is_named_as_such() {
        assert_eq!(parse("-1h"), Err(DurationError::Negative("-1h".into())));
    }

    #[test]
    fn a_duration_beyond_gos_range_is_refused_without_panic() {
        assert_eq!(
            parse("99999999999h"),
            Err(DurationError::TooLong("99999999999h".into()))
        );
        assert_eq!(
            parse("2000000h2000000h"),
            Err(DurationError::TooLong("2000000h2000000h".into()))
        );
    }
}
