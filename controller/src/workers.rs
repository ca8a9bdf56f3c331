//! The workers: each takes the next object from the queue, while this replica leads.

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures::FutureExt;
use tracing::error;

use crate::{context::Context, object::ObjectKey, queue::Turn, reconcile, shutdown::Shutdown};

/// Works until shutdown; what is under way then is brought to its end.
pub async fn run(context: Arc<Context>, workers: usize, shutdown: Shutdown) {
    let workers = (0..workers).map(|_| work(context.clone(), shutdown.clone()));
    futures::future::join_all(workers.map(tokio::spawn)).await;
}

async fn work(context: Arc<Context>, shutdown: Shutdown) {
    let mut leadership = context.leadership.clone();
    loop {
        let next = async {
            leadership.acquired().await;
            context.work.next().await
        };
        let turn = tokio::select! {
            biased;
            () = shutdown.requested() => return,
            turn = next => turn,
        };
        if context.leadership.is_leader() {
            one(&context, &turn).await;
        } else {
            context.work.add(turn.key.clone(), turn.priority);
        }
        context.work.done(&turn.key);
    }
}

/// One object. A panic is an internal error of that object alone.
async fn one(context: &Context, turn: &Turn<ObjectKey>) {
    context.metrics.observe_wait(turn.waited);
    let reconciled = AssertUnwindSafe(reconcile::run(context, &turn.key))
        .catch_unwind()
        .await;
    if reconciled.is_err() {
        error!(object = %turn.key, "internal error: the reconcile ended in a panic, it is tried again");
        reconcile::retry(context, &turn.key);
    }
}
