//! Whatever is read, the program goes on.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use signet_keys::Fingerprint;
use signet_keys::certificate::Certificate;
use signet_keys::rsa::{PrivateKey, PublicKey};
use signet_keys::sealed::{self, Label, Scope};

use crate::fixtures;

static KEYS: LazyLock<Vec<PrivateKey>> = LazyLock::new(|| fixtures::on_every_backend("rsa-2048"));

const FILES: [&str; 7] = [
    "rsa-2048.pem",
    "rsa-3072-pkcs8.pem",
    "rsa-2048-three-primes.pem",
    "ecdsa-p256-pkcs8.pem",
    "rsa-2048.crt",
    "rsa-2048-with-text.crt",
    "ed25519.crt",
];

/// Some bytes to replace, by position.
fn damage(most: usize) -> impl Strategy<Value = Vec<(Index, u8)>> {
    prop::collection::vec(any::<(Index, u8)>(), 1..=most)
}

fn apply(damage: Vec<(Index, u8)>, mut bytes: Vec<u8>) -> Vec<u8> {
    for (position, byte) in damage {
        let position = position.index(bytes.len());
        bytes[position] = byte;
    }
    bytes
}

/// A real file with some bytes replaced and sometimes cut.
fn damaged_file() -> impl Strategy<Value = Vec<u8>> {
    let cut = prop::option::weighted(0.3, any::<Index>());
    (prop::sample::select(&FILES[..]), damage(4), cut).prop_map(|(name, damage, cut)| {
        let mut file = apply(damage, fixtures::read(&format!("test-keys/{name}")));
        if let Some(length) = cut {
            file.truncate(length.index(file.len()));
        }
        file
    })
}

/// The DER of a public key with some bytes replaced.
fn damaged_public_key() -> impl Strategy<Value = Vec<u8>> {
    damage(3).prop_map(|damage| apply(damage, KEYS[0].public_key().spki_der().to_vec()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_never_open(mut item in prop::collection::vec(any::<u8>(), 0..600), fits: bool) {
        if fits && item.len() > 1 {
            item[..2].copy_from_slice(&[1, 0]);
        }
        for key in KEYS.iter() {
            prop_assert!(sealed::open(key, &Label::new(Scope::ClusterWide, "", ""), &item).is_err());
        }
    }

    #[test]
    fn arbitrary_text_never_stops_the_decoder(text in "\\PC*", bytes in any::<Vec<u8>>()) {
        let _ = sealed::decode(&text);
        let _ = text.parse::<Fingerprint>();
        let _ = text.parse::<Scope>();
        let _ = Certificate::from_pem(&bytes);
        let _ = PrivateKey::from_pem(&bytes);
        let _ = PublicKey::from_spki_der(&bytes);
    }

    #[test]
    fn a_damaged_public_key_is_refused_or_usable(spki in damaged_public_key()) {
        if let Ok(key) = PublicKey::from_spki_der(&spki) {
            prop_assert!((2048..=8192).contains(&key.bits()));
            let _ = sealed::seal(&key, &Label::new(Scope::ClusterWide, "", ""), b"x");
        }
    }
}

proptest! {
    // Reading a private key checks its numbers, which takes time.
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_damaged_file_is_refused_or_read(pem in damaged_file()) {
        if let Ok(key) = PrivateKey::from_pem(&pem) {
            prop_assert!((2048..=8192).contains(&key.public_key().bits()));
        }
        if let Ok(certificate) = Certificate::from_pem(&pem) {
            prop_assert!(certificate.pem().starts_with("-----BEGIN CERTIFICATE-----\n"));
        }
    }
}
