//! What the statuses would say that cannot be written.
//!
//! A status remembers what was applied, so that an unchanged object is not opened again. Where the
//! API server does not take it, this does until it is taken.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use signet_crds::sealed_secret::{Applied, SealedSecret};
use signet_engine::outcome::Outcome;

use crate::object::ObjectKey;

/// The outcomes that are in no status, by object: one for each object at most.
#[derive(Debug, Default)]
pub struct Unwritten(Mutex<HashMap<ObjectKey, (Option<String>, Outcome)>>);

impl Unwritten {
    /// Keeps an outcome, if it is one that was applied.
    pub fn note(&self, key: &ObjectKey, sealed: &SealedSecret, outcome: &Outcome) {
        if matches!(outcome, Outcome::Applied { .. }) {
            let uid = sealed.metadata.uid.clone();
            self.outcomes().insert(key.clone(), (uid, outcome.clone()));
        }
    }

    /// The outcome for this object, and what was applied.
    pub fn of(&self, key: &ObjectKey, sealed: &SealedSecret) -> Option<(Outcome, Applied)> {
        let outcomes = self.outcomes();
        let (uid, outcome) = outcomes.get(key)?;
        match outcome {
            Outcome::Applied { applied, .. } if *uid == sealed.metadata.uid => {
                Some((outcome.clone(), applied.clone()))
            }
            _ => None,
        }
    }

    /// The status was written, or the object is gone.
    pub fn forget(&self, key: &ObjectKey) {
        self.outcomes().remove(key);
    }

    fn outcomes(&self) -> MutexGuard<'_, HashMap<ObjectKey, (Option<String>, Outcome)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
