//! The Secret that a SealedSecret describes.

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use signet_crds::constants::annotation;
use signet_crds::sealed_secret::SealedSecret;
use signet_keys::Plaintext;

use crate::manifest::SecretManifest;

/// Type of a Secret that names none.
pub const OPAQUE: &str = "Opaque";

/// What the Secret should be, independent of what is in the cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct DesiredSecret {
    /// Namespace of the SealedSecret; `None` in a file that names none.
    pub namespace: Option<String>,
    /// Name of the SealedSecret.
    pub name: String,
    /// Type; `None` means [`OPAQUE`].
    pub type_: Option<String>,
    /// Whether the Secret is to be immutable; `None` leaves it as it is.
    pub immutable: Option<bool>,
    /// The items.
    pub data: BTreeMap<String, Plaintext>,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// Finalizers that it is created with.
    pub finalizers: Vec<String>,
    /// The SealedSecret as its owner; `None` when the template asks for none, and outside of a
    /// cluster, where there is no UID to refer to.
    pub owner: Option<OwnerReference>,
}

impl DesiredSecret {
    /// The type as the API server will have it.
    pub fn effective_type(&self) -> &str {
        self.type_
            .as_deref()
            .filter(|name| !name.is_empty())
            .unwrap_or(OPAQUE)
    }

    /// The Secret to create where there is none.
    pub fn manifest(&self) -> SecretManifest {
        SecretManifest::new(Secret {
            metadata: ObjectMeta {
                name: Some(self.name.clone()),
                namespace: self.namespace.clone(),
                labels: some(&self.labels),
                annotations: some(&self.annotations),
                finalizers: Some(self.finalizers.clone()).filter(|list| !list.is_empty()),
                owner_references: self.owner.clone().map(|owner| vec![owner]),
                ..ObjectMeta::default()
            },
            data: some(&self.bytes()),
            immutable: self.immutable,
            type_: Some(self.effective_type().to_owned()),
            ..Secret::default()
        })
    }

    /// The items as a Secret holds them.
    pub(crate) fn bytes(&self) -> BTreeMap<String, ByteString> {
        let bytes = |value: &Plaintext| ByteString(value.expose().to_vec());
        self.data
            .iter()
            .map(|(key, value)| (key.clone(), bytes(value)))
            .collect()
    }
}

/// The reference by which the Secret belongs to the SealedSecret. Without `blockOwnerDeletion`, as
/// that would need a right on finalizers.
pub(crate) fn owner(sealed: &SealedSecret) -> Option<OwnerReference> {
    let annotations = &sealed.spec.template.metadata.annotations;
    let skip = annotations.get(annotation::SKIP_SET_OWNER_REFERENCES);
    if skip.is_some_and(|value| value == "true") {
        return None;
    }
    Some(OwnerReference {
        api_version: "bitnami.com/v1alpha1".to_owned(),
        kind: "SealedSecret".to_owned(),
        name: sealed.metadata.name.clone()?,
        uid: sealed.metadata.uid.clone().filter(|uid| !uid.is_empty())?,
        controller: Some(true),
        block_owner_deletion: None,
    })
}

fn some<V: Clone>(map: &BTreeMap<String, V>) -> Option<BTreeMap<String, V>> {
    Some(map.clone()).filter(|map| !map.is_empty())
}
