//! Numbers of a template, in all forms in which Go writes them.

/// A number that takes the type of the place where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Constant {
    /// Its value as an integer, if it has one.
    pub(crate) int: Option<i64>,
    pub(crate) float: f64,
    /// Whether it is a float where nothing else is asked for.
    pub(crate) is_float: bool,
}

impl Constant {
    pub(crate) fn rune(c: u32) -> Self {
        Self {
            int: Some(c.into()),
            float: c.into(),
            is_float: false,
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if text.ends_with('i') {
            return Err("complex numbers are not supported");
        }
        let (negative, unsigned) = match text.as_bytes() {
            [b'-', ..] => (true, &text[1..]),
            [b'+', ..] => (false, &text[1..]),
            _ => (false, text),
        };
        if let Some(magnitude) = integer(unsigned) {
            let value = if negative { -magnitude } else { magnitude };
            if let Ok(int) = i64::try_from(value) {
                #[expect(clippy::cast_precision_loss, reason = "a float is asked for")]
                return Ok(Self {
                    int: Some(int),
                    float: int as f64,
                    is_float: false,
                });
            }
            if u64::try_from(value).is_ok() && unsigned.len() == text.len() {
                // An unsigned integer, which no function takes: refused where it is used.
                #[expect(clippy::cast_precision_loss, reason = "a float is asked for")]
                return Ok(Self {
                    int: None,
                    float: value as f64,
                    is_float: false,
                });
            }
            return Err("integer overflow");
        }
        let magnitude = float(unsigned).ok_or("bad number syntax")?;
        if !text.contains(['.', 'e', 'E', 'p', 'P']) {
            return Err("integer overflow");
        }
        let value = if negative { -magnitude } else { magnitude };
        Ok(Self {
            int: whole(value),
            float: value,
            is_float: true,
        })
    }
}

/// Base prefix, underscores between digits; a leading zero is octal.
pub(crate) fn integer(text: &str) -> Option<i128> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'o', ..] => (&lower[2..], 8),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    // An underscore stands between digits, or between a prefix and a digit.
    let prefixed = digits.len() < lower.len();
    let body = if prefixed {
        digits.strip_prefix('_').unwrap_or(digits)
    } else {
        digits
    };
    if body.is_empty() || body.starts_with('_') || body.ends_with('_') || body.contains("__") {
        return None;
    }
    i128::from_str_radix(&body.replace('_', ""), radix).ok()
}

fn float(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return hex_float(hex);
    }
    let numeric = lower
        .chars()
        .all(|c| matches!(c, '0'..='9' | '.' | 'e' | '+' | '-'));
    let value: f64 = lower.parse().ok().filter(|_| numeric)?;
    value.is_finite().then_some(value)
}

fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat().replace('_', "");
    // 53 bits and a few: more digits than this are not worth rounding right.
    if digits.is_empty() || digits.len() > 28 {
        return None;
    }
    let mantissa = u128::from_str_radix(&digits, 16).ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    let scale = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    #[expect(clippy::cast_precision_loss, reason = "a float is asked for")]
    let value = mantissa as f64 * 2f64.powi(scale);
    value.is_finite().then_some(value)
}

/// The integer that a float is, if it is one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "compared exactly"
)]
fn whole(value: f64) -> Option<i64> {
    let int = value as i64;
    (int as f64 == value && int != i64::MAX).then_some(int)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn integers_have_all_of_gos_bases() {
        let int = |text| Constant::parse(text).unwrap().int;
        assert_eq!(int("-12"), Some(-12));
        assert_eq!(int("0x_fF"), Some(255));
        assert_eq!(int("0b101"), Some(5));
        assert_eq!(int("0o17"), Some(15));
        assert_eq!(int("017"), Some(15));
        assert_eq!(int("1_000"), Some(1000));
        assert_eq!(int("0"), Some(0));
    }

    #[test]
    fn a_float_that_is_whole_is_an_integer_too() {
        let constant = Constant::parse("1e3").unwrap();
        assert_eq!((constant.int, constant.is_float), (Some(1000), true));
        assert_eq!(Constant::parse("1.5").unwrap().int, None);
        assert!((Constant::parse("0x1p4").unwrap().float - 16.0).abs() < f64::EPSILON);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "3i",
            "1_",
            "08",
            "1__0",
            "0x",
            "99999999999999999999",
            "1e999",
            ".",
        ] {
            assert!(Constant::parse(text).is_err(), "{text}");
        }
    }
}
