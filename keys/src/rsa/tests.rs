#![allow(clippy::unwrap_used)]
use super::*;
use crate::testing::fixture;

mod reading;
mod wycheproof;

#[test]
fn a_key_is_never_printed() {
    let pem = fixture!("test-keys/rsa-2048.pem");
    let key = PrivateKey::from_pem(pem).unwrap();
    let shown = format!("{key:?} {:?} {:?}", key.public_key(), key.to_pkcs1_pem());
    let fingerprint = key.public_key().fingerprint();
    assert_eq!(
        shown,
        format!(
            "PrivateKey(<redacted>, PublicKey(2048 bits, {fingerprint})) \
             PublicKey(2048 bits, {fingerprint}) Plaintext(<redacted>)"
        )
    );
}

#[test]
fn keys_go_to_other_threads() {
    fn is_shareable<T: Clone + Send + Sync + 'static>() {}
    is_shareable::<PrivateKey>();
    is_shareable::<PublicKey>();
}

#[test]
fn a_generated_key_has_the_size_asked_for_and_survives_its_file() {
    for &backend in Backend::ALL {
        let key = PrivateKey::generate_with(backend, 2048).unwrap();
        assert_eq!(key.public_key().bits(), 2048, "{backend:?}");
        assert_eq!(key.public_key().backend(), backend);
        let read = PrivateKey::from_pem(key.to_pkcs1_pem().expose()).unwrap();
        assert_eq!(read.public_key(), key.public_key(), "{backend:?}");
        let wrapped = key.public_key().wrap(b"label", b"message").unwrap();
        assert_eq!(&read.unwrap(b"label", &wrapped).unwrap()[..], b"message");
    }
}

#[test]
fn only_common_sizes_are_generated() {
    for bits in [0, 1024, 2047, 2049, 4095, 16384] {
        assert_eq!(
            PrivateKey::generate(bits).unwrap_err(),
            GenerateError::Size { bits }
        );
    }
}
