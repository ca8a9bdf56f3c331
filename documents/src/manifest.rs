//! Kubernetes resources in a file.

mod resource;

pub use resource::{Resource, resources};
