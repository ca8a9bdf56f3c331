//! `ClusterPushSecret`: the same PushSecret in many namespaces.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cluster_external_secret::{ChildMetadata, NamespaceFailure};
use super::push_secret::PushSecretSpec;
use super::status::Condition;
use super::{assemble, is_default, non_empty};
use crate::duration::GoDuration;
use crate::schema;

/// A PushSecret and the namespaces that it is made in.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "external-secrets.io",
    version = "v1alpha1",
    kind = "ClusterPushSecret",
    plural = "clusterpushsecrets",
    singular = "clusterpushsecret",
    category = "external-secrets",
    schema = "disabled",
    status = "ClusterPushSecretStatus",
    derive = "PartialEq",
    doc = "The same PushSecret in all namespaces that match.",
    printcolumn = r#"{"name":"AGE", "type":"date", "jsonPath":".metadata.creationTimestamp"}"#,
    printcolumn = r#"{"name":"Status", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].reason"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct ClusterPushSecretSpec {
    /// The spec of the PushSecrets.
    pub push_secret_spec: PushSecretSpec,
    /// Their name; that of this resource when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::object_name")]
    pub push_secret_name: Option<String>,
    /// Their labels and annotations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub push_secret_metadata: ChildMetadata,
    /// Namespaces that any of these matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::label_selectors")]
    pub namespace_selectors: Vec<LabelSelector>,
    /// How often namespaces are looked over; an hour when absent.
    #[serde(
        rename = "refreshTime",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub refresh_time: Option<GoDuration>,
}

/// What the last attempt came to.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ClusterPushSecretStatus {
    /// Name of the PushSecrets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub push_secret_name: String,
    /// Namespaces in which it could not be made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_namespaces: Vec<NamespaceFailure>,
    /// Namespaces in which it was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provisioned_namespaces: Vec<String>,
    /// The generation that the conditions are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// What holds and what does not, `Ready` last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<ClusterPushSecretSpec, ClusterPushSecretStatus>(
        "The same PushSecret in all namespaces that match.",
    );
    assemble::crd::<ClusterPushSecret>(&schema, None)
}
