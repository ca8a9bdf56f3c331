//! The resources of `external-secrets.io` and `generators.external-secrets.io`.
//!
//! Field for field what installed clusters have, in both versions: `v1`, in which objects are stored,
//! and `v1beta1`, which much of the world's Git holds. The two differ in nothing that a Rust type would
//! show, so that one type reads both.
//!
//! Providers and generators that are not served here are kept as they are: their fields are neither
//! dropped by the API server nor lost in the Rust type.

mod assemble;
pub mod cluster_external_secret;
pub mod cluster_push_secret;
pub mod constants;
pub mod external_secret;
pub mod generators;
mod one_of;
pub mod push_secret;
pub mod refs;
pub mod status;
pub mod store;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde::{Deserialize, Deserializer};

pub use status::Condition;

/// The CustomResourceDefinitions, as `deploy/crds/` has them.
pub fn crds() -> Vec<CustomResourceDefinition> {
    let mut crds = vec![
        external_secret::crd(),
        store::crd(),
        store::cluster_crd(),
        cluster_external_secret::crd(),
        push_secret::crd(),
        cluster_push_secret::crd(),
    ];
    crds.extend(generators::crds());
    crds
}

/// For `skip_serializing_if`: what is not said is not written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Go has no absent text: an empty one says nothing.
fn non_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.filter(|text: &String| !text.is_empty()))
}
