//! References to other objects.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{constants, is_default, non_empty};
use crate::schema;

/// An item of a Secret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SecretKeySelector {
    /// Name of the Secret.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
    /// Namespace of the Secret. Counts in cluster-scoped resources only.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::namespace_name")]
    pub namespace: Option<String>,
    /// Key of the item.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::item_key")]
    pub key: Option<String>,
}

/// A ServiceAccount to get a token of.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ServiceAccountSelector {
    /// Name of the ServiceAccount.
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
    /// Namespace of the ServiceAccount. Counts in cluster-scoped resources only.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::namespace_name")]
    pub namespace: Option<String>,
    /// Audiences of the token, beside those that the provider needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audiences: Vec<String>,
}

/// Where a certificate authority is kept.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct CaProvider {
    /// Kind of the object.
    #[serde(rename = "type")]
    pub type_: CaProviderType,
    /// Name of the object.
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
    /// Key of the item with the certificates, in PEM.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::item_key")]
    pub key: Option<String>,
    /// Namespace of the object. Counts in cluster-scoped resources only.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::namespace_name")]
    pub namespace: Option<String>,
}

/// Kind of the object that a certificate authority is kept in.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CaProviderType {
    /// A Secret.
    #[default]
    Secret,
    /// A ConfigMap.
    ConfigMap,
}

/// A store.
#[derive(
    JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
#[serde(rename_all = "camelCase")]
pub struct StoreRef {
    /// Name of the store.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
    /// Kind of the store; SecretStore when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: StoreKind,
}

/// Kind of a store.
#[derive(
    JsonSchema,
    Serialize,
    Deserialize,
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
)]
pub enum StoreKind {
    /// For one namespace.
    #[default]
    SecretStore,
    /// For all namespaces that its conditions admit.
    ClusterSecretStore,
}

impl StoreKind {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SecretStore => "SecretStore",
            Self::ClusterSecretStore => "ClusterSecretStore",
        }
    }
}

impl std::fmt::Display for StoreKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A generator.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub struct GeneratorRef {
    /// API version of the generator; `generators.external-secrets.io/v1alpha1` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// Kind of the generator.
    #[schemars(schema_with = "generator_kinds")]
    pub kind: String,
    /// Name of the generator.
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
}

impl GeneratorRef {
    /// API version of the generator.
    pub fn api_version(&self) -> &str {
        self.api_version
            .as_deref()
            .unwrap_or(constants::GENERATORS_API_VERSION)
    }
}

/// Kinds of generators that an ExternalSecret or PushSecret may name.
pub const GENERATOR_KINDS: [&str; 18] = [
    "ACRAccessToken",
    "BeyondtrustWorkloadCredentialsDynamicSecret",
    "CloudsmithAccessToken",
    "ClusterGenerator",
    "ECRAuthorizationToken",
    "Fake",
    "GCRAccessToken",
    "GithubAccessToken",
    "GitlabDeployToken",
    "Grafana",
    "MFA",
    "Password",
    "QuayAccessToken",
    "SSHKey",
    "STSSessionToken",
    "UUID",
    "VaultDynamicSecret",
    "Webhook",
];

fn generator_kinds(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "enum": GENERATOR_KINDS })
}

/// Where values come from when it is not the store of the whole resource.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SourceRef {
    /// From another store.
    #[serde(rename = "storeRef")]
    Store(StoreRef),
    /// From a generator.
    #[serde(rename = "generatorRef")]
    Generator(GeneratorRef),
}
