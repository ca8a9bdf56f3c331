//! Numbers as Go reads and prints them.

/// An integer by the rules of Go's literals: sign, base prefix, underscores between digits.
pub(crate) fn parse_integer(text: &str) -> Option<Integer> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'+' => (false, &text[1..]),
        b'-' => (true, &text[1..]),
        _ => (false, text),
    };
    let lower = digits.get(..2).map(str::to_ascii_lowercase);
    let (radix, digits) = match lower.as_deref() {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ if digits.len() > 1 && digits.starts_with('0') => (8, &digits[1..]),
        _ => (10, digits),
    };
    // `from_str_radix` takes a sign of its own.
    if !digits.starts_with(|char: char| char.is_digit(radix)) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if negative {
        let value = i64::try_from(-i128::from(magnitude)).ok()?;
        Some(Integer::Signed(value))
    } else if text.starts_with('+') {
        // Go reads what is beyond i64 as unsigned, and takes no sign then.
        Some(Integer::Signed(i64::try_from(magnitude).ok()?))
    } else {
        Some(Integer::from(magnitude))
    }
}

/// A 64-bit integer, as narrow as it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    Signed(i64),
    Unsigned(u64),
}

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or(Self::Unsigned(value), Self::Signed)
    }
}

/// A floating point number as YAML 1.2 writes it; `None` for text that is none or is out of range.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_is_valid = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    let exponent_is_valid = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    if !(mantissa_is_valid && exponent_is_valid) {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// As go-yaml writes a floating point number: the shortest digits that read back as the same,
/// with an exponent below 1e-4 and from 1e6 on.
pub(crate) fn go_float(value: f64) -> String {
    general(&format!("{value:e}"))
}

/// As `sigs.k8s.io/yaml` writes a key that is a floating point number: in single precision.
#[expect(clippy::cast_possible_truncation, reason = "the peer rounds as well")]
pub(super) fn go_float_key(value: f64) -> String {
    general(&format!("{:e}", value as f32))
}

/// Lays out the digits of Rust's `{:e}` as Go's `%g` does.
fn general(scientific: &str) -> String {
    let (sign, unsigned) = match scientific.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", scientific),
    };
    let (mantissa, exponent) = match unsigned {
        "inf" if sign.is_empty() => return ".inf".to_owned(),
        "inf" => return "-.inf".to_owned(),
        "NaN" => return ".nan".to_owned(),
        _ => unsigned.split_once('e').unwrap_or((unsigned, "0")),
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..6).contains(&exponent) {
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{mantissa}e{exponent_sign}{:02}", exponent.abs());
    }
    let digits: String = mantissa.chars().filter(|char| *char != '.').collect();
    match usize::try_from(exponent + 1) {
        Ok(whole) if whole >= digits.len() => format!("{sign}{digits:0<whole$}"),
        Ok(whole @ 1..) => format!("{sign}{}.{}", &digits[..whole], &digits[whole..]),
        _ => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or_default();
            format!("{sign}0.{:0<zeros$}{digits}", "")
        }
    }
}
