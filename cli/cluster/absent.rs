//! The cluster of a build that has none.

use std::convert::Infallible;

use zeroize::Zeroizing;

use super::{ClusterError, Connection, Controller, Fetched, Identity};
use crate::Env;

/// A connection that cannot be made in this build, and so no value of it exists.
#[derive(Debug)]
pub struct Cluster(Infallible);

impl Cluster {
    /// Always [`ClusterError::NotBuilt`].
    pub fn connect(_: &Connection, _: &Env) -> Result<Self, ClusterError> {
        Err(ClusterError::NotBuilt)
    }

    /// The certificate of the controller, PEM.
    pub fn certificate(&self, _: &Controller) -> Result<Fetched, ClusterError> {
        match self.0 {}
    }

    /// Asks the controller whether it can open a `SealedSecret`.
    pub fn verify(&self, _: &Controller, _: &[u8]) -> Result<(), ClusterError> {
        match self.0 {}
    }

    /// Asks the controller to seal again for its newest key.
    pub fn rotate(&self, _: &Controller, _: &[u8]) -> Result<Vec<u8>, ClusterError> {
        match self.0 {}
    }

    /// The key Secrets of a namespace, as a JSON list.
    pub fn key_secrets(&self, _: &str) -> Result<Zeroizing<Vec<u8>>, ClusterError> {
        match self.0 {}
    }

    /// A Secret as JSON.
    pub fn secret(&self, _: &str, _: &str) -> Result<Option<Zeroizing<Vec<u8>>>, ClusterError> {
        match self.0 {}
    }

    /// Creates a Secret.
    pub fn create_secret(&self, _: &str, _: &str, _: &[u8], _: bool) -> Result<(), ClusterError> {
        match self.0 {}
    }

    /// Deletes a Secret if it still is this one.
    pub fn delete_secret(&self, _: &str, _: &str, _: &Identity) -> Result<(), ClusterError> {
        match self.0 {}
    }

    /// The `SealedSecrets` of a namespace, or of all, as a JSON list.
    pub fn sealed_secrets(&self, _: Option<&str>) -> Result<Vec<u8>, ClusterError> {
        match self.0 {}
    }

    /// Whether a namespace exists.
    pub fn has_namespace(&self, _: &str) -> Option<bool> {
        match self.0 {}
    }

    /// A `SealedSecret` as JSON.
    pub fn sealed_secret(&self, _: &str, _: &str) -> Result<Option<Vec<u8>>, ClusterError> {
        match self.0 {}
    }
}
