//! A key as a Secret.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use signet_crds::constants::label;
use signet_crds::constants::sealing_key::{CERTIFICATE, PRIVATE_KEY, SECRET_TYPE};
use signet_keys::certificate::Certificate;
use signet_keys::rsa::PrivateKey;

use crate::manifest::SecretManifest;

/// A key to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewKey<'a> {
    /// Namespace of the controller.
    pub namespace: &'a str,
    /// Beginning of the name; the API server adds the rest.
    pub prefix: &'a str,
    /// The key that opens.
    pub private: &'a PrivateKey,
    /// What clients seal with.
    pub certificate: &'a Certificate,
    /// Labels beside the one that marks a key.
    pub labels: &'a BTreeMap<String, String>,
    /// Annotations.
    pub annotations: &'a BTreeMap<String, String>,
}

/// The Secret of a key, as the tools that are in use write and read it.
pub fn key_secret(key: &NewKey<'_>) -> SecretManifest {
    let mut labels = key.labels.clone();
    labels.insert(
        label::SEALING_KEY.to_owned(),
        label::SEALING_KEY_ACTIVE.to_owned(),
    );
    let private = ByteString(key.private.to_pkcs1_pem().expose().to_vec());
    let certificate = ByteString(key.certificate.pem().as_bytes().to_vec());
    SecretManifest::new(Secret {
        metadata: ObjectMeta {
            namespace: Some(key.namespace.to_owned()),
            generate_name: Some(key.prefix.to_owned()),
            labels: Some(labels),
            annotations: Some(key.annotations.clone()).filter(|all| !all.is_empty()),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([
            (PRIVATE_KEY.to_owned(), private),
            (CERTIFICATE.to_owned(), certificate),
        ])),
        type_: Some(SECRET_TYPE.to_owned()),
        ..Secret::default()
    })
}
