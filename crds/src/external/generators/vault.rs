//! Credentials that Vault makes on request.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GeneratorStatus;
use crate::Sensitive;
use crate::external::store::RetrySettings;
use crate::external::store::vault::VaultProvider;
use crate::external::{assemble, is_default, non_empty};
use crate::schema;

/// What Vault is asked for.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "VaultDynamicSecret",
    plural = "vaultdynamicsecrets",
    singular = "vaultdynamicsecret",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "Credentials that Vault makes on request."
)]
#[serde(rename_all = "camelCase")]
pub struct VaultDynamicSecretSpec {
    /// Name of the controller that this generator is for; any with the default name when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub controller: Option<String>,
    /// Method of the request: GET, LIST or DELETE; with any other something is written. GET when
    /// absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub method: Option<String>,
    /// What is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::any")]
    pub parameters: Option<Sensitive<Value>>,
    /// What stands behind the `?` of a GET.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub get_parameters: BTreeMap<String, Vec<String>>,
    /// The part of the answer that has the values.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "Data"))]
    pub result_type: VaultResultType,
    /// What happens when Vault does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_settings: Option<RetrySettings>,
    /// The server, and who logs in there.
    pub provider: VaultProvider,
    /// Path of the request.
    pub path: String,
    /// Whether an answer without values is no error.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = false))]
    pub allow_empty_response: bool,
}

/// The part of an answer that has the values.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VaultResultType {
    /// `data`.
    #[default]
    Data,
    /// `auth`, as of a request for a token.
    Auth,
    /// All of it.
    Raw,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<VaultDynamicSecretSpec, GeneratorStatus>(
        "Credentials that Vault makes on request.",
    );
    assemble::crd::<VaultDynamicSecret>(&schema, None)
}
