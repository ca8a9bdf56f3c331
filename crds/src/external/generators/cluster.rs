//! A generator that all namespaces may use.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GeneratorStatus;
use super::ecr::EcrAuthorizationTokenSpec;
use super::fake::FakeSpec;
use super::mfa::MfaSpec;
use super::password::PasswordSpec;
use super::ssh_key::SshKeySpec;
use super::sts::StsSessionTokenSpec;
use super::uuid::UuidSpec;
use super::vault::VaultDynamicSecretSpec;
use super::webhook::WebhookSpec;
use crate::external::assemble;
use crate::external::one_of::one_of;

/// A generator of any kind.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "generators.external-secrets.io",
    version = "v1alpha1",
    kind = "ClusterGenerator",
    plural = "clustergenerators",
    singular = "clustergenerator",
    category = "external-secrets",
    category = "external-secrets-generators",
    schema = "disabled",
    status = "GeneratorStatus",
    derive = "PartialEq",
    doc = "A generator that all namespaces may use."
)]
#[serde(rename_all = "camelCase")]
pub struct ClusterGeneratorSpec {
    /// Its kind.
    pub kind: String,
    /// Its spec.
    pub generator: GeneratorSpec,
}

one_of! {
    /// The spec of a generator.
    pub enum GeneratorSpec {
        /// Of `Password`.
        Password(PasswordSpec) = "passwordSpec",
        /// Of `UUID`.
        Uuid(UuidSpec) = "uuidSpec",
        /// Of `SSHKey`.
        SshKey(SshKeySpec) = "sshKeySpec",
        /// Of `Fake`.
        Fake(FakeSpec) = "fakeSpec",
        /// Of `MFA`.
        Mfa(MfaSpec) = "mfaSpec",
        /// Of `Webhook`.
        Webhook(WebhookSpec) = "webhookSpec",
        /// Of `VaultDynamicSecret`.
        VaultDynamicSecret(VaultDynamicSecretSpec) = "vaultDynamicSecretSpec",
        /// Of `STSSessionToken`.
        StsSessionToken(StsSessionTokenSpec) = "stsSessionTokenSpec",
        /// Of `ECRAuthorizationToken`.
        EcrAuthorizationToken(EcrAuthorizationTokenSpec) = "ecrAuthorizationTokenSpec",
    }
    kept: UNSUPPORTED
}

/// Properties of generators that are not served here.
const UNSUPPORTED: &[&str] = &[
    "acrAccessTokenSpec",
    "beyondtrustWorkloadCredentialsDynamicSecretSpec",
    "cloudsmithAccessTokenSpec",
    "codeArtifactAuthorizationTokenSpec",
    "gcrAccessTokenSpec",
    "githubAccessTokenSpec",
    "gitlabDeployTokenSpec",
    "grafanaSpec",
    "quayAccessTokenSpec",
];

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<ClusterGeneratorSpec, GeneratorStatus>(
        "A generator that all namespaces may use.",
    );
    assemble::crd::<ClusterGenerator>(&schema, None)
}
