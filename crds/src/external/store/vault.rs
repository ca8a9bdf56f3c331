//! HashiCorp Vault.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sensitive;
use crate::external::refs::{CaProvider, SecretKeySelector};
use crate::external::{is_default, non_empty};
use crate::schema;

mod auth;

pub use auth::{
    VaultAppRole, VaultAuth, VaultCertAuth, VaultGcpAuth, VaultIamAuth, VaultJwtAuth,
    VaultKubernetesAuth, VaultLdapAuth, VaultServiceAccountToken, VaultUserPassAuth,
};

/// Secrets of a key-value engine of Vault.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct VaultProvider {
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
    /// The namespace of Vault.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub namespace: Option<String>,
    /// Who logs in. Nobody when absent: an agent does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<VaultAuth>,
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
    /// The certificate that the server asks for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tls: VaultClientTls,
    /// Headers of all requests.
    #[serde(default, skip_serializing_if = "is_default")]
    pub headers: Sensitive<BTreeMap<String, String>>,
    /// Whether what was written is seen by what is read next.
    #[serde(default, skip_serializing_if = "is_default")]
    pub read_your_writes: bool,
    /// Whether a server that is behind passes such requests on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub forward_inconsistent: bool,
    /// Whether writing states the version that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_and_set: Option<VaultCheckAndSet>,
}

/// Version of a key-value engine.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
pub enum VaultKvVersion {
    /// Without versions of secrets.
    V1,
    /// With them.
    #[default]
    V2,
}

/// The certificate that a server asks for.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultClientTls {
    /// The certificate; item `tls.crt` when no key is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<SecretKeySelector>,
    /// Its private key; item `tls.key` when no key is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_secret_ref: Option<SecretKeySelector>,
}

/// Whether writing states the version that it replaces.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct VaultCheckAndSet {
    /// It does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub required: bool,
}
