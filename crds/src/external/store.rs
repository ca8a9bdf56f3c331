//! `SecretStore` and `ClusterSecretStore`: where values are read and how one logs in there.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::status::Condition;
use super::{assemble, non_empty};
use crate::duration::GoDuration;
use crate::schema;

pub mod aws;
pub mod azure;
pub mod fake;
pub mod gcp;
mod interval;
pub mod kubernetes;
pub mod openbao;
mod provider;
pub mod vault;
pub mod webhook;

pub use interval::StoreInterval;
pub use provider::Provider;

/// Where values are read and how one logs in there.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "external-secrets.io",
    version = "v1",
    kind = "SecretStore",
    plural = "secretstores",
    singular = "secretstore",
    shortname = "ss",
    category = "external-secrets",
    namespaced,
    schema = "disabled",
    status = "StoreStatus",
    derive = "PartialEq",
    doc = "A store of secrets, for the ExternalSecrets of its namespace.",
    printcolumn = r#"{"name":"AGE", "type":"date", "jsonPath":".metadata.creationTimestamp"}"#,
    printcolumn = r#"{"name":"Status", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].reason"}"#,
    printcolumn = r#"{"name":"Capabilities", "type":"string", "jsonPath":".status.capabilities"}"#,
    printcolumn = r#"{"name":"Ready", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct StoreSpec {
    /// Name of the controller that this store is for; any with the default name when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub controller: Option<String>,
    /// The kind of store. Exactly one is set.
    pub provider: Provider,
    /// What happens when the store does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_settings: Option<RetrySettings>,
    /// How often the store is checked: seconds, or a duration such as `5m`. What the controller is told
    /// when absent or `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::int_or_string")]
    pub refresh_interval: Option<StoreInterval>,
    /// Namespaces that may use a ClusterSecretStore: those that any of these admits, all when there is
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<StoreCondition>,
}

/// What happens when a store does not answer.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub struct RetrySettings {
    /// How often it is asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_retries: Option<i32>,
    /// How long is waited before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_interval: Option<GoDuration>,
}

/// Namespaces that may use a ClusterSecretStore. Whatever of it matches admits a namespace.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct StoreCondition {
    /// Those with such labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::label_selector")]
    pub namespace_selector: Option<LabelSelector>,
    /// Those with such names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "schema::namespace_names")]
    pub namespaces: Vec<String>,
    /// Those whose names match one of these regular expressions anywhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub namespace_regexes: Vec<String>,
}

/// What the last check came to.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct StoreStatus {
    /// The generation that the conditions are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// What holds and what does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// What can be done with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Capabilities>,
}

/// What can be done with a store.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capabilities {
    /// Values can be read.
    ReadOnly,
    /// Values can be written.
    WriteOnly,
    /// Both.
    ReadWrite,
}

mod cluster {
    //! The same spec once more, under the name of the resource that is in no namespace.
    #![allow(
        missing_docs,
        reason = "the generated type has its documentation in `doc`"
    )]

    use super::{CustomResource, Deserialize, JsonSchema, Serialize, StoreSpec, StoreStatus};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[kube(
        group = "external-secrets.io",
        version = "v1",
        kind = "ClusterSecretStore",
        plural = "clustersecretstores",
        singular = "clustersecretstore",
        shortname = "css",
        category = "external-secrets",
        schema = "disabled",
        status = "StoreStatus",
        derive = "PartialEq",
        doc = "A store of secrets, for the ExternalSecrets of all namespaces that its conditions admit.",
        printcolumn = r#"{"name":"AGE", "type":"date", "jsonPath":".metadata.creationTimestamp"}"#,
        printcolumn = r#"{"name":"Status", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].reason"}"#,
        printcolumn = r#"{"name":"Capabilities", "type":"string", "jsonPath":".status.capabilities"}"#,
        printcolumn = r#"{"name":"Ready", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#
    )]
    #[serde(transparent)]
    pub struct ClusterStoreSpec(pub StoreSpec);

    impl std::ops::Deref for ClusterStoreSpec {
        type Target = StoreSpec;

        fn deref(&self) -> &StoreSpec {
            &self.0
        }
    }
}

pub use cluster::{ClusterSecretStore, ClusterStoreSpec};

/// The CustomResourceDefinition of SecretStores, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let (schema, older) = schemas("A store of secrets, for the ExternalSecrets of its namespace.");
    assemble::crd::<SecretStore>(&schema, Some(&older))
}

/// The CustomResourceDefinition of ClusterSecretStores, as `deploy/crds/` has it.
pub fn cluster_crd() -> CustomResourceDefinition {
    let (schema, older) = schemas(
        "A store of secrets, for the ExternalSecrets of all namespaces that its conditions admit.",
    );
    assemble::crd::<ClusterSecretStore>(&schema, Some(&older))
}

/// In `v1beta1` the interval is a number of seconds. Its providers are those of `v1`: none of their
/// fields may get lost on the way from one version to the other.
fn schemas(description: &str) -> (Value, Value) {
    let schema = assemble::object::<StoreSpec, StoreStatus>(description);
    let mut older = schema.clone();
    let interval = &mut older["properties"]["spec"]["properties"]["refreshInterval"];
    *interval =
        json!({ "type": "integer", "description": "How often the store is checked, in seconds." });
    (schema, older)
}

#[cfg(test)]
mod tests;
