//! The resources of `generators.external-secrets.io`: values that are made and not read.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::status::Condition;

pub mod cluster;
pub mod ecr;
pub mod fake;
pub mod mfa;
pub mod password;
pub mod ssh_key;
pub mod state;
pub mod sts;
pub mod unsupported;
pub mod uuid;
pub mod vault;
pub mod webhook;

/// Whether a generator can be used.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct GeneratorStatus {
    /// The generation that the conditions are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// What holds and what does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// The CustomResourceDefinitions, as `deploy/crds/` has them.
pub fn crds() -> Vec<CustomResourceDefinition> {
    let mut crds = vec![
        cluster::crd(),
        ecr::crd(),
        fake::crd(),
        mfa::crd(),
        password::crd(),
        ssh_key::crd(),
        state::crd(),
        sts::crd(),
        uuid::crd(),
        vault::crd(),
        webhook::crd(),
    ];
    crds.extend(unsupported::crds());
    crds
}

#[cfg(test)]
mod tests;
