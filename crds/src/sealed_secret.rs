//! `SealedSecret`, `bitnami.com/v1alpha1`.
//!
//! Field for field the resource that installed clusters have. Additions: `template` keeps fields it
//! does not know (so that they can be named instead of vanishing), `template.data` keeps `null`, and
//! the status says more.

use std::collections::BTreeMap;

use kube::CustomResource;
use kube::core::CustomResourceExt;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

mod decode;
mod schema;
mod status;

pub use decode::Unreadable;
pub use status::{Applied, Condition, KeyUse, OwnedMetadata, SealedSecretStatus, TargetMode};

/// The sealed items of a Secret, and the shape of the Secret to make of them.
#[derive(CustomResource, JsonSchema, Serialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "bitnami.com",
    version = "v1alpha1",
    kind = "SealedSecret",
    plural = "sealedsecrets",
    singular = "sealedsecret",
    namespaced,
    status = "SealedSecretStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A Secret whose values are encrypted to the key of the cluster: safe to store in public, readable only by the controller.",
    printcolumn = r#"{"name":"Status", "type":"string", "jsonPath":".status.conditions[0].message"}"#,
    printcolumn = r#"{"name":"Synced", "type":"string", "jsonPath":".status.conditions[0].status"}"#,
    printcolumn = r#"{"name":"Age", "type":"date", "jsonPath":".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = ["encryptedData"]))]
pub struct SealedSecretSpec {
    /// The shape of the Secret that is made of this SealedSecret.
    #[serde(skip_serializing_if = "SecretTemplate::is_empty")]
    pub template: SecretTemplate,

    /// Deprecated: the whole Secret in one ciphertext. Use `encryptedData`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::byte")]
    pub data: Option<String>,

    /// The items of the Secret, each encrypted on its own and base64 encoded.
    #[schemars(schema_with = "schema::encrypted_data")]
    pub encrypted_data: BTreeMap<String, String>,

    /// What could not be read while decoding, in the order of its path. Not part of the resource.
    #[serde(skip)]
    #[schemars(skip)]
    pub unreadable: Vec<Unreadable>,
}

/// The shape of the Secret: everything but its sealed items.
#[derive(JsonSchema, Serialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = []))]
pub struct SecretTemplate {
    /// Labels, annotations and finalizers of the Secret. Its name and namespace are always those of
    /// the SealedSecret.
    #[serde(skip_serializing_if = "TemplateMetadata::is_empty")]
    #[schemars(schema_with = "schema::template_metadata")]
    pub metadata: TemplateMetadata,

    /// The type of the Secret; `Opaque` when absent.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::text")]
    pub type_: Option<String>,

    /// Whether the Secret is immutable: Kubernetes then refuses any change of its data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::boolean")]
    pub immutable: Option<bool>,

    /// Further items, as text and not base64 encoded. An item with the name of a sealed one does not
    /// replace it, but `null` leaves the sealed one out of the Secret.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "schema::template_data")]
    pub data: BTreeMap<String, Option<String>>,

    /// Fields that a template does not have, by name.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, Value>,
}

impl SecretTemplate {
    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The part of a template's metadata that reaches the Secret.
#[derive(Serialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct TemplateMetadata {
    /// Name at the time of sealing; informative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Namespace at the time of sealing; informative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Labels of the Secret.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Annotations of the Secret.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Finalizers that the Secret is created with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<String>,
    /// Whatever else there is, such as `creationTimestamp: null` of older tools. It is kept as it is
    /// and has no effect.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, Value>,
}

impl TemplateMetadata {
    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let mut crd = SealedSecret::crd();
    crd.spec.names.list_kind = Some("SealedSecretList".to_owned());
    for version in &mut crd.spec.versions {
        if let Some(schema) = version
            .schema
            .as_mut()
            .and_then(|v| v.open_api_v3_schema.as_mut())
        {
            schema::tidy(schema);
        }
    }
    crd
}

#[cfg(test)]
mod tests;
