//! Values that are always the same.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use crate::Sensitive;
use crate::external::{assemble, is_default, non_empty};

/// What is always generated.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "Fake",
    plural = "fakes",
    singular = "fake",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "Values that are always the same, for tests."
)]
#[serde(rename_all = "camelCase", default)]
pub struct FakeSpec {
    /// Name of the controller that this generator is for; any with the default name when absent.
    #[serde(
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub controller: Option<String>,
    /// The values.
    #[serde(skip_serializing_if = "is_default")]
    pub data: Sensitive<BTreeMap<String, String>>,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object_without_spec::<FakeSpec, GeneratorStatus>(
        "Values that are always the same, for tests.",
    );
    assemble::crd::<Fake>(&schema, None)
}
