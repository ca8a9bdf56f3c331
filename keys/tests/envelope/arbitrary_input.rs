//! Whatever is read, the program goes on.

use std::sync::LazyLock;

use proptest::prelude::*;
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

/// A real file with some of its bytes replaced, and cut somewhere.
fn mutated_pem() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<u8>());
    (
        prop::sample::select(&FILES[..]),
        prop::collection::vec(change, 0..4),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(name, changes, end)| {
            let mut pem = fixtures::read(&format!("test-keys/{name}"));
            for (position, byte) in changes {
                let position = position.index(pem.len());
                pem[position] = byte;
            }
            // Most often near the end or not at all: an early cut leaves nothing to read.
            let end = pem.len() - end.index(pem.len()).saturating_sub(pem.len() / 2) / 8;
            pem.truncate(end);
            pem
        })
}

/// The DER of a public key with some of its bytes replaced.
fn mutated_spki() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<u8>());
    prop::collection::vec(change, 1..4).prop_map(|changes| {
        let mut der = KEYS[0].public_key().spki_der().to_vec();
        for (position, byte) in changes {
            let position = position.index(der.len());
            der[position] = byte;
        }
        der
    })
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
    fn a_damaged_public_key_is_refused_or_usable(spki in mutated_spki()) {
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
    fn a_damaged_file_is_refused_or_read(pem in mutated_pem()) {
        if let Ok(key) = PrivateKey::from_pem(&pem) {
            prop_assert!((2048..=8192).contains(&key.public_key().bits()));
        }
        if let Ok(certificate) = Certificate::from_pem(&pem) {
            prop_assert!(certificate.pem().starts_with("-----BEGIN CERTIFICATE-----\n"));
        }
    }
}
