//! What a generator made, until it is taken back.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GeneratorStatus;
use crate::Sensitive;
use crate::external::assemble;
use crate::schema;

/// What was generated, so that it can be taken back.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "GeneratorState",
    plural = "generatorstates",
    singular = "generatorstate",
    shortname = "gs",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "What a generator made, until it is taken back.",
    printcolumn = r#"{"name":"GC Deadline", "type":"string", "jsonPath":".spec.garbageCollectionDeadline"}"#,
    printcolumn = r#"{"name":"Age", "type":"date", "jsonPath":".metadata.creationTimestamp"}"#
)]
#[serde(rename_all = "camelCase")]
pub struct GeneratorStateSpec {
    /// When it is taken back; never when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::time")]
    pub garbage_collection_deadline: Option<Time>,
    /// The generator, as it was then.
    #[schemars(schema_with = "schema::any")]
    pub resource: Sensitive<Value>,
    /// What the generator needs to take it back.
    #[schemars(schema_with = "schema::any")]
    pub state: Sensitive<Value>,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<GeneratorStateSpec, GeneratorStatus>(
        "What a generator made, until it is taken back.",
    );
    assemble::crd::<GeneratorState>(&schema, None)
}
