//! What a plain scalar is, by the rules of YAML 1.1 that go-yaml 2 keeps.

use crate::parse::number;

/// What a plain scalar stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Plain {
    Null,
    Bool(bool),
    /// An integer or float, as JSON writes it.
    Number(String),
    /// A float that JSON has no words for.
    Odd,
    Text,
}

pub(super) fn resolve(text: &str) -> Plain {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Plain::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Plain::Bool(true);
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Plain::Bool(false);
        }
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF"
        | "-.inf" | "-.Inf" | "-.INF" => return Plain::Odd,
        _ => {}
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
        return Plain::Text;
    }
    let digits = text.replace('_', "");
    let (sign, unsigned) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits.strip_prefix('+').unwrap_or(&digits)),
    };
    if unsigned.starts_with(|c: char| c.is_ascii_digit())
        && let Some(magnitude) = number::integer(unsigned)
        && magnitude <= u64::MAX.into()
    {
        let sign = if magnitude == 0 { "" } else { sign };
        return Plain::Number(format!("{sign}{magnitude}"));
    }
    match float(unsigned) {
        Some(float) => Plain::Number(format!("{sign}{float}")),
        None => Plain::Text,
    }
}

/// A float in JSON's words: a digit before and after the point.
fn float(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let power = exponent.get(1..).unwrap_or("");
    let power = power.strip_prefix(['+', '-']).unwrap_or(power);
    let wanted = !exponent.is_empty();
    if (whole.is_empty() && fraction.is_empty())
        || !digits(whole)
        || !digits(fraction)
        || !digits(power)
        || wanted == power.is_empty()
    {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{whole}{point}{fraction}{exponent}"))
}

/// Whether a text must stand in quotes to stay one: what is read as something else, and what other
/// readers would take for something else.
pub(super) fn must_be_quoted(text: &str) -> bool {
    resolve(text) != Plain::Text || is_base_60(text) || looks_like_date(text)
}

/// `1:30`
fn is_base_60(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or("");
    let numeric = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    let rest: Vec<&str> = parts.collect();
    let small = |part: &str| {
        let part = part.split('.').next().unwrap_or("");
        matches!(part.len(), 1 | 2)
            && numeric(part)
            && (part.len() == 1 || part.as_bytes()[0] < b'6')
    };
    first.starts_with(|c: char| c.is_ascii_digit())
        && numeric(first)
        && !rest.is_empty()
        && rest.iter().all(|part| small(part))
}

/// `2001-12-14`, with a time after it or not.
fn looks_like_date(text: &str) -> bool {
    let date = text.split(['T', 't', ' ']).next().unwrap_or("");
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts[..] else {
        return false;
    };
    let number = |text: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths
            .contains(&text.len())
            .then(|| text.parse::<i8>().ok())
            .flatten()
    };
    let year = (year.len() == 4)
        .then(|| year.parse::<i16>().ok())
        .flatten();
    let valid = match (year, number(month, 1..=2), number(day, 1..=2)) {
        (Some(year), Some(month), Some(day)) => jiff::civil::Date::new(year, month, day).is_ok(),
        _ => false,
    };
    let time = &text[date.len()..];
    let clock = time.get(1..).unwrap_or("");
    let clock = clock.split(['Z', '+', '-', ' ']).next().unwrap_or("");
    let part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.');
    let is_clock = clock.bytes().all(part) && clock.matches(':').count() == 2;
    valid && (time.is_empty() || is_clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_what_kubernetes_reads() {
        let number = |text: &str| Plain::Number(text.to_owned());
        for (text, plain) in [
            ("yes", Plain::Bool(true)),
            ("~", Plain::Null),
            ("0x1F", number("31")),
            ("010", number("8")),
            ("1_000", number("1000")),
            ("-5", number("-5")),
            (".5", number("0.5")),
            ("1.50", number("1.50")),
            ("1e3", number("1e3")),
            (".inf", Plain::Odd),
            ("1.2.3", Plain::Text),
            ("-", Plain::Text),
            ("a", Plain::Text),
        ] {
            assert_eq!(resolve(text), plain, "{text}");
        }
    }

    #[test]
    fn what_others_misread_is_quoted() {
        for text in ["1:30", "2001-12-14", "2001-1-1T10:00:00Z", "no", "1e3"] {
            assert!(must_be_quoted(text), "{text}");
        }
        for text in [
            "a:b",
            "2001-13-14",
            "10.0.0.1",
            "2001-1-1 10:00",
            "<<",
            "v1",
            "1:99",
        ] {
            assert!(!must_be_quoted(text), "{text}");
        }
    }
}
