//! What the workers do with ExternalSecrets and stores.

use std::{sync::Arc, time::Duration};

use super::{External, key::Key, secret, store};
use crate::{
    lease::Leadership,
    queue::{Priority, Turn},
    shutdown::Shutdown,
    work::Work,
    workers::{self, Reconciler},
};

/// Delay of the next attempt after an internal error.
const SOON: Duration = Duration::from_secs(30);

/// Works until shutdown; what is under way then is brought to its end.
pub(super) async fn run(external: Arc<External>, shutdown: Shutdown) {
    tokio::select! {
        () = ready(&external) => {}
        () = shutdown.requested() => return,
    }
    let number = external.settings.workers;
    workers::run(external, number, shutdown).await;
}

/// Everything has been seen once, so that what is unchanged is known to be.
async fn ready(external: &External) {
    for watch in super::watch::NAMES {
        external.shared.health.wait_synced(watch).await;
    }
}

impl Reconciler for External {
    type Key = Key;

    fn work(&self) -> &Work<Key> {
        &self.work
    }

    fn leadership(&self) -> &Leadership {
        &self.shared.leadership
    }

    async fn reconcile(&self, turn: &Turn<Key>) {
        match &turn.key {
            Key::Secret(key) => secret::run(self, key).await,
            Key::Store(key) => store::run(self, key).await,
        }
    }

    fn retry(&self, key: &Key) {
        self.work.add_after(key.clone(), Priority::Routine, SOON);
    }
}
