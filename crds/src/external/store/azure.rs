//! Azure Key Vault.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::external::refs::{SecretKeySelector, ServiceAccountSelector};
use crate::external::{is_default, non_empty};

/// Secrets, keys and certificates of an Azure Key Vault.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AzureKvProvider {
    /// Address of the vault.
    pub vault_url: String,
    /// How one logs in.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "ServicePrincipal"))]
    pub auth_type: AzureAuthType,
    /// The tenant. Needed for a service principal.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub tenant_id: Option<String>,
    /// The cloud.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "PublicCloud"))]
    pub environment_type: AzureEnvironment,
    /// The service principal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_secret_ref: Option<AzureKvAuth>,
    /// The ServiceAccount of a workload identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account_ref: Option<ServiceAccountSelector>,
    /// Which of several managed identities is meant.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub identity_id: Option<String>,
    /// Which of two client libraries the peer uses. It has no meaning here.
    #[serde(rename = "useAzureSDK", default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = false))]
    pub use_azure_sdk: bool,
    /// Addresses of a cloud of one's own, for `AzureStackCloud`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_cloud_config: Option<AzureCustomCloud>,
}

/// How one logs in to Azure.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AzureAuthType {
    /// With a client ID and a secret or certificate.
    #[default]
    ServicePrincipal,
    /// As the machine that this runs on.
    ManagedIdentity,
    /// As a ServiceAccount.
    WorkloadIdentity,
}

/// A cloud.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AzureEnvironment {
    /// The public one.
    #[default]
    PublicCloud,
    /// That of the government of the United States.
    USGovernmentCloud,
    /// That of China.
    ChinaCloud,
    /// That of Germany.
    GermanCloud,
    /// One's own.
    AzureStackCloud,
}

/// A service principal.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AzureKvAuth {
    /// Its client ID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<SecretKeySelector>,
    /// Its tenant, for a workload identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<SecretKeySelector>,
    /// Its secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<SecretKeySelector>,
    /// Its certificate, with the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_certificate: Option<SecretKeySelector>,
}

/// Addresses of a cloud of one's own.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct AzureCustomCloud {
    /// Where one logs in.
    pub active_directory_endpoint: String,
    /// Where vaults are.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub key_vault_endpoint: Option<String>,
    /// What the names of vaults end with.
    #[serde(
        rename = "keyVaultDNSSuffix",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub key_vault_dns_suffix: Option<String>,
    /// Where resources are managed.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub resource_manager_endpoint: Option<String>,
    /// Audience of the tokens of a workload identity.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub audience: Option<String>,
}
