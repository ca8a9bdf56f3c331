#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;
use crate::sops::Kind;

fn key(byte: u8) -> DataKey {
    DataKey::from_plaintext(&vec![byte; 32].into()).unwrap()
}

fn cipher() -> Cipher {
    Cipher::new(&key(7))
}

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 1..200).prop_map(Value::text),
        ".{1,40}".prop_map(Value::comment),
        any::<bool>().prop_map(Value::bool),
        any::<i64>().prop_map(Value::int),
        any::<f64>().prop_map(Value::float),
    ]
}

#[test]
fn the_empty_text_stays_empty_both_ways() {
    let cipher = cipher();
    for empty in [Value::text(""), Value::comment("")] {
        assert_eq!(cipher.encrypt(&empty, b"a:").unwrap(), "");
    }
    assert_eq!(cipher.decrypt("", b"a:").unwrap(), Value::text(""));
}

#[test]
fn nonces_are_written_with_32_bytes_and_are_new_each_time() {
    let encrypt = || cipher().encrypt(&Value::text("x"), b"").unwrap();
    let (one, other): (Envelope, Envelope) =
        (encrypt().parse().unwrap(), encrypt().parse().unwrap());
    assert_eq!(one.nonce.len(), 32);
    assert_ne!(one.nonce, other.nonce);
    assert_ne!(one.tag, other.tag);
}

/// getsops/sops#815, a limit of the format: the length of a value can be seen.
#[test]
fn issue_815_a_ciphertext_is_as_long_as_its_value() {
    for length in [1, 4, 1000] {
        let value = Value::text(vec![b'1'; length]);
        let text = cipher().encrypt(&value, b"pin:").unwrap();
        assert_eq!(text.parse::<Envelope>().unwrap().data.len(), length);
    }
}

#[test]
fn unchanged_values_keep_their_ciphertext_and_changed_ones_do_not() {
    let (cipher, mut stash) = (cipher(), Stash::new());
    stash.keep(&Value::text("5"), b"a:", "kept");
    let mut encrypt = |value, aad| cipher.encrypt_unless_kept(&value, aad, &mut stash).unwrap();
    assert_ne!(encrypt(Value::text("6"), b"a:"), "kept");
    assert_ne!(encrypt(Value::text("5"), b"b:"), "kept");
    assert_ne!(encrypt(Value::int(5), b"a:"), "kept");
    assert_eq!(encrypt(Value::text("5"), b"a:"), "kept");
}

#[test]
fn equal_items_of_a_list_keep_their_own_ciphertexts_and_share_none() {
    let mut stash = Stash::new();
    let item = Value::text("same");
    stash.keep(&item, b"list:", "first");
    stash.keep(&item, b"list:", "second");
    assert_eq!(stash.take(&item, b"list:").unwrap(), "first");
    assert_eq!(stash.take(&item, b"list:").unwrap(), "second");
    assert_eq!(stash.take(&item, b"list:"), None);
}

#[test]
fn a_type_changed_by_hand_shows_where_the_text_does_not_fit() {
    let text = cipher().encrypt(&Value::text("hunter2"), b"a:").unwrap();
    for kind in [Kind::Int, Kind::Float, Kind::Bool] {
        let changed = text.replace("type:str", &format!("type:{kind}"));
        let error = cipher().decrypt(&changed, b"a:").unwrap_err();
        assert_eq!(error, SpellingError { kind }.into());
    }
}

/// A value that somebody pasted into the file may be in any error's text with the peer.
#[test]
fn no_error_shows_the_text() {
    let cipher = cipher();
    let whole = cipher.encrypt(&Value::text("hunter2"), b"").unwrap();
    let begin = &whole[..whole.find(",tag:").unwrap()];
    for text in [
        "hunter2",
        "ENC[AES256_GCM,data:hunter2",
        "ENC[AES256_GCM,data:hunter2,iv:hunter2,tag:hunter2,type:hunter2]",
        &whole.replace("type:str", "type:hunter2"),
        &format!("{begin},tag:hunter2"),
        &format!("{whole} hunter2"),
    ] {
        let error = cipher.decrypt(text, b"").unwrap_err();
        let shown = format!("{error} {error:?} {}", error.hint());
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

proptest! {
    #[test]
    fn what_is_encrypted_decrypts_to_itself(value in values(), aad in prop::collection::vec(any::<u8>(), 0..40)) {
        let text = cipher().encrypt(&value, &aad).unwrap();
        prop_assert_eq!(text.parse::<Envelope>().unwrap().to_string(), text.clone());
        prop_assert_eq!(cipher().decrypt(&text, &aad).unwrap(), value);
    }

    #[test]
    fn a_value_opens_only_at_its_own_place_and_with_its_own_key(
        value in values(),
        (place, other) in ("[a-z:]{0,12}", "[a-z:]{0,12}"),
    ) {
        let text = cipher().encrypt(&value, place.as_bytes()).unwrap();
        let other_key = Cipher::new(&key(8)).decrypt(&text, place.as_bytes());
        prop_assert_eq!(other_key, Err(DecryptError::Undecryptable));
        prop_assume!(place != other);
        let moved = cipher().decrypt(&text, other.as_bytes());
        prop_assert_eq!(moved, Err(DecryptError::Undecryptable));
    }

    #[test]
    fn one_flipped_bit_anywhere_and_it_does_not_open(
        value in values(),
        (position, bit) in (any::<prop::sample::Index>(), 0..8_u8),
    ) {
        let cipher = cipher();
        let mut envelope: Envelope = cipher.encrypt(&value, b"a:").unwrap().parse().unwrap();
        let data = envelope.data.len();
        match position.index(data + 32 + 16) {
            at if at < data => envelope.data[at] ^= 1 << bit,
            at if at < data + 32 => envelope.nonce[at - data] ^= 1 << bit,
            at => envelope.tag[at - data - 32] ^= 1 << bit,
        }
        prop_assert_eq!(cipher.open(envelope, b"a:"), Err(DecryptError::Undecryptable));
    }

    #[test]
    fn arbitrary_text_is_an_error_and_never_a_panic(text in ".{1,80}") {
        prop_assert!(cipher().decrypt(&text, b"").is_err());
    }

    #[test]
    fn text_that_looks_like_a_value_is_an_error_and_never_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec!["ENC[AES256_GCM,data:", ",iv:", ",tag:", ",type:", "str", "]", "AAAA", "=", "é", "\n"]),
            1..14,
        ),
    ) {
        let text = parts.concat();
        prop_assert!(cipher().decrypt(&text, b"").is_err());
    }
}

mod envelope_text {
    use super::*;

    const TEXT: &str = "ENC[AES256_GCM,data:AA==,iv:AQ==,tag:AAAAAAAAAAAAAAAAAAAAAA==,type:str]";

    #[test]
    fn parts_that_are_missing_or_broken_are_named() {
        use EnvelopeError::{Malformed, NotEncrypted, UnknownKind};
        for (from, to, error) in [
            ("ENC[", "enc[", NotEncrypted),
            ("AES256_GCM", "AES256_CBC", NotEncrypted),
            ("data:AA==", "data:", Malformed("data")),
            ("data:AA==", "data:AA=", Malformed("data")),
            (",iv:AQ==", "", Malformed("iv")),
            ("iv:AQ==", "iv:", Malformed("iv")),
            (",tag:", ",tog:", Malformed("tag")),
            ("AAAAAAAAAA==", "AAAA", Malformed("tag")),
            (",type:str", "", Malformed("type")),
            ("]", "", Malformed("end")),
            ("]", "]]", Malformed("end")),
            ("str", "null", UnknownKind),
        ] {
            let changed = TEXT.replacen(from, to, 1);
            assert_ne!(changed, TEXT);
            assert_eq!(changed.parse::<Envelope>(), Err(error), "{changed}");
        }
    }

    /// getsops/sops#1127: with CRLF line ends a dotenv value ends with a carriage return.
    #[test]
    fn issue_1127_white_space_behind_the_end_is_ignored() {
        let envelope: Envelope = TEXT.parse().unwrap();
        assert_eq!(format!("{TEXT}\r").parse(), Ok(envelope.clone()));
        assert_eq!(format!("{TEXT} \t").parse(), Ok(envelope));
    }
}
