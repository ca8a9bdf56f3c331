//! Random passwords.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use crate::external::{assemble, is_default, non_empty};

/// What a password is made of.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "Password",
    plural = "passwords",
    singular = "password",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "Passwords of random characters."
)]
#[serde(rename_all = "camelCase", default)]
pub struct PasswordSpec {
    /// How many characters it has.
    #[schemars(extend("x-default" = 24))]
    pub length: i64,
    /// How many of them are digits; a quarter when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<i64>,
    /// How many of them are symbols; a quarter when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbols: Option<i64>,
    /// The symbols to choose from.
    #[serde(
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub symbol_characters: Option<String>,
    /// Whether there are no capital letters.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = false))]
    pub no_upper: bool,
    /// Whether a character may stand in it more than once.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = false))]
    pub allow_repeat: bool,
    /// Keys of the result, a password each; `password` when absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secret_keys: Vec<String>,
    /// How it is encoded.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "raw"))]
    pub encoding: PasswordEncoding,
}

impl Default for PasswordSpec {
    fn default() -> Self {
        Self {
            length: 24,
            digits: None,
            symbols: None,
            symbol_characters: None,
            no_upper: false,
            allow_repeat: false,
            secret_keys: Vec::new(),
            encoding: PasswordEncoding::Raw,
        }
    }
}

/// How a password is encoded.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PasswordEncoding {
    /// Not at all.
    #[default]
    Raw,
    /// In base64.
    Base64,
    /// In base64 for addresses.
    #[serde(rename = "base64url")]
    Base64Url,
    /// In base32.
    Base32,
    /// In hexadecimal digits.
    Hex,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object_without_spec::<PasswordSpec, GeneratorStatus>(
        "Passwords of random characters.",
    );
    assemble::crd::<Password>(&schema, None)
}
