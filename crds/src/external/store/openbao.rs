//! OpenBao: Vault's protocol, under its own name and with fewer ways to log in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vault::{
    VaultAppRole, VaultAuth, VaultKubernetesAuth, VaultKvVersion, VaultProvider, VaultUserPassAuth,
};
use crate::external::refs::{CaProvider, SecretKeySelector, ServiceAccountSelector};
use crate::external::{is_default, non_empty};
use crate::schema;

/// Secrets of a key-value engine of OpenBao.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct OpenBaoProvider {
    /// Address of the server.
    pub server: String,
    /// Where the engine is mounted. Without it, the first part of each key says so.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// Version of the engine.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "v2"))]
    pub version: VaultKvVersion,
    /// The namespace of OpenBao.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub namespace: Option<String>,
    /// Who logs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<OpenBaoAuth>,
    /// Who signed the certificate of the server: PEM, in base64.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::bytes")]
    pub ca_bundle: Option<String>,
    /// The same, in an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca_provider: Option<CaProvider>,
}

/// Who logs in to OpenBao. One method is set.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct OpenBaoAuth {
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
    pub kubernetes: Option<OpenBaoKubernetesAuth>,
    /// A user with a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_pass: Option<VaultUserPassAuth>,
}

/// A ServiceAccount. Either it or its token is named.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = schema::rules(&RULES)))]
pub struct OpenBaoKubernetesAuth {
    /// Where the method is mounted; `kubernetes` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "kubernetes"))]
    pub path: Option<String>,
    /// The ServiceAccount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_account_ref: Option<ServiceAccountSelector>,
    /// A token of a ServiceAccount; item `token` when no key is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<SecretKeySelector>,
    /// The role of OpenBao to take on.
    pub role: String,
}

/// The ServiceAccount of the controller is nobody's to use here.
const RULES: [(&str, &str); 1] = [(
    "has(self.serviceAccountRef) != has(self.secretRef)",
    "one of serviceAccountRef and secretRef must be set",
)];

impl OpenBaoProvider {
    /// The same store as one of Vault.
    pub fn to_vault(&self) -> VaultProvider {
        VaultProvider {
            server: self.server.clone(),
            path: self.path.clone(),
            version: self.version,
            namespace: self.namespace.clone(),
            auth: self.auth.as_ref().map(OpenBaoAuth::to_vault),
            ca_bundle: self.ca_bundle.clone(),
            ca_provider: self.ca_provider.clone(),
            ..VaultProvider::default()
        }
    }
}

impl OpenBaoAuth {
    fn to_vault(&self) -> VaultAuth {
        VaultAuth {
            namespace: self.namespace.clone(),
            token_secret_ref: self.token_secret_ref.clone(),
            app_role: self.app_role.clone(),
            kubernetes: self
                .kubernetes
                .as_ref()
                .map(OpenBaoKubernetesAuth::to_vault),
            user_pass: self.user_pass.clone(),
            ..VaultAuth::default()
        }
    }
}

impl OpenBaoKubernetesAuth {
    fn to_vault(&self) -> VaultKubernetesAuth {
        VaultKubernetesAuth {
            mount_path: self.path.clone(),
            service_account_ref: self.service_account_ref.clone(),
            secret_ref: self.secret_ref.clone(),
            role: self.role.clone(),
        }
    }
}
