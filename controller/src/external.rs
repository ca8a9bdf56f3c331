//! ExternalSecrets and the stores that they read.
//!
//! ```text
//!   ExternalSecrets, stores, Secrets (metadata, those that are managed)
//!        |  watch
//!        v
//!   objects --> work (queue) --> workers --> secret: due? --> fetch --> plan --> apply --> status, events
//!                                   |                           |
//!                                   |                           v
//!                                   +--> store: check       stores: one login and one read for all
//! ```
//!
//! Whether anything is due, what is asked for and what becomes of it is decided by
//! [`signet_engine::external`]; here it is fetched, called and applied. What depends on an object that
//! changes is woken by the watch of that object, and does not wait for its interval.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use signet_engine::external::policy::Policy;

use self::{key::Key, objects::Objects, stores::Stores};
use crate::{context::Context, metrics::external::ExternalMetrics, shutdown::Shutdown, work::Work};

mod api;
mod build;
mod fetch;
mod key;
mod objects;
mod secret;
mod store;
mod stores;
mod watch;
mod workers;

pub use stores::StoreSettings;
pub use watch::NAMES as WATCHES;

/// What the flags say about ExternalSecrets.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the engine is to know.
    pub policy: Policy,
    /// How often stores are checked that do not say it themselves.
    pub store_interval: Duration,
    /// Objects that are worked on at the same time.
    pub workers: usize,
    /// How stores are opened.
    pub stores: StoreSettings,
}

/// What the parts share.
pub struct External {
    shared: Arc<Context>,
    settings: Settings,
    objects: Objects,
    stores: Stores,
    work: Work<Key>,
    metrics: ExternalMetrics,
    /// What was read before the program began is not known; this is when it began.
    started: Instant,
}

impl External {
    /// For a controller that shares the rest with SealedSecrets.
    pub fn new(shared: Arc<Context>, settings: Settings, metrics: ExternalMetrics) -> Arc<Self> {
        let stores = Stores::new(shared.client.clone(), settings.stores.clone());
        let work = Work::new(settings.workers, metrics.show_queue());
        Arc::new(Self {
            shared,
            settings,
            objects: Objects::default(),
            stores,
            work,
            metrics,
            started: Instant::now(),
        })
    }

    /// Follows everything. Does not end.
    pub async fn follow(self: Arc<Self>) {
        Box::pin(watch::follow(&self)).await;
    }

    /// Works until shutdown, and gives back what stores have lent.
    pub async fn work(self: Arc<Self>, shutdown: Shutdown) {
        workers::run(self.clone(), shutdown).await;
        self.stores.close().await;
    }
}
