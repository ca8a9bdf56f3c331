//! The workers: each takes the next object from the queue, while this replica leads.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt;
use tracing::error;

use super::{External, key::Key, secret, store};
use crate::{queue::Priority, shutdown::Shutdown};

/// Delay of the next attempt after an internal error.
const SOON: Duration = Duration::from_secs(30);

/// Works until shutdown; what is under way then is brought to its end.
pub(super) async fn run(external: &Arc<External>, shutdown: Shutdown) {
    tokio::select! {
        () = ready(external) => {}
        () = shutdown.requested() => return,
    }
    let workers = (0..external.settings.workers).map(|_| {
        let (external, shutdown) = (external.clone(), shutdown.clone());
        tokio::spawn(async move { work(&external, &shutdown).await })
    });
    futures::future::join_all(workers.collect::<Vec<_>>()).await;
}

/// Everything has been seen once, so that what is unchanged is known to be.
async fn ready(external: &External) {
    for watch in super::watch::NAMES {
        external.shared.health.wait_synced(watch).await;
    }
}

async fn work(external: &External, shutdown: &Shutdown) {
    let mut leadership = external.shared.leadership.clone();
    loop {
        let next = async {
            leadership.acquired().await;
            external.work.next().await
        };
        let turn = tokio::select! {
            biased;
            () = shutdown.requested() => return,
            turn = next => turn,
        };
        if external.shared.leadership.is_leader() {
            let worked = AssertUnwindSafe(one(external, &turn.key))
                .catch_unwind()
                .await;
            if worked.is_err() {
                error!(object = %turn.key, "internal error: the reconcile ended in a panic, it is tried again");
                external
                    .work
                    .add_after(turn.key.clone(), Priority::Routine, SOON);
            }
        } else {
            external.work.add(turn.key.clone(), turn.priority);
        }
        external.work.done(&turn.key);
    }
}

async fn one(external: &External, key: &Key) {
    match key {
        Key::Secret(key) => secret::run(external, key).await,
        Key::Store(key) => store::run(external, key).await,
    }
}
