//! What is worked on: ExternalSecrets and stores.

use std::fmt;

use signet_crds::external::refs::StoreKind;

use crate::{object::ObjectKey, queue::Tenant};

/// A store: its kind, its namespace (none of a ClusterSecretStore) and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoreKey {
    /// Its kind.
    pub kind: StoreKind,
    /// Its namespace; empty for a ClusterSecretStore.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// An object that is worked on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// An ExternalSecret.
    Secret(ObjectKey),
    /// A store.
    Store(StoreKey),
}

impl Tenant for Key {
    fn tenant(&self) -> &str {
        match self {
            Self::Secret(key) => &key.namespace,
            Self::Store(key) => &key.namespace,
        }
    }
}

impl StoreKey {
    /// The store that a resource of a namespace means.
    pub fn of(store: &signet_crds::external::refs::StoreRef, namespace: &str) -> Self {
        Self {
            kind: store.kind,
            namespace: match store.kind {
                StoreKind::SecretStore => namespace.to_owned(),
                StoreKind::ClusterSecretStore => String::new(),
            },
            name: store.name.clone(),
        }
    }
}

impl fmt::Display for StoreKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind, self.name)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(key) => key.fmt(f),
            Self::Store(key) => key.fmt(f),
        }
    }
}
