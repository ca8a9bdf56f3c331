//! Passwords of a container registry of AWS.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use crate::external::store::aws::AwsAuth;
use crate::external::{assemble, is_default, non_empty};

/// For which registry.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "ECRAuthorizationToken",
    plural = "ecrauthorizationtokens",
    singular = "ecrauthorizationtoken",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "Passwords of a container registry of AWS."
)]
#[serde(rename_all = "camelCase")]
pub struct EcrAuthorizationTokenSpec {
    /// Region of the registry.
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
    /// Which kind of registry; a private one when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scope: EcrScope,
}

/// A kind of registry.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum EcrScope {
    /// One of an account.
    #[default]
    Private,
    /// The public gallery.
    Public,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<EcrAuthorizationTokenSpec, GeneratorStatus>(
        "Passwords of a container registry of AWS.",
    );
    assemble::crd::<ECRAuthorizationToken>(&schema, None)
}
