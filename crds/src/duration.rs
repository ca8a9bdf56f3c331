//! Durations as Go reads and prints them: `1h30m`, `720h`, `1.5s`, `0`.
//!
//! Fields of the kind `metav1.Duration` are written in this form. `kube::core::Duration` reads it too,
//! but panics on texts such as `1h-5m` and prints `3600s` where Go prints `1h0m0s`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// A signed duration in nanoseconds, at most about 292 years either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoDuration(i64);

/// Why a text is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Nothing, a number without a unit, or no number.
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
    /// More than about 292 years, Go's own limit.
    #[error("`{0}` is too long")]
    TooLong(String),
}

impl GoDuration {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// So many nanoseconds.
    pub const fn from_nanos(nanoseconds: i64) -> Self {
        Self(nanoseconds)
    }

    /// So many seconds; what does not fit becomes the longest duration there is.
    pub const fn from_secs(seconds: i64) -> Self {
        Self(seconds.saturating_mul(SECOND.cast_signed()))
    }

    /// Nanoseconds.
    pub const fn nanos(self) -> i64 {
        self.0
    }

    /// The duration, if it is not below zero.
    pub fn to_std(self) -> Option<Duration> {
        u64::try_from(self.0).ok().map(Duration::from_nanos)
    }

    /// Whether it is longer than nothing. For an interval, Go programs take all else as "never".
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }
}

const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

impl FromStr for GoDuration {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let malformed = || ParseError::Malformed(text.to_owned());
        let too_long = || ParseError::TooLong(text.to_owned());
        let (negative, mut rest) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        if rest == "0" {
            return Ok(Self::ZERO);
        }
        if rest.is_empty() {
            return Err(malformed());
        }
        let mut total: u64 = 0;
        while !rest.is_empty() {
            let (whole, tail) = digits(rest);
            let (fraction, tail) = tail.strip_prefix('.').map_or(("", tail), digits);
            if whole.is_empty() && fraction.is_empty() {
                return Err(malformed());
            }
            let (unit, tail) = unit(tail);
            if unit.is_empty() {
                return Err(malformed());
            }
            let scale = scale(unit).ok_or_else(|| ParseError::Unit {
                text: text.to_owned(),
                unit: unit.to_owned(),
            })?;
            let whole: u64 = if whole.is_empty() {
                0
            } else {
                whole.parse().map_err(|_| too_long())?
            };
            total = whole
                .checked_mul(scale)
                .and_then(|value| value.checked_add(part(fraction, scale)))
                .and_then(|value| total.checked_add(value))
                .filter(|total| *total <= LIMIT)
                .ok_or_else(too_long)?;
            rest = tail;
        }
        match (negative, i64::try_from(total)) {
            (false, Ok(total)) => Ok(Self(total)),
            (true, Ok(total)) => Ok(Self(-total)),
            (true, Err(_)) => Ok(Self(i64::MIN)),
            (false, Err(_)) => Err(too_long()),
        }
    }
}

/// Nanoseconds of the longest duration below zero.
const LIMIT: u64 = i64::MIN.unsigned_abs();

fn digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

fn unit(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| c.is_ascii_digit() || c == '.')
        .unwrap_or(text.len());
    text.split_at(end)
}

fn scale(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => MICROSECOND,
        "ms" => MILLISECOND,
        "s" => SECOND,
        "m" => MINUTE,
        "h" => HOUR,
        _ => return None,
    })
}

/// The digits after the point, in nanoseconds. What is finer than that is cut off.
fn part(fraction: &str, scale: u64) -> u64 {
    let (mut value, mut place) = (0, u128::from(scale) * PLACES);
    for digit in fraction.bytes() {
        place /= 10;
        value += u128::from(digit - b'0') * place;
    }
    u64::try_from(value / PLACES).unwrap_or(u64::MAX)
}

/// Enough decimal places for what is finer than a nanosecond of an hour.
const PLACES: u128 = 1_000_000_000_000_000_000;

impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.0.unsigned_abs();
        if self.0 < 0 {
            f.write_str("-")?;
        }
        match total {
            0 => f.write_str("0s"),
            1..MICROSECOND => write!(f, "{total}ns"),
            MICROSECOND..MILLISECOND => write!(f, "{}µs", Decimal(total, MICROSECOND)),
            MILLISECOND..SECOND => write!(f, "{}ms", Decimal(total, MILLISECOND)),
            _ => {
                if total >= HOUR {
                    write!(f, "{}h", total / HOUR)?;
                }
                if total >= MINUTE {
                    write!(f, "{}m", total % HOUR / MINUTE)?;
                }
                write!(f, "{}s", Decimal(total % MINUTE, SECOND))
            }
        }
    }
}

/// A number of units, without trailing zeros.
struct Decimal(u64, u64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, unit) = *self;
        write!(f, "{}", value / unit)?;
        if value % unit == 0 {
            return Ok(());
        }
        let places = unit.ilog10() as usize;
        let digits = format!("{:0places$}", value % unit);
        write!(f, ".{}", digits.trim_end_matches('0'))
    }
}

impl Serialize for GoDuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GoDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for GoDuration {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }

    fn inline_schema() -> bool {
        true
    }

    /// What Go cannot read stops every Go program that lists the resource, so it is not let in.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": r"^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$",
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn nanos(text: &str) -> i64 {
        text.parse::<GoDuration>().unwrap().nanos()
    }

    #[test]
    fn what_go_reads_is_read() {
        let second = 1_000_000_000;
        for (text, expected) in [
            ("0", 0),
            ("-0", 0),
            ("+0s", 0),
            ("1h", 3600 * second),
            ("1h0m0s", 3600 * second),
            ("87600h0m0s", 315_360_000 * second),
            ("1h15m30.5s", 4530 * second + second / 2),
            ("10.5s4m", 250 * second + second / 2),
            ("-2m3.4s", -(123 * second + 400_000_000)),
            ("5.s", 5 * second),
            (".5s", second / 2),
            ("300ms", 300_000_000),
            ("2us", 2000),
            ("2µs", 2000),
            ("2μs", 2000),
            ("9007199254740993ns", 9_007_199_254_740_993),
            ("0.3333333333333333333h", 1200 * second - 1),
            ("9223372036854775807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
        ] {
            let parsed = nanos(text);
            // Go computes the fraction in floating point.
            assert!((parsed - expected).abs() <= 1, "{text}: {parsed}");
        }
    }

    #[test]
    fn what_go_refuses_is_refused() {
        for text in [
            "", "+", "-", "3", "h", "1x", "1h5", "..s", ".s", "1 h", "1h-5m", "one hour", "1e3s",
            "--1s", "1hh",
        ] {
            assert!(text.parse::<GoDuration>().is_err(), "{text:?}");
        }
        for text in ["99999999999h", "2000000h2000000h", "9223372036854775808ns"] {
            let refused = text.parse::<GoDuration>();
            assert_eq!(refused, Err(ParseError::TooLong(text.to_owned())));
        }
    }

    #[test]
    fn it_is_printed_as_go_prints_it() {
        for (text, printed) in [
            ("0", "0s"),
            ("1h", "1h0m0s"),
            ("90m", "1h30m0s"),
            ("60s", "1m0s"),
            ("1.5s", "1.5s"),
            ("61.25s", "1m1.25s"),
            ("100ms", "100ms"),
            ("1500us", "1.5ms"),
            ("2200ns", "2.2µs"),
            ("7ns", "7ns"),
            ("-1h", "-1h0m0s"),
            ("9223372036854775807ns", "2562047h47m16.854775807s"),
        ] {
            assert_eq!(text.parse::<GoDuration>().unwrap().to_string(), printed);
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(nanoseconds: i64) {
            let duration = GoDuration::from_nanos(nanoseconds);
            prop_assert_eq!(duration.to_string().parse::<GoDuration>().unwrap(), duration);
        }

        #[test]
        fn no_text_panics(text in "[-+]?([0-9]{0,22}[.]?[0-9]{0,25}(h|m|s|ms|µs|x|-)?){0,3}") {
            let _ = text.parse::<GoDuration>();
        }
    }
}
