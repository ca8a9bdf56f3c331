//! `PushSecret`: which values of the cluster are written to which stores.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, Time};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::external_secret::Template;
use super::refs::{GeneratorRef, StoreKind};
use super::status::Condition;
use super::{assemble, is_default, non_empty};
use crate::duration::GoDuration;
use crate::schema;

mod data;

pub use data::{
    KeyMatch, PushConversion, PushData, PushDataTo, PushMatch, PushRemoteRef, PushRewrite,
};

/// Which values of the cluster are written to which stores.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "external-secrets.io",
    version = "v1alpha1",
    kind = "PushSecret",
    plural = "pushsecrets",
    singular = "pushsecret",
    shortname = "ps",
    category = "external-secrets",
    namespaced,
    schema = "disabled",
    status = "PushSecretStatus",
    derive = "PartialEq",
    doc = "Values of a Secret or generator that are written to external stores.",
    printcolumn = r#"{"name":"AGE", "type":"date", "jsonPath":".metadata.creationTimestamp"}"#,
    printcolumn = r#"{"name":"Status", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].reason"}"#,
    printcolumn = r#"{"name":"Last Sync", "type":"date", "jsonPath":".status.refreshTime"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct PushSecretSpec {
    /// How often it is written. With `0` once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-default" = "1h0m0s"))]
    pub refresh_interval: Option<GoDuration>,
    /// The stores.
    pub secret_store_refs: Vec<PushStoreRef>,
    /// What happens to a value that a store already has.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "Replace"))]
    pub update_policy: UpdatePolicy,
    /// What happens to values in the stores when this resource no longer asks for them.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "None"))]
    pub deletion_policy: PushDeletionPolicy,
    /// Where the values come from.
    pub selector: PushSelector,
    /// Values, each by its key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub data: Vec<PushData>,
    /// All values whose keys match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1024))]
    pub data_to: Vec<PushDataTo>,
    /// Changes to the values before they are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
}

/// How often values are written when the resource does not say.
const DEFAULT_REFRESH_INTERVAL: GoDuration = GoDuration::from_secs(3600);

impl PushSecretSpec {
    /// How often it is written; not above zero: once.
    pub fn refresh_interval(&self) -> GoDuration {
        self.refresh_interval.unwrap_or(DEFAULT_REFRESH_INTERVAL)
    }
}

/// A store, or several.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct PushStoreRef {
    /// The store with this name.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::object_name")]
    pub name: Option<String>,
    /// Stores with such labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::label_selector")]
    pub label_selector: Option<LabelSelector>,
    /// Kind of the store; SecretStore when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: StoreKind,
}

/// What happens to a value that a store already has.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdatePolicy {
    /// It is replaced.
    #[default]
    Replace,
    /// It stays.
    IfNotExists,
}

/// What happens to values in the stores when the resource no longer asks for them.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PushDeletionPolicy {
    /// They are deleted.
    Delete,
    /// They stay.
    #[default]
    None,
}

/// Where values come from.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub enum PushSelector {
    /// From Secrets of the namespace.
    Secret(PushSource),
    /// From a generator.
    GeneratorRef(GeneratorRef),
}

/// Secrets of the namespace.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct PushSource {
    /// The one with this name.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::object_name")]
    pub name: Option<String>,
    /// Those with such labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::label_selector")]
    pub selector: Option<LabelSelector>,
}

/// What the last attempt came to.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct PushSecretStatus {
    /// When the stores were last written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::nullable_time")]
    pub refresh_time: Option<Time>,
    /// The generation and a hash of the labels and annotations of what was last written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub synced_resource_version: String,
    /// What stands in which store: by `Kind/Name` of the store, then by `remoteKey` or
    /// `remoteKey/property`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub synced_push_secrets: BTreeMap<String, BTreeMap<String, PushData>>,
    /// The generation that the conditions are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// What holds and what does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<PushSecretSpec, PushSecretStatus>(
        "Values of a Secret or generator that are written to external stores.",
    );
    assemble::crd::<PushSecret>(&schema, None)
}

#[cfg(test)]
mod tests;
