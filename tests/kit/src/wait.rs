//! Waiting for a state, never for a time.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// How long a test waits for what must come. Two cores may be busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(45);

const POLL: Duration = Duration::from_millis(40);

/// Polls until `probe` gives a value, and returns it; `None` after `patience`.
pub async fn wait_for<T>(
    patience: Duration,
    mut probe: impl AsyncFnMut() -> Option<T>,
) -> Option<T> {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(value) = probe().await {
            return Some(value);
        }
        if Instant::now() >= deadline {
            return None;
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Polls until what `read` gives satisfies `is`, and returns it.
///
/// # Panics
/// After [`PATIENCE`], with `what` and the last value read.
pub async fn wait_until<T: Debug>(
    what: &str,
    mut read: impl AsyncFnMut() -> T,
    is: impl Fn(&T) -> bool,
) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let value = read().await;
        if is(&value) {
            return value;
        }
        assert!(
            Instant::now() < deadline,
            "waited {PATIENCE:?} for: {what}\nlast seen: {value:#?}"
        );
        tokio::time::sleep(POLL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_value_that_satisfies_is_returned() {
        let mut count = 0;
        let read = async || {
            count += 1;
            count
        };
        assert_eq!(wait_until("three", read, |seen| *seen == 3).await, 3);
    }

    #[tokio::test]
    async fn patience_ends() {
        assert_eq!(
            wait_for(Duration::from_millis(90), async || None::<()>).await,
            None
        );
    }
}
