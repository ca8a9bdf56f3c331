//! Where private-key work is done: off the threads that answer, and not more of it at once than
//! there are cores.

use std::{panic::AssertUnwindSafe, sync::Arc};

use thiserror::Error;
use tokio::sync::Semaphore;

/// A bounded pool. Clones are the same pool.
#[derive(Debug, Clone)]
pub struct Pool(Arc<Semaphore>);

/// The work did not end. What it said is not kept: it may have been about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("internal error: the work ended in a panic")]
pub struct Panicked;

impl Pool {
    /// A pool for this many pieces of work at once.
    pub fn new(permits: usize) -> Self {
        Self(Arc::new(Semaphore::new(permits.max(1))))
    }

    /// A pool as large as the machine.
    pub fn of_cores() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
    }

    /// Does `work` when there is room for it.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        // The semaphore is never closed.
        let permit = self.0.clone().acquire_owned().await.map_err(|_| Panicked)?;
        let task = tokio::task::spawn_blocking(move || {
            let outcome = std::panic::catch_unwind(AssertUnwindSafe(work));
            drop(permit);
            outcome.map_err(|_| Panicked)
        });
        task.await.map_err(|_| Panicked)?
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn no_more_work_runs_at_once_than_the_pool_has_room_for() {
        let (pool, running, most) = (
            Pool::new(2),
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
        );
        let work = (0..8).map(|_| {
            let (pool, running, most) = (pool.clone(), running.clone(), most.clone());
            async move {
                let count = move || {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(10));
                    running.fetch_sub(1, Ordering::SeqCst);
                };
                pool.run(count).await
            }
        });
        futures::future::join_all(work).await;
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_panic_ends_the_work_and_not_the_pool() {
        let pool = Pool::new(1);
        assert_eq!(pool.run(|| panic!("canary")).await, Err::<(), _>(Panicked));
        assert_eq!(pool.run(|| 1).await, Ok(1));
    }
}
