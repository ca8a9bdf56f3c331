#![allow(clippy::unwrap_used)]
use age_core::primitives::bech32_encode;
use bech32::Hrp;
use proptest::prelude::*;

use super::*;
use crate::testing::from_hex;

const X25519: &str = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";

fn reason(text: &str) -> String {
    text.parse::<Recipient>().unwrap_err().to_string()
}

#[test]
fn a_recipient_is_shown_as_it_was_written() {
    let recipient: Recipient = format!(" {X25519}\n").parse().unwrap();
    assert_eq!(recipient.to_string(), X25519);
    assert_eq!(format!("{recipient:?}"), format!("Recipient({X25519})"));
    assert!(!recipient.is_post_quantum());
    assert_eq!(recipient.plugin(), None);
}

#[test]
fn a_broken_recipient_is_shown_with_what_is_wrong() {
    let changed = X25519.replace('z', "y");
    assert!(reason(&changed).starts_with(&format!("the age recipient `{changed}` is malformed: ")));
    for text in [
        "age1",
        "age1pq1qqqq",
        "age1tag1qqqq",
        "age1tagpq1qqqq",
        "age1 1qqqq",
        "age11qqqq",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        "ssh-rsa !",
        "ssh-dss AAAAB3NzaC1kc3M=",
    ] {
        assert!(reason(text).contains("is malformed"), "{text}");
    }
}

#[test]
fn a_private_key_or_an_unknown_text_is_not_shown() {
    for text in [
        "AGE-SECRET-KEY-1QQQQ",
        "AGE-PLUGIN-X-1QQQQ",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
    ] {
        assert_eq!(text.parse::<Recipient>(), Err(RecipientError::Private));
    }
    for text in ["", "hunter2", "AGE1QQQQ", "alice"] {
        assert_eq!(text.parse::<Recipient>(), Err(RecipientError::Unknown));
    }
}

#[test]
fn recipients_of_hardware_keys_need_no_plugin() {
    // Any point of P-256, here its generator.
    let point = from_hex("036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
    let text = bech32_encode(Hrp::parse_unchecked("age1tag"), &point);
    let recipient: Recipient = text.parse().unwrap();
    assert_eq!(recipient.plugin(), None);
    assert!(recipient.resolve(&super::super::Unattended).is_ok());
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(prefix in "(age1|age1pq1|age1tag1|ssh-rsa |ssh-ed25519 )?", text in ".{0,60}") {
        let _ = format!("{prefix}{text}").parse::<Recipient>();
    }
}
