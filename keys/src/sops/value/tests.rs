#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;

fn spelled(kind: Kind, text: &str) -> Option<String> {
    let value = Value::new(kind, text.as_bytes().to_vec().into()).ok()?;
    Some(String::from_utf8(value.plaintext().expose().to_vec()).unwrap())
}

#[test]
fn booleans_are_read_as_go_reads_them_and_spelled_as_python_spells_them() {
    for text in ["1", "t", "T", "true", "TRUE", "True"] {
        assert_eq!(spelled(Kind::Bool, text).unwrap(), "True");
    }
    for text in ["0", "f", "F", "false", "FALSE", "False"] {
        assert_eq!(spelled(Kind::Bool, text).unwrap(), "False");
    }
    for text in ["", "yes", "tRUE", "true "] {
        assert_eq!(spelled(Kind::Bool, text), None, "{text}");
    }
}

#[test]
fn whole_numbers_keep_all_their_digits() {
    for (text, number) in [
        ("0", "0"),
        ("-0", "0"),
        ("+7", "7"),
        ("007", "7"),
        ("-007", "-7"),
        ("9007199254740993", "9007199254740993"),
        ("18446744073709551615", "18446744073709551615"),
        ("-12345678901234567890123", "-12345678901234567890123"),
    ] {
        assert_eq!(spelled(Kind::Int, text).unwrap(), number);
    }
    for text in ["", "-", "+-1", "1.0", "1e3", "0x1F", " 1", "1_000", "١"] {
        assert_eq!(spelled(Kind::Int, text), None, "{text}");
    }
}

#[test]
fn other_numbers_are_shortest_and_have_no_exponent() {
    for (text, number) in [
        ("1.10", "1.1"),
        ("1.0", "1"),
        ("1e21", "1000000000000000000000"),
        ("1e-7", "0.0000001"),
        ("-0.0", "-0"),
        ("123456789.5", "123456789.5"),
        ("inf", "+Inf"),
        ("-Infinity", "-Inf"),
        ("NaN", "NaN"),
    ] {
        assert_eq!(spelled(Kind::Float, text).unwrap(), number);
    }
    for text in ["", "1e400", "one", "1,5", "0x1p4", " 1"] {
        assert_eq!(spelled(Kind::Float, text), None, "{text}");
    }
}

#[test]
fn text_comments_and_bytes_are_taken_as_they_are() {
    for kind in [Kind::Str, Kind::Comment, Kind::Bytes] {
        let bytes = vec![0, 0xFF, b'1', b' '];
        let value = Value::new(kind, bytes.clone().into()).unwrap();
        assert_eq!(value.plaintext().expose(), bytes);
    }
}

#[test]
fn a_time_is_one() {
    assert_eq!(
        spelled(Kind::Time, "2024-01-02T03:04:05.10Z").unwrap(),
        "2024-01-02T03:04:05.1Z"
    );
    assert_eq!(spelled(Kind::Time, "x\nadmin: true"), None);
}

#[test]
fn debug_shows_the_kind_and_not_the_value() {
    let shown = format!("{:?}", Value::text("hunter2"));
    assert_eq!(shown, "Value { kind: Str, text: Plaintext(<redacted>) }");
}

#[test]
fn words_of_kinds_are_those_of_the_format() {
    for kind in Kind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    assert_eq!("string".parse::<Kind>(), Err(KindError));
    assert_eq!("Str".parse::<Kind>(), Err(KindError));
}

proptest! {
    #[test]
    fn a_spelling_is_spelled_as_itself(kind in prop::sample::select(Kind::ALL.to_vec()), text in ".{0,30}") {
        if let Some(once) = spelled(kind, &text) {
            prop_assert_eq!(spelled(kind, &once).unwrap(), once);
        }
    }

    #[test]
    fn a_number_of_64_bits_is_read_back_from_its_spelling(number in any::<f64>()) {
        let value = Value::float(number);
        let text = std::str::from_utf8(value.plaintext().expose()).unwrap();
        prop_assert!(!text.contains(['e', 'E']));
        let again: f64 = text.parse().unwrap();
        prop_assert!(again.to_bits() == number.to_bits() || number.is_nan());
    }
}
