#![allow(clippy::unwrap_used, clippy::expect_used)]

use jiff::SignedDuration;
use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

use super::*;
use crate::testing::{at, foreign_key, new_key, old_key};

mod renewal;

/// The Secret of a key as it is found in a cluster.
fn stored(key: &SealingKey, name: &str, created: &str) -> Secret {
    let none = BTreeMap::new();
    let mut secret = key_secret(&NewKey {
        namespace: "kube-system",
        prefix: "sealed-secrets-key",
        private: &key.private,
        certificate: &key.certificate,
        labels: &none,
        annotations: &none,
    })
    .expose()
    .clone();
    secret.metadata.name = Some(name.to_owned());
    secret.metadata.creation_timestamp = Some(Time(at(created)));
    secret
}

fn with_item(mut secret: Secret, item: &str, value: &[u8]) -> Secret {
    secret
        .data
        .get_or_insert_default()
        .insert(item.to_owned(), ByteString(value.to_vec()));
    secret
}

fn with_label(mut secret: Secret, value: Option<&str>) -> Secret {
    let labels = value.map(|value| (label::SEALING_KEY.to_owned(), value.to_owned()));
    secret.metadata.labels = Some(labels.into_iter().collect());
    secret
}

fn load(secrets: &[Secret]) -> Keys {
    from_secrets(secrets, Order::CertNotBefore, "sealed-secrets-key")
}

fn names(keys: &Keys) -> Vec<&str> {
    keys.ring.iter().map(|key| key.name.as_str()).collect()
}

const JANUARY: &str = "2026-01-01T00:00:00Z";
const FEBRUARY: &str = "2026-02-01T00:00:00Z";

#[test]
fn a_key_is_stored_as_the_tools_in_use_store_it() {
    let secret = stored(&new_key(), "sealed-secrets-keyabcde", FEBRUARY);
    assert_eq!(secret.type_.as_deref(), Some("kubernetes.io/tls"));
    assert_eq!(
        secret.metadata.generate_name.as_deref(),
        Some("sealed-secrets-key")
    );
    let labels = secret.metadata.labels.unwrap();
    assert_eq!(
        labels["sealedsecrets.bitnami.com/sealed-secrets-key"],
        "active"
    );
    let data = secret.data.unwrap();
    assert_eq!(data.keys().collect::<Vec<_>>(), ["tls.crt", "tls.key"]);
    assert!(
        data["tls.key"]
            .0
            .starts_with(b"-----BEGIN RSA PRIVATE KEY-----")
    );
    assert!(
        data["tls.crt"]
            .0
            .starts_with(b"-----BEGIN CERTIFICATE-----")
    );
}

#[test]
fn what_was_stored_is_read() {
    let keys = load(&[
        stored(&old_key(), "a", JANUARY),
        stored(&new_key(), "b", FEBRUARY),
    ]);
    assert_eq!(names(&keys), ["b", "a"]);
    assert_eq!(keys.problems, []);
    assert_eq!(
        keys.ring.newest().unwrap().fingerprint(),
        new_key().fingerprint()
    );
}

#[test]
fn only_active_keys_and_the_one_with_the_legacy_name_are_read() {
    let legacy = with_label(stored(&old_key(), "sealed-secrets-key", JANUARY), None);
    let retired = with_label(stored(&new_key(), "b", FEBRUARY), Some("compromised"));
    let other = with_label(stored(&foreign_key(), "tls", FEBRUARY), None);
    assert_eq!(
        names(&load(&[legacy.clone(), retired, other])),
        ["sealed-secrets-key"]
    );
    // A label counts for the legacy name too.
    assert!(
        load(&[with_label(legacy, Some("compromised"))])
            .ring
            .is_empty()
    );
}

#[test]
fn d22_a_secret_that_is_no_key_is_named_and_stops_nothing() {
    let good = stored(&new_key(), "good", FEBRUARY);
    let bad = |name, item, value: &[u8]| with_item(stored(&old_key(), name, JANUARY), item, value);
    let mut bare = stored(&old_key(), "bare", JANUARY);
    bare.data = None;
    let ecdsa = include_bytes!("../../../keys/tests/fixtures/test-keys/ecdsa-p256.pem");
    let keys = load(&[
        bad("z", CERTIFICATE, b"rubbish"),
        bare,
        good,
        bad("ecdsa", PRIVATE_KEY, ecdsa),
        bad("empty", PRIVATE_KEY, b""),
    ]);
    assert_eq!(names(&keys), ["good"]);
    let problems: Vec<_> = keys.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems[0], "key Secret bare: it has no item tls.key");
    assert!(problems[1].starts_with("key Secret ecdsa: tls.key: expected an RSA key but found"));
    assert!(
        problems[2].starts_with("key Secret empty: tls.key: no private key"),
        "{problems:?}"
    );
    assert!(
        problems[3].starts_with("key Secret z: tls.crt: no certificate"),
        "{problems:?}"
    );
}

#[test]
fn a_certificate_of_another_key_is_not_handed_out() {
    let certificate = foreign_key().certificate;
    let mixed = stored(&new_key(), "a", FEBRUARY);
    let mixed = with_item(mixed, CERTIFICATE, certificate.pem().as_bytes());
    let keys = load(&[mixed]);
    assert!(keys.ring.is_empty());
    assert_eq!(keys.problems[0].cause, ProblemCause::Mismatch);
}

#[test]
fn issue_1639_keys_of_one_second_have_one_order() {
    let same = [
        stored(&new_key(), "k-b", FEBRUARY),
        stored(&foreign_key(), "k-a", FEBRUARY),
        stored(&old_key(), "k-c", JANUARY),
    ];
    let mut reversed = same.clone();
    reversed.reverse();
    assert_eq!(names(&load(&same)), ["k-a", "k-b", "k-c"]);
    assert_eq!(names(&load(&reversed)), names(&load(&same)));
}

#[test]
fn the_order_is_that_of_certificates_or_of_secrets() {
    // The older certificate came later.
    let secrets = [
        stored(&old_key(), "old", "2026-03-01T00:00:00Z"),
        stored(&new_key(), "new", FEBRUARY),
    ];
    assert_eq!(names(&load(&secrets)), ["new", "old"]);
    let keys = from_secrets(
        &secrets,
        Order::SecretCreationTimestamp,
        "sealed-secrets-key",
    );
    assert_eq!(names(&keys), ["old", "new"]);
}
