//! The workers: each takes the next object from the queue, while this replica leads.

use std::{fmt::Display, hash::Hash, panic::AssertUnwindSafe, sync::Arc};

use futures::FutureExt;
use tracing::error;

use crate::{
    context::Context,
    lease::Leadership,
    object::ObjectKey,
    queue::{Tenant, Turn},
    reconcile,
    shutdown::Shutdown,
    work::Work,
};

/// Has a queue and knows what is done with one object of it.
pub trait Reconciler: Send + Sync + 'static {
    /// What names an object.
    type Key: Clone + Ord + Hash + Tenant + Display + Send + Sync;

    /// The queue.
    fn work(&self) -> &Work<Self::Key>;

    /// Whether this replica may write.
    fn leadership(&self) -> &Leadership;

    /// Works on one object.
    fn reconcile(&self, turn: &Turn<Self::Key>) -> impl Future<Output = ()> + Send;

    /// Asks for another attempt after an internal error.
    fn retry(&self, key: &Self::Key);
}

impl Reconciler for Context {
    type Key = ObjectKey;

    fn work(&self) -> &Work {
        &self.work
    }

    fn leadership(&self) -> &Leadership {
        &self.leadership
    }

    async fn reconcile(&self, turn: &Turn<ObjectKey>) {
        self.metrics.observe_wait(turn.waited);
        reconcile::run(self, &turn.key).await;
    }

    fn retry(&self, key: &ObjectKey) {
        reconcile::retry(self, key);
    }
}

/// Works until shutdown; what is under way then is brought to its end.
pub async fn run<R: Reconciler>(reconciler: Arc<R>, workers: usize, shutdown: Shutdown) {
    let workers = (0..workers).map(|_| work(reconciler.clone(), shutdown.clone()));
    futures::future::join_all(workers.map(tokio::spawn)).await;
}

async fn work<R: Reconciler>(reconciler: Arc<R>, shutdown: Shutdown) {
    let mut leadership = reconciler.leadership().clone();
    loop {
        let next = async {
            leadership.acquired().await;
            reconciler.work().next().await
        };
        let turn = tokio::select! {
            biased;
            () = shutdown.requested() => return,
            turn = next => turn,
        };
        if reconciler.leadership().is_leader() {
            one(&*reconciler, &turn).await;
        } else {
            reconciler.work().add(turn.key.clone(), turn.priority);
        }
        reconciler.work().done(&turn.key);
    }
}

/// One object. A panic is an internal error of that object alone.
async fn one<R: Reconciler>(reconciler: &R, turn: &Turn<R::Key>) {
    let reconciled = AssertUnwindSafe(reconciler.reconcile(turn))
        .catch_unwind()
        .await;
    if reconciled.is_err() {
        error!(object = %turn.key, "internal error: the reconcile ended in a panic, it is tried again");
        reconciler.retry(&turn.key);
    }
}
