#![allow(clippy::unwrap_used)]
use der::asn1::OctetStringRef;
use x509_cert::ext::pkix::{BasicConstraints, KeyUsage, KeyUsages};

use super::*;
use crate::rsa::{Backend, PrivateKey};
use crate::testing::fixture;

fn key() -> PrivateKey {
    PrivateKey::from_pem(fixture!("test-keys/rsa-2048.pem")).unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A certificate of ten years, as the controller makes them.
fn content(common_name: &str, not_before: &str) -> SelfSigned {
    SelfSigned {
        common_name: common_name.to_owned(),
        not_before: at(not_before),
        lifetime: SignedDuration::from_hours(87_600),
    }
}

fn parsed(certificate: &Certificate) -> x509_cert::Certificate {
    let block = &pem::blocks(certificate.pem().as_bytes())[0];
    x509_cert::Certificate::from_der(block.der.as_deref().unwrap()).unwrap()
}

#[test]
fn a_certificate_is_read() {
    let certificate = Certificate::from_pem(fixture!("test-keys/rsa-2048.crt")).unwrap();
    assert_eq!(certificate.public_key(), key().public_key());
    assert_eq!(certificate.not_before(), at("2026-11-30T17:11:17Z"));
    assert_eq!(certificate.not_after(), at("2036-11-27T17:11:17Z"));
    assert_eq!(certificate.common_name(), Some("test rsa-2048"));
    assert_eq!(
        certificate.pem().as_bytes(),
        fixture!("test-keys/rsa-2048.crt")
    );
}

#[test]
fn the_first_certificate_counts_and_the_text_around_it_does_not() {
    let chain = Certificate::from_pem(fixture!("test-keys/rsa-2048-with-text.crt")).unwrap();
    assert_eq!(
        chain,
        Certificate::from_pem(fixture!("test-keys/rsa-2048.crt")).unwrap()
    );
    let behind_its_key = [
        fixture!("test-keys/rsa-2048.pem"),
        fixture!("test-keys/rsa-2048.crt"),
    ]
    .concat();
    assert_eq!(Certificate::from_pem(&behind_its_key).unwrap(), chain);
}

#[test]
fn line_ends_of_windows_are_fine() {
    let text = std::str::from_utf8(fixture!("test-keys/rsa-2048.crt"))
        .unwrap()
        .replace('\n', "\r\n");
    assert!(Certificate::from_pem(text.as_bytes()).is_ok());
}

#[test]
fn a_certificate_of_version_1_is_read() {
    let certificate = Certificate::from_pem(fixture!("test-keys/rsa-2048-version-1.crt")).unwrap();
    assert_eq!(certificate.common_name(), Some("version 1"));
    assert_eq!(certificate.public_key(), key().public_key());
}

#[test]
fn certificates_of_other_keys_are_refused_by_name() {
    let refusal = |pem: &[u8]| Certificate::from_pem(pem).unwrap_err().to_string();
    let unusable = "the certificate cannot be used: expected an RSA key but found";
    assert_eq!(
        refusal(fixture!("test-keys/ecdsa-p256.crt")),
        format!("{unusable} an ECDSA key")
    );
    assert_eq!(
        refusal(fixture!("test-keys/ed25519.crt")),
        format!("{unusable} an Ed25519 key")
    );
    assert!(refusal(fixture!("test-keys/rsa-1024.crt")).contains("1024 bits is not supported"));
    let error = Certificate::from_pem(fixture!("test-keys/ecdsa-p256.crt")).unwrap_err();
    assert!(error.hint().unwrap().contains("RSA"));
}

#[test]
fn what_is_no_certificate_is_refused() {
    let refusal = |pem: &[u8]| Certificate::from_pem(pem).unwrap_err().to_string();
    assert_eq!(refusal(b"hello"), "no certificate in PEM found");
    let only_key = "no certificate in PEM found, only: RSA PRIVATE KEY";
    assert_eq!(refusal(fixture!("test-keys/rsa-2048.pem")), only_key);
    let not_base64 = b"-----BEGIN CERTIFICATE-----\n****\n-----END CERTIFICATE-----\n";
    assert_eq!(refusal(not_base64), "the certificate is malformed");
}

#[test]
fn a_made_certificate_says_what_was_asked_for() {
    let made = Certificate::self_signed(&key(), &content("sealed", "2026-01-02T03:04:05.9Z"));
    let made = made.unwrap();
    assert_eq!(made.public_key(), key().public_key());
    assert_eq!(made.common_name(), Some("sealed"));
    assert_eq!(made.not_before(), at("2026-01-02T03:04:05Z"));
    assert_eq!(made.not_after(), at("2035-12-31T03:04:05Z"));
    assert_eq!(Certificate::from_pem(made.pem().as_bytes()).unwrap(), made);
    assert!(!made.is_expired(at("2035-12-31T03:04:05Z")));
    assert!(made.is_expired(at("2035-12-31T03:04:06Z")));
}

#[test]
fn a_made_certificate_has_the_shape_of_the_peers() {
    let made = Certificate::self_signed(&key(), &content("", "2026-01-01T00:00:00Z")).unwrap();
    assert_eq!(made.common_name(), None);
    let certificate = parsed(&made);
    let tbs = certificate.tbs_certificate();
    assert_eq!(tbs.version(), x509_cert::Version::V3);
    assert!(tbs.subject().is_empty() && tbs.issuer().is_empty());
    assert_eq!(
        certificate.signature_algorithm().oid.to_string(),
        "1.2.840.113549.1.1.11"
    );

    let extensions: Vec<_> = tbs.extensions().unwrap().iter().collect();
    let shape: Vec<_> = extensions
        .iter()
        .map(|e| (e.extn_id.to_string(), e.critical))
        .collect();
    let expected = [
        ("2.5.29.15", true),
        ("2.5.29.19", true),
        ("2.5.29.14", false),
    ];
    assert_eq!(
        shape,
        expected.map(|(oid, critical)| (oid.to_owned(), critical))
    );
    let value = |index: usize| extensions[index].extn_value.as_bytes();
    assert_eq!(
        KeyUsage::from_der(value(0)).unwrap().0,
        KeyUsages::EncipherOnly
    );
    let constraints = BasicConstraints::from_der(value(1)).unwrap();
    assert_eq!(
        constraints,
        BasicConstraints {
            ca: true,
            path_len_constraint: None
        }
    );
    assert_eq!(
        <&OctetStringRef>::from_der(value(2))
            .unwrap()
            .as_bytes()
            .len(),
        20
    );
}

/// The signature is deterministic, so all that is random is the serial number.
#[test]
fn the_certificates_of_the_peer_are_made_byte_for_byte() {
    for (name, theirs) in [
        ("", fixture!("controller-0.40.0/no-name.crt")),
        (
            "sealed-secrets.example.com",
            fixture!("controller-0.40.0/printable.crt"),
        ),
        ("grüße*", fixture!("controller-0.40.0/utf-8.crt")),
    ] {
        let theirs = Certificate::from_pem(theirs).unwrap();
        let serial = parsed(&theirs).tbs_certificate().serial_number().clone();
        let content = content(name, "2026-01-02T03:04:05Z");
        let ours = self_signed::encode(&key(), &content, serial.as_bytes()).unwrap();
        assert_eq!(Certificate::from_der(&ours).unwrap(), theirs, "{name:?}");
    }
}

#[test]
fn every_certificate_has_a_serial_number_of_its_own() {
    let serial = || {
        let made = Certificate::self_signed(&key(), &content("", "2026-01-01T00:00:00Z"));
        parsed(&made.unwrap())
            .tbs_certificate()
            .serial_number()
            .as_bytes()
            .to_vec()
    };
    let (one, other) = (serial(), serial());
    assert_ne!(one, other);
    assert!(
        (12..=17).contains(&one.len()),
        "128 random bits without leading zeros, behind a zero for the sign where the first is set"
    );
}

#[test]
fn all_implementations_sign_alike_and_the_signature_is_right() {
    for &backend in Backend::ALL {
        let key = key().with_backend(backend).unwrap();
        let made = Certificate::self_signed(&key, &content("x", "2026-01-01T00:00:00Z")).unwrap();
        let certificate = parsed(&made);
        let message = certificate.tbs_certificate().to_der().unwrap();
        let signature = certificate.signature().as_bytes().unwrap();
        assert!(verifies(&key, &message, signature), "{backend:?}");
        assert!(!verifies(&key, &message[1..], signature), "{backend:?}");
    }
}

/// The signature scheme is deterministic: a signature is right if and only if every implementation
/// makes the same.
fn verifies(key: &PrivateKey, message: &[u8], signature: &[u8]) -> bool {
    Backend::ALL.iter().all(|&backend| {
        key.with_backend(backend).unwrap().sign(message).as_deref() == Some(signature)
    })
}

#[test]
fn dates_after_2049_are_written_and_read() {
    let made = Certificate::self_signed(&key(), &content("x", "2049-12-31T23:59:59Z")).unwrap();
    let validity = *parsed(&made).tbs_certificate().validity();
    assert!(matches!(validity.not_before, Time::UtcTime(_)));
    assert!(matches!(validity.not_after, Time::GeneralTime(_)));
    assert_eq!(made.not_after(), at("2059-12-29T23:59:59Z"));
}

#[test]
fn impossible_dates_are_refused() {
    let refusal = |not_before: &str, lifetime| {
        let content = SelfSigned {
            lifetime,
            ..content("x", not_before)
        };
        Certificate::self_signed(&key(), &content).unwrap_err()
    };
    let hour = SignedDuration::from_hours(1);
    assert_eq!(
        refusal("2026-01-01T00:00:00Z", SignedDuration::ZERO),
        SelfSignError::Lifetime
    );
    assert_eq!(
        refusal("2026-01-01T00:00:00Z", -hour),
        SelfSignError::Lifetime
    );
    assert_eq!(refusal("1969-12-31T23:59:59Z", hour), SelfSignError::Date);
    assert_eq!(
        refusal("2026-01-01T00:00:00Z", SignedDuration::MAX),
        SelfSignError::Date
    );
}

#[test]
fn a_common_name_keeps_any_character() {
    for name in [
        "sealed-secrets.example.com",
        "a*b",
        "schlüssel 鍵",
        &"x".repeat(300),
    ] {
        let made = Certificate::self_signed(&key(), &content(name, "2026-01-01T00:00:00Z"));
        assert_eq!(made.unwrap().common_name(), Some(name));
    }
}
