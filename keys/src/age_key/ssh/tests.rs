#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;
use crate::testing::fixture;

fn error(text: &[u8]) -> KeyError {
    match parse(text) {
        Ok(_) => panic!("it is read"),
        Err(error) => error,
    }
}

#[test]
fn keys_in_old_encryption_say_how_to_write_them_anew() {
    for text in [
        fixture!("test-keys/rsa-2048-encrypted-pkcs1.pem"),
        fixture!("test-keys/rsa-2048-encrypted-pkcs8.pem"),
    ] {
        assert_eq!(error(text), KeyError::OldEncryption);
    }
}

#[test]
fn keys_of_other_kinds_are_refused() {
    for text in [
        fixture!("test-keys/ecdsa-p256.pem"),
        fixture!("test-keys/ecdsa-p256-pkcs8.pem"),
    ] {
        assert!(matches!(
            error(text),
            KeyError::Rsa(crate::rsa::KeyError::NotRsa(_))
        ));
    }
}

#[test]
fn keys_of_tls_work_too() {
    for text in [
        fixture!("test-keys/ed25519.pem"),
        fixture!("test-keys/rsa-3072-pkcs8.pem"),
        fixture!("test-keys/rsa-4096.pem"),
    ] {
        assert!(matches!(parse(text), Ok(Parsed::Open(_))));
    }
}

/// getsops/sops#1999: the recipient that ssh-to-age makes of the public half is the point of the same
/// name on the other form of the curve.
#[test]
fn issue_1999_an_ssh_key_opens_what_is_for_the_recipient_of_ssh_to_age() {
    let Ok(Parsed::Open(identity)) = parse(fixture!("test-keys/ed25519.pem")) else {
        panic!("it is not read");
    };
    let point = wire::public(&identity.recipient.blob);
    let Some(wire::Public::Ed25519(point)) = point else {
        panic!("it is of another kind");
    };
    let point = curve25519_dalek::edwards::CompressedEdwardsY(point)
        .decompress()
        .unwrap();
    let recipient = age_core::primitives::bech32_encode(
        bech32::Hrp::parse_unchecked("age"),
        point.to_montgomery().as_bytes(),
    );
    let recipient: age::x25519::Recipient = recipient.parse().unwrap();
    let file_key = FileKey::new(Box::new([5; FILE_KEY_BYTES]));
    let (stanzas, _) = age::Recipient::wrap_file_key(&recipient, &file_key).unwrap();
    let opened = age::Identity::unwrap_stanzas(&identity, &stanzas);
    assert_eq!(
        opened.unwrap().unwrap().expose_secret(),
        &[5; FILE_KEY_BYTES]
    );
}

#[test]
fn the_points_of_small_order_are_no_recipients() {
    let neutral = {
        let mut point = [0; 32];
        point[0] = 1;
        point
    };
    for point in [neutral, [0; 32]] {
        let line = format!("ssh-ed25519 {}", base64::encode(&wire::ed25519(&point)));
        assert_eq!(Recipient::parse(&line).err(), Some("its key is not valid"));
    }
}

#[test]
fn a_key_under_another_name_is_refused() {
    // The generator of the curve.
    let mut point = [0x66; 32];
    point[0] = 0x58;
    let blob = wire::ed25519(&point);
    assert!(Recipient::from_blob(&blob).is_ok());
    let line = format!("ssh-rsa {}", base64::encode(&blob));
    assert_eq!(
        Recipient::parse(&line).err(),
        Some("its key is of another kind")
    );
    let longer = [&blob[..], &[0]].concat();
    assert!(Recipient::from_blob(&longer).is_err());
}

proptest! {
    #[test]
    fn an_arbitrary_file_never_panics(
        cipher in prop::sample::select(vec!["none", "aes256-ctr", "aes256-cbc"]),
        derivation in prop::sample::select(vec!["none", "bcrypt"]),
        bytes in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let field = |text: &str| [&[0, 0, 0, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
        let file = [&b"openssh-key-v1\0"[..], &field(cipher), &field(derivation), &bytes].concat();
        let text = pem::encode("OPENSSH PRIVATE KEY", &file);
        let _ = parse(text.as_bytes());
    }
}
