//! Values that an HTTP server answers with.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use crate::external::assemble;
use crate::external::store::webhook::WebhookProvider;

/// The request whose answer has the values. It is written as that of a store.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "Webhook",
    plural = "webhooks",
    singular = "webhook",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "Values that an HTTP server answers with."
)]
#[serde(transparent)]
pub struct WebhookSpec(pub WebhookProvider);

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<WebhookSpec, GeneratorStatus>(
        "Values that an HTTP server answers with.",
    );
    assemble::crd::<Webhook>(&schema, None)
}
