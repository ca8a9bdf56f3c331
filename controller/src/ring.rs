//! The key ring that everybody uses, and its replacement.

use std::sync::Arc;

use signet_keys::keyring::KeyRing;
use tokio::sync::watch;

/// The current key ring. Work that has begun ends with the ring that it began with.
#[derive(Debug)]
pub struct Ring(watch::Sender<Arc<KeyRing>>);

impl Default for Ring {
    fn default() -> Self {
        Self(watch::Sender::new(Arc::default()))
    }
}

impl Ring {
    /// The keys as they are now.
    pub fn now(&self) -> Arc<KeyRing> {
        self.0.borrow().clone()
    }

    /// Puts another ring in place; false if it holds the same keys in the same order.
    pub fn replace(&self, ring: KeyRing) -> bool {
        self.0.send_if_modified(|current| {
            let same = current.len() == ring.len()
                && current.iter().zip(ring.iter()).all(|(a, b)| {
                    a.fingerprint() == b.fingerprint()
                        && a.certificate == b.certificate
                        && a.name == b.name
                });
            if !same {
                *current = Arc::new(ring);
            }
            !same
        })
    }

    /// Tells of each replacement.
    pub fn subscribe(&self) -> watch::Receiver<Arc<KeyRing>> {
        self.0.subscribe()
    }
}
