//! The parts of the running program, and their end.

use std::time::Duration;

use tokio::{signal::unix, task::JoinSet};
use tracing::{info, warn};

use super::RunError;
use crate::shutdown::{Shutdown, Trigger};

/// Time that the parts have to end after a signal, shorter than the 30 s of a pod.
const PATIENCE: Duration = Duration::from_secs(25);

/// The parts that run side by side.
pub(super) struct Parts {
    tasks: JoinSet<()>,
    pub(super) shutdown: Shutdown,
}

impl Parts {
    /// None yet.
    pub(super) fn new(shutdown: Shutdown) -> Self {
        Self {
            tasks: JoinSet::new(),
            shutdown,
        }
    }

    /// A part that ends by itself after the shutdown has begun.
    pub(super) fn add(&mut self, part: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(part);
    }

    /// A part that never ends by itself and may be dropped.
    pub(super) fn add_endless(&mut self, part: impl Future<Output = ()> + Send + 'static) {
        let shutdown = self.shutdown.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = part => {}
                () = shutdown.requested() => {}
            }
        });
    }
}

/// Waits for a signal or for a part to end that should not, then for all parts.
pub(super) async fn until_the_end(mut parts: Parts, trigger: Trigger) -> Result<(), RunError> {
    let mut terminate = unix::signal(unix::SignalKind::terminate())?;
    let mut interrupt = unix::signal(unix::SignalKind::interrupt())?;
    let outcome = tokio::select! {
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
        _ = parts.tasks.join_next() => Err(RunError::Ended),
    };
    info!("stopping");
    trigger.pull();
    let all = async { while parts.tasks.join_next().await.is_some() {} };
    if tokio::time::timeout(PATIENCE, all).await.is_err() {
        warn!("some work did not end in time, it is left");
    }
    outcome
}
