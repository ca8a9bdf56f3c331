//! One-time passwords.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use crate::external::refs::SecretKeySelector;
use crate::external::{assemble, non_empty};
use crate::schema;

/// Which one-time passwords.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "MFA",
    plural = "mfas",
    singular = "mfa",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "One-time passwords as of RFC 6238."
)]
#[serde(rename_all = "camelCase")]
pub struct MfaSpec {
    /// The seed, in base32.
    pub secret: SecretKeySelector,
    /// How many digits; 6 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<i64>,
    /// For how many seconds one is good; 30 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_period: Option<i64>,
    /// The hash function: `sha1`, `sha256` or `sha512`; the first when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub algorithm: Option<String>,
    /// The time to make it for; now when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::time")]
    pub when: Option<Time>,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<MfaSpec, GeneratorStatus>("One-time passwords as of RFC 6238.");
    assemble::crd::<MFA>(&schema, None)
}
