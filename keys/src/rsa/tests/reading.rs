//! What is read as a key, and what is said about all else.

use super::super::*;
use crate::pem;
use crate::testing::fixture;

fn refusal(pem: &[u8]) -> String {
    PrivateKey::from_pem(pem).unwrap_err().to_string()
}

#[test]
fn the_fingerprint_is_the_one_of_openssh() {
    // ssh-keygen -l -E sha256 of these keys.
    for (pem, fingerprint) in [
        (
            fixture!("test-keys/rsa-2048.pem"),
            "SHA256:fVyYiFuH5tbtmt6PZOwjQpBq+XG5egJngKjGkhuy4K8",
        ),
        (
            fixture!("test-keys/rsa-3072-pkcs8.pem"),
            "SHA256:tRXYvSHS91X4TSLEZXcgtvZcJVn3EROAtK/N13IY4YU",
        ),
        (
            fixture!("test-keys/rsa-4096.pem"),
            "SHA256:uX7fDkutNKxRCwBY6G5HKp/l6vmTgvvWY4C6UMrcLO4",
        ),
    ] {
        let key = PrivateKey::from_pem(pem).unwrap();
        assert_eq!(key.public_key().fingerprint().to_string(), fingerprint);
    }
}

#[test]
fn a_key_is_written_as_it_was_read() {
    for pem in [
        fixture!("test-keys/rsa-2048.pem"),
        fixture!("test-keys/rsa-4096.pem"),
        fixture!("test-keys/rsa-8192.pem"),
    ] {
        let key = PrivateKey::from_pem(pem).unwrap();
        assert_eq!(key.to_pkcs1_pem().expose(), pem);
    }
}

#[test]
fn pkcs1_and_pkcs8_of_a_key_are_the_same_key() {
    let key = PrivateKey::from_pem(fixture!("test-keys/rsa-3072-pkcs8.pem")).unwrap();
    assert_eq!(key.public_key().bits(), 3072);
    let again = PrivateKey::from_pem(key.to_pkcs1_pem().expose()).unwrap();
    assert_eq!(again.public_key(), key.public_key());
}

#[test]
fn a_certificate_beside_the_key_is_passed_over() {
    let both = [
        fixture!("test-keys/rsa-2048.crt"),
        fixture!("test-keys/rsa-2048.pem"),
    ]
    .concat();
    assert!(PrivateKey::from_pem(&both).is_ok());
}

#[test]
fn every_implementation_reads_every_key() {
    for pem in [
        fixture!("test-keys/rsa-2048.pem"),
        fixture!("test-keys/rsa-4096.pem"),
        fixture!("test-keys/rsa-8192.pem"),
    ] {
        let key = PrivateKey::from_pem(pem).unwrap();
        for &backend in Backend::ALL {
            let other = key.with_backend(backend).unwrap();
            assert_eq!(other.public_key(), key.public_key(), "{backend:?}");
            assert_eq!(other.public_key().backend(), backend);
        }
    }
}

#[test]
fn other_kinds_of_keys_are_named() {
    let needed = "expected an RSA key but found";
    assert_eq!(
        refusal(fixture!("test-keys/ecdsa-p256.pem")),
        format!("{needed} an ECDSA key")
    );
    assert_eq!(
        refusal(fixture!("test-keys/ecdsa-p256-pkcs8.pem")),
        format!("{needed} an ECDSA key")
    );
    assert_eq!(
        refusal(fixture!("test-keys/ed25519.pem")),
        format!("{needed} an Ed25519 key")
    );
    let error = PrivateKey::from_pem(fixture!("test-keys/ed25519.pem")).unwrap_err();
    assert!(error.hint().unwrap().contains("RSA"));
}

#[test]
fn a_short_key_is_refused_with_its_size() {
    let expected = "an RSA key of 1024 bits is not supported, only 2048 to 8192 bits";
    assert_eq!(refusal(fixture!("test-keys/rsa-1024.pem")), expected);
}

#[test]
fn a_key_of_three_primes_is_refused() {
    let expected = "an RSA key of more than two primes is not supported";
    assert_eq!(
        refusal(fixture!("test-keys/rsa-2048-three-primes.pem")),
        expected
    );
}

#[test]
fn an_encrypted_key_is_refused_as_such() {
    let expected = "the private key is encrypted with a password";
    assert_eq!(
        refusal(fixture!("test-keys/rsa-2048-encrypted-pkcs1.pem")),
        expected
    );
    assert_eq!(
        refusal(fixture!("test-keys/rsa-2048-encrypted-pkcs8.pem")),
        expected
    );
}

#[test]
fn a_text_without_a_key_says_what_is_in_it() {
    assert_eq!(refusal(b""), "no private key in PEM found");
    assert_eq!(
        refusal(fixture!("test-keys/rsa-2048.crt")),
        "no private key in PEM found, only: CERTIFICATE"
    );
}

#[test]
fn a_damaged_key_is_refused_by_every_implementation() {
    let pem = fixture!("test-keys/rsa-2048.pem");
    let der = pem::blocks(pem)[0].der.clone().unwrap();
    let rejected = KeyError::Rejected("RSA private key");
    // In the middle stands the private exponent or a prime: the encoding stays right.
    for &backend in Backend::ALL {
        for offset in [der.len() / 3, der.len() / 2, der.len() * 2 / 3] {
            let mut damaged = der.clone();
            damaged[offset] ^= 1;
            assert_eq!(
                PrivateKey::from_pkcs1(&damaged, backend).unwrap_err(),
                rejected
            );
        }
    }
    assert!(PrivateKey::from_pkcs1(&der[..der.len() - 1], Backend::preferred()).is_err());
}
