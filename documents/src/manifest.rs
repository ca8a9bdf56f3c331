//! Kubernetes resources in a file.

mod resource;

pub mod sealed;

pub use resource::{Resource, resources};
