//! Who logs in to Vault.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::external::refs::{SecretKeySelector, ServiceAccountSelector};
use crate::external::store::aws::{AwsJwt, AwsSecretRef};
use crate::external::store::gcp::{GcpSecretRef, GcpWorkloadIdentity};
use crate::external::{is_default, non_empty};

/// Who logs in to Vault. One method is set; of several, the first in the order of the fields counts.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultAuth {
    /// The namespace to log in to; that of the store when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub namespace: Option<String>,
    /// Somebody with a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_secret_ref: Option<SecretKeySelector>,
    /// An AppRole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_role: Option<VaultAppRole>,
    /// A ServiceAccount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubernetes: Option<VaultKubernetesAuth>,
    /// A user of an LDAP directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ldap: Option<VaultLdapAuth>,
    /// A user with a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_pass: Option<VaultUserPassAuth>,
    /// Somebody with a JSON web token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwt: Option<VaultJwtAuth>,
    /// Somebody with a certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert: Option<VaultCertAuth>,
    /// Somebody of AWS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iam: Option<VaultIamAuth>,
    /// Somebody of Google's cloud.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gcp: Option<VaultGcpAuth>,
}

/// An AppRole.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultAppRole {
    /// Where the method is mounted; `approle` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "approle"))]
    pub path: Option<String>,
    /// ID of the role.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub role_id: Option<String>,
    /// The same, in a Secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role_ref: Option<SecretKeySelector>,
    /// The secret ID.
    pub secret_ref: SecretKeySelector,
}

/// A ServiceAccount.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultKubernetesAuth {
    /// Where the method is mounted; `kubernetes` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "kubernetes"))]
    pub mount_path: Option<String>,
    /// The ServiceAccount; that of the controller when neither this nor `secretRef` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account_ref: Option<ServiceAccountSelector>,
    /// A token of a ServiceAccount; item `token` when no key is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<SecretKeySelector>,
    /// The role of Vault to take on.
    pub role: String,
}

/// A user of an LDAP directory.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultLdapAuth {
    /// Where the method is mounted; `ldap` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "ldap"))]
    pub path: Option<String>,
    /// Name of the user.
    pub username: String,
    /// The password.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secret_ref: SecretKeySelector,
}

/// A user with a password.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultUserPassAuth {
    /// Where the method is mounted; `userpass` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "userpass"))]
    pub path: Option<String>,
    /// Name of the user.
    pub username: String,
    /// The password.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secret_ref: SecretKeySelector,
}

/// Somebody with a JSON web token.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultJwtAuth {
    /// Where the method is mounted; `jwt` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "jwt"))]
    pub path: Option<String>,
    /// The role of Vault to take on; its default one when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub role: Option<String>,
    /// The token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<SecretKeySelector>,
    /// A ServiceAccount to get the token of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kubernetes_service_account_token: Option<VaultServiceAccountToken>,
}

/// A ServiceAccount to get a token of.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultServiceAccountToken {
    /// The ServiceAccount.
    pub service_account_ref: ServiceAccountSelector,
    /// Audiences of the token; `vault` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audiences: Option<Vec<String>>,
    /// How many seconds the token is good for; 600 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration_seconds: Option<i64>,
}

/// Somebody with a certificate.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultCertAuth {
    /// Where the method is mounted; `cert` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "cert"))]
    pub path: Option<String>,
    /// The role of Vault to take on.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub vault_role: Option<String>,
    /// The certificate, in PEM.
    #[serde(default, skip_serializing_if = "is_default")]
    pub client_cert: SecretKeySelector,
    /// Its private key, in PEM.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secret_ref: SecretKeySelector,
}

/// Somebody of AWS.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultIamAuth {
    /// Where the method is mounted; `aws` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// Region of the service that confirms it.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub region: Option<String>,
    /// A role of AWS to take on before.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub role: Option<String>,
    /// The role of Vault to take on.
    pub vault_role: String,
    /// External ID that the role of AWS asks for.
    #[serde(
        rename = "externalID",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub external_id: Option<String>,
    /// What the server wants to be called in the signed request.
    #[serde(
        rename = "vaultAwsIamServerID",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub vault_aws_iam_server_id: Option<String>,
    /// An access key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<AwsSecretRef>,
    /// A ServiceAccount with a role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwt: Option<AwsJwt>,
}

/// Somebody of Google's cloud.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultGcpAuth {
    /// Where the method is mounted; `gcp` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "gcp"))]
    pub path: Option<String>,
    /// The role of Vault to take on.
    pub role: String,
    /// The project.
    #[serde(
        rename = "projectID",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub project_id: Option<String>,
    /// The location.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub location: Option<String>,
    /// A service account with a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<GcpSecretRef>,
    /// A ServiceAccount of a cluster of Google's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload_identity: Option<GcpWorkloadIdentity>,
    /// A ServiceAccount to act as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account_ref: Option<ServiceAccountSelector>,
}
