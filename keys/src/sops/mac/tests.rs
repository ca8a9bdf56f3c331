#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;
use crate::sops::DataKey;

fn cipher() -> Cipher {
    Cipher::new(&DataKey::from_plaintext(&vec![7; 32].into()).unwrap())
}

fn time(text: &str) -> LastModified {
    text.parse().unwrap()
}

fn mac(values: &[&str]) -> Mac {
    let mut mac = Mac::new();
    for value in values {
        mac.add(&Value::text(*value), true);
    }
    mac
}

#[test]
fn a_checksum_proves_its_own_values_only() {
    let (cipher, noon) = (cipher(), time("2026-01-31T12:00:00Z"));
    let sealed = mac(&["a", "b"]).seal(&cipher, &noon).unwrap();
    assert_eq!(mac(&["a", "b"]).verify(&cipher, &sealed, &noon), Ok(()));
    for others in [&["b", "a"][..], &["a"], &["a", "b", "c"], &[]] {
        let error = mac(others).verify(&cipher, &sealed, &noon);
        assert_eq!(error, Err(MacError::Mismatch), "{others:?}");
    }
}

#[test]
fn a_checksum_is_bound_to_its_time_and_key() {
    let (cipher, noon) = (cipher(), time("2026-01-31T12:00:00Z"));
    let sealed = mac(&["a"]).seal(&cipher, &noon).unwrap();
    let later = mac(&["a"]).verify(&cipher, &sealed, &time("2026-01-31T12:00:01Z"));
    assert_eq!(later, Err(MacError::Unreadable));
    let other = Cipher::new(&DataKey::generate().unwrap());
    let other_key = mac(&["a"]).verify(&other, &sealed, &noon);
    assert_eq!(other_key, Err(MacError::Unreadable));
}

#[test]
fn a_checksum_that_was_taken_away_is_missing() {
    let error = mac(&["a"]).verify(&cipher(), "", &time("2026-01-31T12:00:00Z"));
    assert_eq!(error, Err(MacError::Missing));
}

#[test]
fn a_checksum_written_by_hand_is_unreadable() {
    let error = mac(&["a"]).verify(&cipher(), "0123ABCD", &time("2026-01-31T12:00:00Z"));
    assert_eq!(error, Err(MacError::Unreadable));
}

#[test]
fn the_two_forms_differ_even_when_all_is_encrypted() {
    let (mut all, mut only) = (Mac::new(), Mac::only_encrypted());
    all.add(&Value::text("a"), true);
    only.add(&Value::text("a"), true);
    assert_ne!(all.digits(), only.digits());
}

/// getsops/sops#2243: 3.13.2 covered encrypted comments of lists and could not read its own files.
#[test]
fn issue_2243_comments_are_outside_the_checksum_wherever_they_are() {
    for mut with in [Mac::new(), Mac::only_encrypted()] {
        let mut without = with.clone();
        with.add(&Value::comment(" c"), true);
        with.add(&Value::comment(" c"), false);
        with.add(&Value::text("x"), true);
        without.add(&Value::text("x"), true);
        assert_eq!(with.digits(), without.digits());
    }
}

/// getsops/sops#833: the order of the values is part of the checksum, so swapped lines show.
#[test]
fn issue_833_values_in_another_order_have_another_checksum() {
    assert_ne!(mac(&["a", "b"]).digits(), mac(&["b", "a"]).digits());
}

#[test]
fn times_are_brought_into_the_spelling_of_go() {
    for (text, spelled) in [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00.123456789Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00+00:00", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00-05:00", "2026-01-31T12:00:00-05:00"),
        ("2026-01-31T12:00:00.5+01:30", "2026-01-31T12:00:00+01:30"),
    ] {
        assert_eq!(time(text).as_str(), spelled);
    }
}

#[test]
fn what_is_no_time_is_an_error() {
    for text in [
        "",
        "now",
        "2026-01-31",
        "2026-01-31T12:00:00",
        "2026-13-31T12:00:00Z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:00Z[UTC]",
        "ä026-01-31T12:00:00Z",
        "20260131T120000Z",
    ] {
        assert_eq!(
            text.parse::<LastModified>(),
            Err(LastModifiedError),
            "{text}"
        );
    }
}

#[test]
fn a_timestamp_loses_its_parts_of_a_second() {
    let timestamp: jiff::Timestamp = "2026-01-31T12:00:00.999Z".parse().unwrap();
    assert_eq!(
        LastModified::from(timestamp).to_string(),
        "2026-01-31T12:00:00Z"
    );
}

/// getsops/sops#1726: values are put together without anything between them, so where one ends and
/// the next begins is not part of the checksum. Encrypted values have their own tags for that.
#[test]
fn issue_1726_the_checksum_does_not_tell_where_values_end() {
    assert_eq!(mac(&["ab", "c"]).digits(), mac(&["a", "bc"]).digits());
}

proptest! {
    #[test]
    fn an_arbitrary_time_never_panics_and_a_time_is_spelled_as_itself(
        text in "(.{0,40}|20[0-9]{2}-0[1-9]-1[0-9]T1[0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]0[0-9]:[03]0))",
    ) {
        if let Ok(time) = text.parse::<LastModified>() {
            prop_assert_eq!(time.as_str().parse::<LastModified>().unwrap(), time);
        }
    }
}
