//! Whether the program can do its work, and if not, why (D16).

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::Notify;

use crate::ring::Ring;

/// What readiness is judged by.
#[derive(Debug)]
pub struct Health {
    ring: Arc<Ring>,
    require_existing_key: bool,
    watches: Mutex<BTreeMap<String, WatchState>>,
    changed: Notify,
}

/// How a watch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WatchState {
    /// The first list is not complete.
    Starting,
    /// All that there is has been seen once.
    Synced,
    /// The first list fails.
    Failing(String),
}

impl Health {
    /// Healthy once the watches that are to come are synced and there is a key.
    pub fn new(ring: Arc<Ring>, require_existing_key: bool) -> Self {
        Self {
            ring,
            require_existing_key,
            watches: Mutex::default(),
            changed: Notify::new(),
        }
    }

    /// A watch that readiness waits for.
    pub fn expect(&self, watch: &str) {
        self.watches()
            .entry(watch.to_owned())
            .or_insert(WatchState::Starting);
    }

    /// A watch has seen everything once. It stays so when it breaks later: what is known can be
    /// worked with.
    pub fn synced(&self, watch: &str) {
        self.watches().insert(watch.to_owned(), WatchState::Synced);
        self.changed.notify_waiters();
    }

    /// A watch cannot get its first list.
    pub fn failing(&self, watch: &str, why: String) {
        if let Some(state) = self
            .watches()
            .get_mut(watch)
            .filter(|state| **state != WatchState::Synced)
        {
            *state = WatchState::Failing(why);
        }
    }

    /// Waits until all watches whose name begins so are synced.
    pub async fn wait_synced(&self, prefix: &str) {
        loop {
            let changed = self.changed.notified();
            let pending = self
                .watches()
                .iter()
                .any(|(name, state)| name.starts_with(prefix) && *state != WatchState::Synced);
            if !pending {
                return;
            }
            changed.await;
        }
    }

    /// Nothing if ready, else the first thing that is missing.
    pub fn ready(&self) -> Result<(), String> {
        for (name, state) in self.watches().iter() {
            match state {
                WatchState::Synced => {}
                WatchState::Starting => {
                    return Err(format!("waiting for the first list of {name}"));
                }
                WatchState::Failing(why) => return Err(format!("cannot list {name}: {why}")),
            }
        }
        match (self.ring.now().is_empty(), self.require_existing_key) {
            (false, _) => Ok(()),
            (true, true) => Err(
                "no sealing key, and --require-existing-key forbids making one: restore it".into(),
            ),
            (true, false) => Err("no sealing key yet".into()),
        }
    }

    fn watches(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, WatchState>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn d16_not_ready_before_the_caches_are_synced_and_a_key_is_there() {
        let health = Health::new(Arc::default(), false);
        health.expect("SealedSecrets");
        assert_eq!(
            health.ready(),
            Err("waiting for the first list of SealedSecrets".into())
        );
        health.failing("SealedSecrets", "403".into());
        assert_eq!(health.ready(), Err("cannot list SealedSecrets: 403".into()));
        health.synced("SealedSecrets");
        assert_eq!(health.ready(), Err("no sealing key yet".into()));
        health.failing("SealedSecrets", "500".into());
        assert_eq!(health.ready(), Err("no sealing key yet".into()));
    }

    #[test]
    fn issue_702_without_a_key_that_must_exist_it_says_so() {
        let health = Health::new(Arc::default(), true);
        let why = health.ready().expect_err("no key");
        assert!(why.contains("--require-existing-key"), "{why}");
    }

    #[tokio::test]
    async fn waiting_ends_when_the_last_watch_is_synced() {
        let health = Arc::new(Health::new(Arc::default(), false));
        health.expect("a/1");
        health.expect("a/2");
        health.expect("b");
        let waiting = tokio::spawn({
            let health = health.clone();
            async move { health.wait_synced("a/").await }
        });
        health.synced("a/1");
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        health.synced("a/2");
        waiting.await.expect("no panic");
    }
}
