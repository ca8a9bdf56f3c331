//! Each wrapped key is asked for once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::{BoxFuture, FutureExt};
use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;

use crate::{KeyError, KeyService};

/// A service that keeps what another one unwrapped, for a run over many files. What is asked for at
/// the same moment by two files is asked once too. Failures are not kept.
pub struct Remembering<S> {
    service: S,
    known: Mutex<HashMap<Question, Arc<Slot>>>,
}

/// Which key, printed, and what was wrapped.
type Question = (&'static str, String, String);
type Slot = futures::lock::Mutex<Option<Plaintext>>;

impl<S> Remembering<S> {
    /// Knows nothing yet.
    pub fn new(service: S) -> Self {
        Self {
            service,
            known: Mutex::default(),
        }
    }

    fn slot(&self, key: &MasterKey, wrapped: &str) -> Arc<Slot> {
        let question = (key.type_name(), key.to_string(), wrapped.to_owned());
        // Nothing is left half done by a panic: the slot is there or not.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(question).or_default())
    }
}

impl<S: KeyService> KeyService for Remembering<S> {
    fn name(&self) -> &str {
        self.service.name()
    }

    fn wrap<'a>(
        &'a self,
        key: &'a MasterKey,
        secret: &'a Plaintext,
    ) -> BoxFuture<'a, Result<String, KeyError>> {
        self.service.wrap(key, secret)
    }

    fn unwrap<'a>(
        &'a self,
        key: &'a MasterKey,
        wrapped: &'a str,
    ) -> BoxFuture<'a, Result<Plaintext, KeyError>> {
        let slot = self.slot(key, wrapped);
        async move {
            // Who comes second waits for the first one's answer.
            let mut known = slot.lock().await;
            if let Some(secret) = &*known {
                return Ok(secret.clone());
            }
            let secret = self.service.unwrap(key, wrapped).await?;
            *known = Some(secret.clone());
            Ok(secret)
        }
        .boxed()
    }

    fn complete<'a>(&'a self, key: &'a MasterKey) -> BoxFuture<'a, Result<MasterKey, KeyError>> {
        self.service.complete(key)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::groups::testing::{Fake, age};

    #[test]
    fn what_is_asked_twice_or_at_once_is_asked_of_the_service_once() {
        let service = Remembering::new(Fake::new("here", &["age1a"]));
        let key = age("age1a");
        let (one, other) = crate::block_on(futures::future::join(
            service.unwrap(&key, "here:age1a:secret"),
            service.unwrap(&key, "here:age1a:secret"),
        ));
        let third = crate::block_on(service.unwrap(&key, "here:age1a:secret"));
        for secret in [one, other, third] {
            assert_eq!(secret.unwrap().expose(), b"secret");
        }
        assert_eq!(service.service.asked(), ["unwrap age1a"]);
    }

    #[test]
    fn a_failure_is_not_kept_and_another_ciphertext_is_another_question() {
        let service = Remembering::new(Fake::new("here", &["age1a"]));
        let (mine, other) = (age("age1a"), age("age1b"));
        for _ in 0..2 {
            assert!(crate::block_on(service.unwrap(&other, "here:age1b:x")).is_err());
        }
        let open = |wrapped| crate::block_on(service.unwrap(&mine, wrapped)).unwrap();
        assert_eq!(open("here:age1a:one").expose(), b"one");
        assert_eq!(open("here:age1a:two").expose(), b"two");
        assert_eq!(service.service.asked().len(), 4);
    }
}
