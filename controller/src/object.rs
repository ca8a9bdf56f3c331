//! Names of objects.

use std::{
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;

use crate::queue::Tenant;

/// Namespace and name: of a SealedSecret, and so of its Secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl ObjectKey {
    /// The key of these parts.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// The key of an object that came from the API server.
    pub fn of<K: Resource>(object: &K) -> Self {
        let meta = object.meta();
        Self::new(
            meta.namespace.clone().unwrap_or_default(),
            meta.name.clone().unwrap_or_default(),
        )
    }
}

/// Whoever may create objects in a namespace shares the workers with those of others.
impl Tenant for ObjectKey {
    fn tenant(&self) -> &str {
        &self.namespace
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// A number of an object's own, by its UID: spreads the attempts of objects that failed together.
pub fn seed(metadata: &ObjectMeta) -> u64 {
    let mut hasher = DefaultHasher::new();
    metadata.uid.hash(&mut hasher);
    hasher.finish()
}

/// Whether a resource version is newer than another. They are decimal numbers that grow, by the API
/// conventions since Kubernetes 1.35 and in fact before; what is none counts as newer, so that it
/// is looked at.
pub fn is_newer(version: Option<&str>, than: Option<&str>) -> bool {
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok());
    match (number(version), number(than)) {
        (Some(version), Some(than)) => version > than,
        _ => version != than,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(is_newer(Some("10"), Some("9")));
        assert!(!is_newer(Some("9"), Some("10")));
        assert!(!is_newer(Some("9"), Some("9")));
        assert!(is_newer(Some("9"), None));
    }
}
