//! Where private-key work is done: off the threads that answer, and not more of it at once than
//! there are cores.
//!
//! Long work makes room for others every [`SLICE`], between one item and the next: however large an
//! object is, a small one waits for slices and not for its end. When nobody waits for an answer any
//! more, the work ends at the next item.

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use signet_engine::pace::Pace;
use thiserror::Error;
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
};

/// Time after which work makes room for others that wait.
const SLICE: Duration = Duration::from_millis(20);

/// A bounded pool. Clones are the same pool.
#[derive(Debug, Clone)]
pub struct Pool {
    permits: Arc<Semaphore>,
    most: usize,
}

/// The work did not end. What it said is not kept: it may have been about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("internal error: the work ended in a panic")]
pub struct Panicked;

/// A piece of work's place in the pool. As its pace it makes room, and ends it.
#[derive(Debug)]
pub struct Seat {
    pool: Pool,
    permit: Option<OwnedSemaphorePermit>,
    since: Instant,
    unwanted: Arc<AtomicBool>,
    runtime: Handle,
}

impl Pool {
    /// A pool for this many pieces of work at once.
    pub fn new(permits: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits.max(1))),
            most: usize::MAX,
        }
    }

    /// A pool as large as the machine.
    pub fn of_cores() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
    }

    /// The same pool, where a piece of work ends that takes more private-key operations than this.
    #[must_use]
    pub fn at_most(self, operations: usize) -> Self {
        Self {
            most: operations,
            ..self
        }
    }

    /// Does `work` when there is room for it. Work that may be long gives its seat to the engine as
    /// its pace. Dropping the future ends it there.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Seat) -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        // The semaphore is never closed.
        let permit = self.permits.clone().acquire_owned().await;
        let unwanted = Unwanted(Arc::default());
        let mut seat = Seat {
            pool: self.clone(),
            permit: Some(permit.map_err(|_| Panicked)?),
            since: Instant::now(),
            unwanted: unwanted.0.clone(),
            runtime: Handle::current(),
        };
        let task = tokio::task::spawn_blocking(move || {
            std::panic::catch_unwind(AssertUnwindSafe(|| work(&mut seat))).map_err(|_| Panicked)
        });
        task.await.map_err(|_| Panicked)?
    }
}

impl Pace for Seat {
    fn goes_on(&mut self, spent: usize) -> bool {
        if spent >= self.pool.most || self.unwanted.load(Ordering::Relaxed) {
            return false;
        }
        if self.since.elapsed() >= SLICE {
            // Behind those that wait by now.
            self.permit = None;
            let permits = self.pool.permits.clone();
            self.permit = self.runtime.block_on(permits.acquire_owned()).ok();
            self.since = Instant::now();
        }
        true
    }
}

/// Tells the work when nobody waits for it any more.
struct Unwanted(Arc<AtomicBool>);

impl Drop for Unwanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use std::sync::atomic::AtomicUsize;

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
                let count = move |_: &mut Seat| {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(10));
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
        let panics = pool.run(|_| panic!("canary"));
        assert_eq!(panics.await, Err::<(), _>(Panicked));
        assert_eq!(pool.run(|_| 1).await, Ok(1));
    }

    /// Items of a large object, until it is told to stop.
    fn endless(seat: &mut Seat) -> usize {
        let mut items = 0;
        while seat.goes_on(items) {
            std::thread::sleep(Duration::from_millis(1));
            items += 1;
        }
        items
    }

    #[tokio::test]
    async fn short_work_does_not_wait_for_the_end_of_long_work() {
        let pool = Pool::new(1);
        let mut long = std::pin::pin!(pool.run(endless));
        tokio::select! {
            _ = &mut long => panic!("it has no end"),
            done = async {
                tokio::time::sleep(Duration::from_millis(5)).await;
                pool.run(|_| ()).await
            } => assert_eq!(done, Ok(())),
        }
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_any_more_makes_room() {
        let pool = Pool::new(1);
        let given_up = tokio::time::timeout(Duration::from_millis(5), pool.run(endless)).await;
        assert!(given_up.is_err());
        // It would hold its seat for a slice, and then take it again and again.
        for _ in 0..3 {
            assert_eq!(pool.run(|_| ()).await, Ok(()));
        }
        let free = async {
            while pool.permits.available_permits() == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let freed = tokio::time::timeout(Duration::from_secs(5), free).await;
        assert!(freed.is_ok(), "it still runs");
    }

    #[tokio::test]
    async fn work_ends_when_it_has_cost_enough() {
        assert_eq!(Pool::new(1).at_most(3).run(endless).await, Ok(3));
    }
}
