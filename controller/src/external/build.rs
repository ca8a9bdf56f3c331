//! From what a store says, and what it refers to, to a store that can be asked.

mod fake;
mod resolve;
mod token;
mod vault;

use std::sync::Arc;

use signet_crds::external::store::Provider;
use signet_providers::{
    Environment, Policy,
    store::{SecretStore, StoreError},
};

use super::stores::StoreSettings;
use crate::api::ApiError;

pub(super) use resolve::Resolver;

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// This version does not serve its provider.
    #[error("provider not supported: this version does not serve `{0}`")]
    NotServed(String),
    /// It refers to something that is not there, or lacks the item.
    #[error("{what} has no item `{key}`")]
    NoItem {
        /// Kind, namespace and name of the object.
        what: String,
        /// The item.
        key: String,
    },
    /// It refers to something that cannot be read.
    #[error("cannot read {what}: {error}")]
    Api {
        /// Kind, namespace and name of the object.
        what: String,
        /// Why.
        error: ApiError,
    },
    /// It says something that makes no sense, or that this version cannot do.
    #[error("{0}")]
    Invalid(String),
    /// The store itself cannot be made of it.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl BuildError {
    /// Whether another attempt may end otherwise with nothing changed by a person.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Api { error, .. } => !matches!(
                error,
                ApiError::NotFound | ApiError::Forbidden(_) | ApiError::Invalid(_)
            ),
            Self::Store(error) => error.is_transient(),
            Self::NotServed(_) | Self::NoItem { .. } | Self::Invalid(_) => false,
        }
    }
}

/// Opens a store. Nothing is asked of it yet.
pub(super) async fn store(
    provider: &Provider,
    resolver: &mut Resolver,
    settings: &StoreSettings,
) -> Result<Arc<dyn SecretStore>, BuildError> {
    let policy = if settings.danger_local_addresses {
        Policy::everything()
    } else {
        Policy::listed([] as [&str; 0])
    };
    // Proxies are the administrator's; credentials are not taken from the surroundings.
    let environment = Environment::of_process();
    match provider {
        Provider::Vault(vault) => vault::store(vault, resolver, &environment, &policy).await,
        Provider::Fake(fake) => Ok(Arc::new(fake::store(fake, resolver)?)),
        other => Err(BuildError::NotServed(other.name().to_owned())),
    }
}

/// Fills a buffer with random bytes of the system.
#[expect(
    clippy::expect_used,
    reason = "a system that has none has no TLS either, and nothing gets this far"
)]
pub(super) fn fill(buffer: &mut [u8]) {
    getrandom::fill(buffer).expect("the system has random bytes");
}
