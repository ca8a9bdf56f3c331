//! Builders for tests, and a cluster of one object that behaves as the API server does.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::OnceLock;

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};
use signet_crds::sealed_secret::SealedSecret;
use signet_keys::certificate::{Certificate, SelfSigned};
use signet_keys::keyring::{KeyRing, SealingKey};
use signet_keys::rsa::PrivateKey;
use signet_keys::sealed::{Label, Scope, encode};

use crate::manifest::SecretManifest;
use crate::policy::Policy;
use crate::unseal::{Hints, UnsealError, Unsealed, unseal};

mod cluster;

pub(crate) use cluster::{Cluster, Report};

/// A moment of the tests' own calendar.
pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The key in use from January on.
pub(crate) fn old_key() -> SealingKey {
    static KEY: OnceLock<SealingKey> = OnceLock::new();
    let pem = include_bytes!("../../keys/tests/fixtures/test-keys/rsa-2048.pem");
    let private = || PrivateKey::from_pem(pem).unwrap();
    KEY.get_or_init(|| certified("old", private(), "2026-01-01T00:00:00Z"))
        .clone()
}

/// The key in use from February on.
pub(crate) fn new_key() -> SealingKey {
    static KEY: OnceLock<SealingKey> = OnceLock::new();
    let private = || PrivateKey::generate(2048).unwrap();
    KEY.get_or_init(|| certified("new", private(), "2026-02-01T00:00:00Z"))
        .clone()
}

/// A key of another cluster.
pub(crate) fn foreign_key() -> SealingKey {
    static KEY: OnceLock<SealingKey> = OnceLock::new();
    let private = || PrivateKey::generate(2048).unwrap();
    KEY.get_or_init(|| certified("foreign", private(), "2026-02-01T00:00:00Z"))
        .clone()
}

fn certified(name: &str, private: PrivateKey, not_before: &str) -> SealingKey {
    let content = SelfSigned {
        common_name: String::new(),
        not_before: at(not_before),
        lifetime: SignedDuration::from_hours(87600),
    };
    let certificate = Certificate::self_signed(&private, &content).unwrap();
    let ordering = certificate.not_before();
    SealingKey {
        name: name.to_owned(),
        private,
        certificate,
        ordering,
    }
}

pub(crate) fn ring() -> KeyRing {
    KeyRing::new(vec![old_key(), new_key()])
}

/// One item as `kubeseal --raw` gives it.
pub(crate) fn seal(key: &SealingKey, scope: Scope, place: (&str, &str), value: &str) -> String {
    let label = Label::new(scope, place.0, place.1);
    let public = key.certificate.public_key();
    encode(&signet_keys::sealed::seal(public, &label, value.as_bytes()).unwrap())
}

/// `team-a/demo` with its items sealed strictly to the new key.
pub(crate) fn sealed(items: &[(&str, &str)]) -> SealedSecret {
    let here = ("team-a", "demo");
    let seal_one = |&(key, value)| (key, seal(&new_key(), Scope::Strict, here, value));
    object(&items.iter().map(seal_one).collect::<Vec<_>>())
}

/// `team-a/demo` with these ciphertexts.
pub(crate) fn object(items: &[(&str, String)]) -> SealedSecret {
    let items: Value = items
        .iter()
        .map(|(k, v)| ((*k).to_owned(), json!(v)))
        .collect();
    serde_json::from_value(json!({
        "apiVersion": "bitnami.com/v1alpha1",
        "kind": "SealedSecret",
        "metadata": { "namespace": "team-a", "name": "demo", "uid": "sealed-1", "generation": 1 },
        "spec": { "encryptedData": items },
    }))
    .unwrap()
}

/// The object with a change to its JSON.
pub(crate) fn edit(sealed: &SealedSecret, pointer: &str, value: Value) -> SealedSecret {
    let mut json = serde_json::to_value(sealed).unwrap();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let mut at = &mut json;
    for step in parent.split('/').skip(1) {
        at = &mut at[step.replace("~1", "/")];
    }
    at[field.replace("~1", "/")] = value;
    serde_json::from_value(json).unwrap()
}

/// The object with an annotation.
pub(crate) fn annotate(sealed: &SealedSecret, name: &str, value: &str) -> SealedSecret {
    let mut sealed = sealed.clone();
    let annotations = sealed.metadata.annotations.get_or_insert_default();
    annotations.insert(name.to_owned(), value.to_owned());
    sealed
}

pub(crate) fn open(sealed: &SealedSecret) -> Result<Unsealed, UnsealError> {
    unseal(
        sealed,
        &ring(),
        &Hints::from_status(sealed),
        &Policy::default(),
    )
}

/// The text of an item.
pub(crate) fn text(unsealed: &Unsealed, key: &str) -> Option<String> {
    let value = unsealed.secret.data.get(key)?;
    Some(String::from_utf8(value.expose().to_vec()).unwrap())
}

/// A Secret as it stands in the cluster.
pub(crate) fn secret(metadata: &Value, data: &[(&str, &str)]) -> Secret {
    let mut secret = Secret {
        metadata: serde_json::from_value(metadata.clone()).unwrap(),
        type_: Some("Opaque".to_owned()),
        ..Secret::default()
    };
    secret.metadata.namespace = Some("team-a".to_owned());
    secret.metadata.name = Some("demo".to_owned());
    secret.metadata.uid.get_or_insert("secret-1".to_owned());
    secret
        .metadata
        .resource_version
        .get_or_insert("100".to_owned());
    let bytes = |&(k, v): &(&str, &str)| (k.to_owned(), ByteString(v.as_bytes().to_vec()));
    secret.data = Some(data.iter().map(bytes).collect());
    secret
}

/// The items of a Secret as text.
pub(crate) fn texts(secret: &Secret) -> Vec<(String, String)> {
    let data = secret.data.iter().flatten();
    data.map(|(key, value)| (key.clone(), String::from_utf8(value.0.clone()).unwrap()))
        .collect()
}

pub(crate) fn exposed(manifest: &SecretManifest) -> Secret {
    manifest.expose().clone()
}
