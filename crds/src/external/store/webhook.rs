//! Any HTTP server.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sensitive;
use crate::duration::GoDuration;
use crate::external::refs::{CaProvider, SecretKeySelector};
use crate::external::{is_default, non_empty};
use crate::schema;

/// Values that an HTTP server answers with. Texts are templates of Go.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct WebhookProvider {
    /// Method of the request; GET when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub method: Option<String>,
    /// Address of the request.
    pub url: Sensitive<String>,
    /// Headers of the request.
    #[serde(default, skip_serializing_if = "is_default")]
    pub headers: Sensitive<BTreeMap<String, String>>,
    /// Who logs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<WebhookAuth>,
    /// Body of the request.
    #[serde(default, skip_serializing_if = "is_default")]
    pub body: Sensitive<String>,
    /// How long an answer may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<GoDuration>,
    /// Where the value is in the answer.
    pub result: WebhookResult,
    /// Secrets for the templates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<WebhookSecret>,
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

/// Who logs in to a web server.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub enum WebhookAuth {
    /// A user of Windows.
    Ntlm(NtlmAuth),
}

/// A user of Windows.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct NtlmAuth {
    /// The name.
    pub username_secret: SecretKeySelector,
    /// The password.
    pub password_secret: SecretKeySelector,
}

/// Where a value is in an answer.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct WebhookResult {
    /// A path into its JSON; the whole answer when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub json_path: Option<String>,
}

/// A Secret for the templates.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSecret {
    /// Its name in the templates.
    pub name: String,
    /// The Secret.
    pub secret_ref: SecretKeySelector,
}
