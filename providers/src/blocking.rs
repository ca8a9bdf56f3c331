//! Work that blocks, and a runtime for callers that have none.

use futures::channel::oneshot;

use crate::KeyError;

/// Runs work that computes or waits for a program on a thread of its own, so that several keys are
/// worked on at once under any executor. The thread ends by itself when nobody waits any more.
pub(crate) async fn offload<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, KeyError> {
    let (sender, receiver) = oneshot::channel();
    let started = std::thread::Builder::new().spawn(move || {
        let _ = sender.send(work());
    });
    started.map_err(|_| KeyError::Thread)?;
    receiver.await.map_err(|_| KeyError::Thread)
}

/// Runs a future to its end, for callers that are not asynchronous themselves. Services that use the
/// network need the runtime that this starts.
///
/// # Panics
/// Within a runtime of tokio, which does not wait in itself.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    #[cfg(feature = "runtime")]
    {
        // Without file descriptors for it what needs no network still works.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        if let Ok(runtime) = runtime {
            return runtime.block_on(future);
        }
    }
    futures::executor::block_on(future)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn work_runs_side_by_side() {
        let (sender, receiver) = std::sync::mpsc::channel();
        // Each waits for the other: one after the other they would never end.
        let one = offload(move || receiver.recv().unwrap());
        let other = offload(move || sender.send(7).unwrap());
        let (one, other) = block_on(futures::future::join(one, other));
        assert_eq!(one.unwrap(), 7);
        other.unwrap();
    }

    #[test]
    fn a_thread_that_dies_is_an_error() {
        let died = block_on(offload(|| panic!("on purpose")));
        assert!(matches!(died, Err(KeyError::Thread)));
    }
}
