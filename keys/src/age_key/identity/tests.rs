#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;

fn secret() -> String {
    use age::secrecy::ExposeSecret;
    let identity = age::x25519::Identity::generate();
    identity.to_string().expose_secret().to_owned()
}

fn count(text: &str) -> usize {
    Identity::parse_all(text.as_bytes(), "test").unwrap().len()
}

#[test]
fn identities_are_words_and_lines_with_a_number_sign_are_passed_over() {
    let (one, other) = (secret(), secret());
    assert_eq!(count(""), 0);
    assert_eq!(
        count(&format!("# created: today\r\n\r\n{one}\r\n# {other}\n")),
        1
    );
    assert_eq!(count(&format!("{one} {other}")), 2);
    assert_eq!(count(&format!("  {one}\t\n{other}")), 2);
}

#[test]
fn a_line_that_is_no_identity_is_named_by_its_number_and_not_shown() {
    let text = format!("# keys\n{}\nhunter2\n", secret());
    let error = Identity::parse_all(text.as_bytes(), "keys.txt").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3 of keys.txt is not an age identity"
    );
    assert!(!format!("{error:?}").contains("hunter2"));
}

#[test]
fn a_broken_identity_of_any_kind_is_an_error() {
    let cut = |text: &str| text[..text.len() - 1].to_owned();
    for text in [
        cut(&secret()),
        "AGE-SECRET-KEY-PQ-1QQQQ".into(),
        "AGE-PLUGIN-".into(),
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj".into(),
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n".into(),
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".into(),
    ] {
        assert!(
            Identity::parse_all(text.as_bytes(), "test").is_err(),
            "{text}"
        );
    }
    assert!(Identity::parse_all(b"\xff\xfe", "test").is_err());
}

#[test]
fn debug_shows_where_an_identity_was_found_and_nothing_of_it() {
    let identity = Identity::parse_all(secret().as_bytes(), "keys.txt")
        .unwrap()
        .remove(0);
    assert_eq!(
        format!("{identity:?}"),
        "Identity(<redacted>, \"keys.txt\")"
    );
}

#[test]
fn a_plugin_is_named_in_lower_case() {
    let identity = Identity::parse_all(b"AGE-PLUGIN-SE-P256-1QQQQ", "test")
        .unwrap()
        .remove(0);
    assert!(matches!(identity.key(), Key::Plugin { name, .. } if name == "se-p256"));
    assert_eq!(identity.recipient(), None);
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        prefix in "(AGE-SECRET-KEY-PQ-1|AGE-PLUGIN-|age-encryption.org/v1\n)?",
        bytes in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let text = [prefix.as_bytes(), &bytes].concat();
        let _ = Identity::parse_all(&text, "test");
    }
}
