//! AWS Secrets Manager and Systems Manager Parameter Store.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::external::refs::{SecretKeySelector, ServiceAccountSelector};
use crate::external::{is_default, non_empty};

/// Secrets of AWS.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AwsProvider {
    /// Which service has them.
    pub service: AwsService,
    /// Region of the service.
    pub region: String,
    /// Who logs in; what the environment of the controller has when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub auth: AwsAuth,
    /// ARN of a role to take on.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub role: Option<String>,
    /// ARNs of roles to take on before, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional_roles: Vec<String>,
    /// External ID that the roles ask for.
    #[serde(
        rename = "externalID",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub external_id: Option<String>,
    /// Tags of the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session_tags: Vec<Tag>,
    /// Tags that the next session in a chain of roles has too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transitive_tag_keys: Vec<String>,
    /// Whether sessions are tagged with the namespace and the store.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "None"))]
    pub session_tags_policy: SessionTagsPolicy,
    /// Tags beside those, with the policy Custom.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub custom_session_tags: BTreeMap<String, String>,
    /// How Secrets Manager deletes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secrets_manager: Option<SecretsManager>,
    /// Stands before the name of every secret.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
}

/// A service of AWS.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AwsService {
    /// Secrets Manager.
    SecretsManager,
    /// Systems Manager Parameter Store.
    ParameterStore,
    /// Certificate Manager.
    CertificateManager,
}

/// Who logs in to AWS.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AwsAuth {
    /// An access key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<AwsSecretRef>,
    /// A ServiceAccount with a role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwt: Option<AwsJwt>,
}

/// An access key.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AwsSecretRef {
    /// Its ID.
    #[serde(
        rename = "accessKeyIDSecretRef",
        default,
        skip_serializing_if = "is_default"
    )]
    pub access_key_id: SecretKeySelector,
    /// The key.
    #[serde(
        rename = "secretAccessKeySecretRef",
        default,
        skip_serializing_if = "is_default"
    )]
    pub secret_access_key: SecretKeySelector,
    /// Token of the session, if the key is of one.
    #[serde(
        rename = "sessionTokenSecretRef",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub session_token: Option<SecretKeySelector>,
}

/// A ServiceAccount with a role.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AwsJwt {
    /// The ServiceAccount; its annotation `eks.amazonaws.com/role-arn` names the role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account_ref: Option<ServiceAccountSelector>,
}

/// A tag.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    /// Its name.
    pub key: String,
    /// Its value.
    pub value: String,
}

/// Whether sessions are tagged with who wants the secret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SessionTagsPolicy {
    /// They are not.
    #[default]
    None,
    /// With the namespace, and the name and kind of the store.
    Simple,
    /// With those and more.
    Custom,
}

/// How Secrets Manager deletes.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SecretsManager {
    /// At once and for ever.
    #[serde(default, skip_serializing_if = "is_default")]
    pub force_delete_without_recovery: bool,
    /// How many days a secret can be brought back: 7 to 30, and 30 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_window_in_days: Option<i64>,
}
