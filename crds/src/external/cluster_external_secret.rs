//! `ClusterExternalSecret`: the same ExternalSecret in many namespaces.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::external_secret::{ExternalSecretSpec, v1beta1};
use super::status::Condition;
use super::{assemble, is_default, non_empty};
use crate::duration::GoDuration;
use crate::schema;

/// An ExternalSecret and the namespaces that it is made in.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "external-secrets.io",
    version = "v1",
    kind = "ClusterExternalSecret",
    plural = "clusterexternalsecrets",
    singular = "clusterexternalsecret",
    shortname = "ces",
    category = "external-secrets",
    schema = "disabled",
    status = "ClusterExternalSecretStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "The same ExternalSecret in all namespaces that match.",
    printcolumn = r#"{"name":"Store", "type":"string", "jsonPath":".spec.externalSecretSpec.secretStoreRef.name"}"#,
    printcolumn = r#"{"name":"Refresh Interval", "type":"string", "jsonPath":".spec.refreshTime"}"#,
    printcolumn = r#"{"name":"Ready", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct ClusterExternalSecretSpec {
    /// The spec of the ExternalSecrets.
    pub external_secret_spec: ExternalSecretSpec,
    /// Their name; that of this resource when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::object_name")]
    pub external_secret_name: Option<String>,
    /// Their labels and annotations.
    #[serde(default, skip_serializing_if = "is_default")]
    pub external_secret_metadata: ChildMetadata,
    /// Namespaces with such labels, beside `namespaceSelectors`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::label_selector")]
    pub namespace_selector: Option<LabelSelector>,
    /// Namespaces that any of these matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::label_selectors")]
    pub namespace_selectors: Vec<LabelSelector>,
    /// Namespaces by name, beside those that are selected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::namespace_names")]
    pub namespaces: Vec<String>,
    /// How often namespaces are looked over; an hour when absent.
    #[serde(
        rename = "refreshTime",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub refresh_time: Option<GoDuration>,
}

/// Labels and annotations of the objects that are made.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ChildMetadata {
    /// Labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// What the last attempt came to.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ClusterExternalSecretStatus {
    /// Name of the ExternalSecrets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub external_secret_name: String,
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

/// A namespace in which nothing could be made.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct NamespaceFailure {
    /// Its name.
    pub namespace: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<ClusterExternalSecretSpec, ClusterExternalSecretStatus>(
        "The same ExternalSecret in all namespaces that match.",
    );
    let mut older = schema.clone();
    let spec = &mut older["properties"]["spec"]["properties"]["externalSecretSpec"];
    v1beta1::take_out_what_came_later(spec);
    assemble::crd::<ClusterExternalSecret>(&schema, Some(&older))
}
