//! A service that keeps a note of what it was asked.

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::{BoxFuture, FutureExt};
use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;

use crate::{KeyError, KeyService};

/// Something that a key was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyWork {
    /// The key.
    pub key: MasterKey,
    /// Whether something was to be wrapped, and not unwrapped.
    pub wrapping: bool,
    /// Whether it was done.
    pub done: bool,
}

/// Notes of what was asked, in their order.
#[derive(Clone, Debug, Default)]
pub struct Notes(Arc<Mutex<Vec<KeyWork>>>);

/// A service of which notes are taken.
pub struct Noting<S> {
    service: S,
    notes: Notes,
}

impl Notes {
    /// What came since the last time.
    pub fn take(&self) -> Vec<KeyWork> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, key: &MasterKey, wrapping: bool, done: bool) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.push(KeyWork {
            key: key.clone(),
            wrapping,
            done,
        });
    }
}

impl<S: KeyService> Noting<S> {
    /// Notes go there.
    pub fn new(service: S, notes: Notes) -> Self {
        Self { service, notes }
    }
}

impl<S: KeyService> KeyService for Noting<S> {
    fn name(&self) -> &str {
        self.service.name()
    }

    fn wrap<'a>(
        &'a self,
        key: &'a MasterKey,
        secret: &'a Plaintext,
    ) -> BoxFuture<'a, Result<String, KeyError>> {
        async move {
            let wrapped = self.service.wrap(key, secret).await;
            self.notes.add(key, true, wrapped.is_ok());
            wrapped
        }
        .boxed()
    }

    fn unwrap<'a>(
        &'a self,
        key: &'a MasterKey,
        wrapped: &'a str,
    ) -> BoxFuture<'a, Result<Plaintext, KeyError>> {
        async move {
            let secret = self.service.unwrap(key, wrapped).await;
            self.notes.add(key, false, secret.is_ok());
            secret
        }
        .boxed()
    }

    fn complete<'a>(&'a self, key: &'a MasterKey) -> BoxFuture<'a, Result<MasterKey, KeyError>> {
        self.service.complete(key)
    }
}
