//! Credentials of an AWS session.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use crate::Sensitive;
use crate::external::store::aws::AwsAuth;
use crate::external::{assemble, is_default, non_empty};

/// Whose session.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "STSSessionToken",
    plural = "stssessiontokens",
    singular = "stssessiontoken",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "Credentials of an AWS session."
)]
#[serde(rename_all = "camelCase")]
pub struct StsSessionTokenSpec {
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
    /// What kind of session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_parameters: Option<StsRequestParameters>,
}

/// What kind of session.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct StsRequestParameters {
    /// How many seconds it lasts: 900 to 129600, and 43200 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_duration: Option<i32>,
    /// The device that makes one-time passwords.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub serial_number: Option<String>,
    /// A password of that device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_code: Option<Sensitive<String>>,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema =
        assemble::object::<StsSessionTokenSpec, GeneratorStatus>("Credentials of an AWS session.");
    assemble::crd::<STSSessionToken>(&schema, None)
}
