//! How Go spells booleans, numbers and times, and what it reads as one.

use super::Kind;

mod time;

/// A text compared with the one spelling of its value.
pub(super) enum Canonical {
    /// It is spelled so.
    Already,
    /// It is a value of its kind and is to be spelled so.
    As(Vec<u8>),
    /// It is no value of its kind.
    Not,
}

pub(super) fn canonical(kind: Kind, text: &[u8]) -> Canonical {
    let spelled = match kind {
        Kind::Bytes | Kind::Comment | Kind::Str => return Canonical::Already,
        Kind::Bool => parse_bool(text).map(|value| bool(value).into()),
        Kind::Float => parse_float(text).map(float),
        Kind::Int => int(text),
        Kind::Time => time::canonical(text),
    };
    match spelled {
        Some(spelled) if spelled.as_bytes() == text => Canonical::Already,
        Some(spelled) => Canonical::As(spelled.into()),
        None => Canonical::Not,
    }
}

pub(super) fn bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// Go's format `f` with the shortest digits: that of Rust, but for infinity.
pub(super) fn float(value: f64) -> String {
    if value.is_infinite() {
        let sign = if value > 0.0 { '+' } else { '-' };
        format!("{sign}Inf")
    } else {
        value.to_string()
    }
}

fn parse_bool(text: &[u8]) -> Option<bool> {
    match text {
        b"1" | b"t" | b"T" | b"true" | b"TRUE" | b"True" => Some(true),
        b"0" | b"f" | b"F" | b"false" | b"FALSE" | b"False" => Some(false),
        _ => None,
    }
}

fn parse_float(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let value: f64 = text.parse().ok()?;
    // Digits that are out of range are an error, not infinity.
    let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
    (value.is_finite() || !has_digits).then_some(value)
}

/// Digits of any number: the peer stops at 64 bits, files need not.
fn int(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match digits.trim_start_matches('0') {
        "" => Some("0".into()),
        digits => Some(format!("{sign}{digits}")),
    }
}
