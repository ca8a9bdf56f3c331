//! Google Secret Manager.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::external::refs::{SecretKeySelector, ServiceAccountSelector};
use crate::external::{is_default, non_empty};
use crate::schema;

/// Secrets of Google Secret Manager.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct GcpSmProvider {
    /// Who logs in; what the environment of the controller has when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub auth: GcpAuth,
    /// The project; that of the cluster when absent.
    #[serde(
        rename = "projectID",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub project_id: Option<String>,
    /// The location of regional secrets.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub location: Option<String>,
    /// What happens when the newest version is disabled or destroyed.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "LatestOrFail"))]
    pub secret_version_selection_policy: VersionSelection,
}

/// What happens when the newest version is disabled or destroyed.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VersionSelection {
    /// It is an error.
    #[default]
    LatestOrFail,
    /// The newest of the enabled ones is read.
    LatestOrFetch,
}

/// Who logs in to Google.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct GcpAuth {
    /// A service account with a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<GcpSecretRef>,
    /// A ServiceAccount of this cluster, which is one of Google's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload_identity: Option<GcpWorkloadIdentity>,
    /// Somebody whom another identity provider knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload_identity_federation: Option<GcpFederation>,
}

/// A service account with a key.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct GcpSecretRef {
    /// Its key file.
    #[serde(
        rename = "secretAccessKeySecretRef",
        default,
        skip_serializing_if = "is_default"
    )]
    pub secret_access_key: SecretKeySelector,
}

/// A ServiceAccount of a cluster of Google's.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct GcpWorkloadIdentity {
    /// The ServiceAccount.
    pub service_account_ref: ServiceAccountSelector,
    /// Location of the cluster; what its metadata server says when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub cluster_location: Option<String>,
    /// Name of the cluster; what its metadata server says when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub cluster_name: Option<String>,
    /// Project of the cluster; what its metadata server says when absent.
    #[serde(
        rename = "clusterProjectID",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub cluster_project_id: Option<String>,
}

/// Somebody whom another identity provider knows.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct GcpFederation {
    /// A configuration of the kind `external_account`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cred_config: Option<ConfigMapKey>,
    /// A ServiceAccount of a cluster that the pool trusts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account_ref: Option<ServiceAccountSelector>,
    /// Somebody of AWS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aws_security_credentials: Option<AwsCredentials>,
    /// The pool and the provider in it.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub audience: Option<String>,
    /// A service account of Google's to act as.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub gcp_service_account_email: Option<String>,
    /// The address that tokens must come from.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub external_token_endpoint: Option<String>,
}

/// An item of a ConfigMap.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ConfigMapKey {
    /// Name of the ConfigMap.
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
    /// Key of the item.
    #[schemars(schema_with = "schema::item_key")]
    pub key: String,
    /// Its namespace. Counts in cluster-scoped resources only.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::namespace_name")]
    pub namespace: Option<String>,
}

/// Somebody of AWS.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AwsCredentials {
    /// Region of the service that confirms it.
    pub region: String,
    /// The access key.
    pub aws_credentials_secret_ref: SecretReference,
}

/// A Secret, with the items `aws_access_key_id`, `aws_secret_access_key` and `aws_session_token`.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SecretReference {
    /// Its name.
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
    /// Its namespace. Counts in cluster-scoped resources only.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::namespace_name")]
    pub namespace: Option<String>,
}
