//! A Kubernetes Secret with its plaintext, on the way to the API server or to standard output.

use std::fmt;

use k8s_openapi::api::core::v1::Secret;
use zeroize::Zeroize;

/// A whole Secret. It holds plaintext, so it cannot be printed or serialized without
/// [`SecretManifest::expose`]; its values are wiped when it is dropped.
#[derive(Clone, PartialEq)]
pub struct SecretManifest(Secret);

impl SecretManifest {
    /// Takes over a Secret.
    pub fn new(secret: Secret) -> Self {
        Self(secret)
    }

    /// The Secret with its plaintext, at one of the two doors where it may leave.
    pub fn expose(&self) -> &Secret {
        &self.0
    }
}

impl fmt::Debug for SecretManifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metadata = &self.0.metadata;
        let keys: Vec<_> = self.0.data.iter().flat_map(|data| data.keys()).collect();
        f.debug_struct("SecretManifest")
            .field("namespace", &metadata.namespace)
            .field("name", &metadata.name)
            .field("keys", &keys)
            .finish_non_exhaustive()
    }
}

impl Drop for SecretManifest {
    fn drop(&mut self) {
        for value in self.0.data.iter_mut().flat_map(|data| data.values_mut()) {
            value.0.zeroize();
        }
    }
}
