//! Values as text, where a format has text only: dotenv, INI, and the environment of a process.

use signet_keys::sops::{Kind, Value};
use zeroize::Zeroizing;

use crate::sops::tree::TreeValue;
use crate::value::go_float;

/// A value as the peer writes it where there is text only: `true`, `1.0`, `-2E+10`, times without
/// parts of a second, null as `<nil>`; `None` for a list or map.
pub fn text(value: &TreeValue) -> Option<Zeroizing<String>> {
    match value {
        TreeValue::List(_) | TreeValue::Map(_) => None,
        TreeValue::Null => Some(Zeroizing::new("<nil>".to_owned())),
        TreeValue::Scalar(value) => Some(scalar(value)),
    }
}

/// [`text`] of what is neither list nor map nor null.
pub fn scalar(value: &Value) -> Zeroizing<String> {
    let text = text_of(value);
    Zeroizing::new(match value.kind() {
        Kind::Bool => text.to_ascii_lowercase(),
        Kind::Float => text.parse().map_or_else(|_| text.to_owned(), float),
        Kind::Time => without_fraction(text),
        Kind::Bytes | Kind::Comment | Kind::Int | Kind::Str => {
            String::from_utf8_lossy(value.plaintext().expose()).into_owned()
        }
    })
}

/// The text of a comment or number, which is always UTF-8 unless somebody made the file by hand.
pub(super) fn text_of(value: &Value) -> &str {
    std::str::from_utf8(value.plaintext().expose()).unwrap_or_default()
}

fn float(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let mut text = go_float(number).replace('e', "E");
    if !text.contains(['.', 'E']) {
        // Not to be taken for a whole number.
        text.push_str(".0");
    }
    text
}

/// `2024-01-31T12:00:00.5Z` without `.5`.
fn without_fraction(time: &str) -> String {
    match time.split_once('.') {
        Some((seconds, rest)) => {
            let zone = rest.trim_start_matches(|char: char| char.is_ascii_digit());
            format!("{seconds}{zone}")
        }
        None => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_go_does_and_stay_what_they_are() {
        for (number, text) in [
            (1.0, "1.0"),
            (2e5, "200000.0"),
            (-2e10, "-2E+10"),
            (0.5, "0.5"),
            (1e-7, "1E-07"),
            (123_456_789.5, "1.234567895E+08"),
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(*scalar(&Value::float(number)), text);
        }
    }

    #[test]
    fn other_values_are_what_a_shell_expects() {
        assert_eq!(*scalar(&Value::bool(true)), "true");
        assert_eq!(*scalar(&Value::int(-7)), "-7");
        assert_eq!(*scalar(&Value::text("a\nb")), "a\nb");
        assert_eq!(
            without_fraction("2024-01-31T12:00:00.25+01:00"),
            "2024-01-31T12:00:00+01:00"
        );
        assert_eq!(
            without_fraction("2024-01-31T12:00:00Z"),
            "2024-01-31T12:00:00Z"
        );
    }

    #[test]
    fn null_is_what_the_peer_makes_of_it_and_a_list_is_no_text() {
        assert_eq!(
            text(&TreeValue::Null).as_deref().map(String::as_str),
            Some("<nil>")
        );
        assert!(text(&TreeValue::List(Vec::new())).is_none());
    }
}
