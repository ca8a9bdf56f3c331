//! Secrets of this or another cluster.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::external::refs::{CaProvider, SecretKeySelector, ServiceAccountSelector};
use crate::external::{is_default, non_empty};
use crate::schema;

/// Secrets of a cluster.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct KubernetesProvider {
    /// Its API server; that of this cluster when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub server: KubernetesServer,
    /// Who logs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<KubernetesAuth>,
    /// A kubeconfig file, in place of `server` and `auth`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_ref: Option<SecretKeySelector>,
    /// Namespace of the Secrets; `default` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::namespace_name", extend("x-default" = "default"))]
    pub remote_namespace: Option<String>,
}

/// An API server.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct KubernetesServer {
    /// Its address; `kubernetes.default` when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", extend("x-default" = "kubernetes.default"))]
    pub url: Option<String>,
    /// Who signed its certificate: PEM, in base64.
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

/// Who logs in to a cluster.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub enum KubernetesAuth {
    /// Somebody with a certificate.
    Cert(CertAuth),
    /// Somebody with a token.
    Token(TokenAuth),
    /// A ServiceAccount of this cluster.
    ServiceAccount(ServiceAccountSelector),
}

/// A certificate and its key.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct CertAuth {
    /// The certificate, in PEM.
    #[serde(default, skip_serializing_if = "is_default")]
    pub client_cert: SecretKeySelector,
    /// The key, in PEM.
    #[serde(default, skip_serializing_if = "is_default")]
    pub client_key: SecretKeySelector,
}

/// A token.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TokenAuth {
    /// The token.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bearer_token: SecretKeySelector,
}
