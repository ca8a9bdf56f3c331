//! Key pairs for SSH.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use crate::external::{assemble, is_default};

/// What kind of key pair.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "SSHKey",
    plural = "sshkeys",
    singular = "sshkey",
    category = "external-secrets",
    category = "external-secrets-generators",
    namespaced,
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "Key pairs for SSH."
)]
#[serde(rename_all = "camelCase", default)]
pub struct SshKeySpec {
    /// The algorithm.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "rsa"))]
    pub key_type: SshKeyType,
    /// How many bits: 2048 when absent for rsa, 256 for ecdsa. It has no meaning for ed25519.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_size: Option<i64>,
    /// What stands behind the public key.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// Algorithm of a key pair.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SshKeyType {
    /// RSA.
    #[default]
    Rsa,
    /// ECDSA on a curve of NIST.
    Ecdsa,
    /// Ed25519.
    Ed25519,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object_without_spec::<SshKeySpec, GeneratorStatus>("Key pairs for SSH.");
    assemble::crd::<SSHKey>(&schema, None)
}
