//! Orderly shutdown: one signal, which every part can wait for.

use tokio::sync::watch;

/// Says when to stop; cheap to clone.
#[derive(Debug, Clone)]
pub struct Shutdown(watch::Receiver<bool>);

/// Causes the shutdown. Dropping it does so too.
#[derive(Debug)]
pub struct Trigger(watch::Sender<bool>);

impl Trigger {
    /// Begins the shutdown.
    pub fn pull(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// A shutdown that has not begun, and what begins it.
    pub fn new() -> (Trigger, Self) {
        let (sender, receiver) = watch::channel(false);
        (Trigger(sender), Self(receiver))
    }

    /// Waits until the shutdown begins.
    pub async fn requested(&self) {
        // An error means that the trigger is gone: then it is time as well.
        let _ = self.0.clone().wait_for(|begun| *begun).await;
    }

    /// Whether it has begun.
    pub fn is_requested(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }
}
