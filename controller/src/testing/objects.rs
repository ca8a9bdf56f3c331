//! Keys and objects of tests. One small key is made once for all of them: only its size is unlike a
//! real one.

use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::{ByteString, api::core::v1::Secret};
use signet_crds::{constants, sealed_secret::SealedSecret};
use signet_keys::{
    certificate::{Certificate, SelfSigned},
    keyring::{KeyRing, SealingKey},
    rsa::PrivateKey,
    sealed,
};

static KEYS: LazyLock<[SealingKey; 2]> = LazyLock::new(|| [make("key-1", 1), make("key-2", 2)]);

/// The key that [`seal`] seals for.
pub(crate) fn test_key() -> SealingKey {
    KEYS[0].clone()
}

/// A newer key.
pub(crate) fn newer_key() -> SealingKey {
    KEYS[1].clone()
}

fn make(name: &str, day: i64) -> SealingKey {
    let private = PrivateKey::generate(2048).expect("a key of 2048 bits");
    let not_before = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * day);
    let content = SelfSigned {
        common_name: String::new(),
        not_before,
        lifetime: SignedDuration::from_hours(24 * 36_500),
    };
    let certificate = Certificate::self_signed(&private, &content).expect("a certificate of it");
    SealingKey {
        name: name.to_owned(),
        private,
        certificate,
        ordering: not_before,
    }
}

/// A ring of keys.
pub(crate) fn ring_of(keys: &[SealingKey]) -> KeyRing {
    KeyRing::new(keys.to_vec())
}

/// A Secret that holds a key, as the peer writes it.
pub(crate) fn key_secret(key: &SealingKey) -> Secret {
    let mut secret = Secret::default();
    secret.metadata.name = Some(key.name.clone());
    let label = (
        constants::label::SEALING_KEY.into(),
        constants::label::SEALING_KEY_ACTIVE.into(),
    );
    secret.metadata.labels = Some([label].into());
    secret.type_ = Some(constants::sealing_key::SECRET_TYPE.into());
    let pem = key.private.to_pkcs1_pem().expose().to_vec();
    let certificate = key.certificate.pem().as_bytes().to_vec();
    secret.data = Some(
        [
            (constants::sealing_key::PRIVATE_KEY.into(), ByteString(pem)),
            (
                constants::sealing_key::CERTIFICATE.into(),
                ByteString(certificate),
            ),
        ]
        .into(),
    );
    secret
}

/// An item sealed with [`test_key`], under the label as it is: `namespace/name`, `namespace` or
/// nothing.
pub(crate) fn seal(label: &str, value: &[u8]) -> String {
    let (scope, namespace, name) = match label.split_once('/') {
        Some((namespace, name)) => (sealed::Scope::Strict, namespace, name),
        None if label.is_empty() => (sealed::Scope::ClusterWide, "", ""),
        None => (sealed::Scope::NamespaceWide, label, ""),
    };
    let label = sealed::Label::new(scope, namespace, name);
    let item =
        sealed::seal(test_key().certificate.public_key(), &label, value).expect("it can be sealed");
    sealed::encode(&item)
}

/// A SealedSecret of these items.
pub(crate) fn sealed_secret(namespace: &str, name: &str, items: &[(&str, &str)]) -> SealedSecret {
    let mut sealed = SealedSecret::default();
    sealed.metadata.namespace = Some(namespace.to_owned());
    sealed.metadata.name = Some(name.to_owned());
    let items = items
        .iter()
        .map(|(key, item)| ((*key).to_owned(), (*item).to_owned()));
    sealed.spec.encrypted_data = items.collect();
    sealed
}
