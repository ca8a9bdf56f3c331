//! age, with the identities of this machine.
//!
//! Identities are looked for in the places of the peer, in this order, and tried in it:
//!
//! ```text
//!  SOPS_AGE_SSH_PRIVATE_KEY_FILE   an SSH private key
//!  SOPS_AGE_SSH_PRIVATE_KEY_CMD    a program that prints one
//!  ~/.ssh/id_ed25519, id_rsa
//!  SOPS_AGE_KEY                    identities, as text
//!  SOPS_AGE_KEY_FILE               a file of them
//!  SOPS_AGE_KEY_CMD                a program that prints them
//!  <configuration>/sops/age/keys.txt
//! ```
//!
//! Each place is looked at when its turn comes, and once: what opens first spares the rest, their
//! passphrases and their programs. Programs are told the recipient in `SOPS_AGE_RECIPIENT`, so they
//! are asked once for each recipient. A place that cannot be used does not keep the others from being
//! tried; it is told when nothing opened (getsops/sops#1987).

mod assistant;
mod error;
mod source;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use signet_keys::Plaintext;
use signet_keys::age_key::{self, Identity, Recipient, UnwrapError};

pub use error::{AgeError, Look, Outcome};

use crate::blocking::offload;
use crate::{Environment, KeyError, Policy, Prompt};
use assistant::Helper;
use source::{Found, Source};

/// The identities of this machine, as far as they have been looked for.
pub struct AgeKeys {
    environment: Environment,
    helper: Helper,
    places: Vec<Place>,
}

struct Place {
    source: Source,
    found: OnceLock<Arc<Found>>,
    by_recipient: Mutex<HashMap<String, Arc<Found>>>,
}

impl AgeKeys {
    /// Looks nowhere yet.
    pub fn new(environment: Environment, policy: Policy, prompt: Arc<dyn Prompt>) -> Self {
        let place = |source| Place {
            source,
            found: OnceLock::new(),
            by_recipient: Mutex::default(),
        };
        Self {
            places: source::all(&environment).into_iter().map(place).collect(),
            helper: Helper::new(environment.clone(), policy, prompt),
            environment,
        }
    }

    /// Wraps for a recipient.
    pub fn wrap(&self, recipient: &str, secret: &Plaintext) -> Result<String, AgeError> {
        let recipient: Recipient = recipient.parse()?;
        Ok(age_key::wrap(secret, &recipient, &self.helper)?)
    }

    /// Unwraps what was wrapped for a recipient, with the first identity that opens it. Blocks: it
    /// reads files, starts programs and may ask a person.
    pub fn unwrap(&self, recipient: &str, wrapped: &str) -> Result<Plaintext, AgeError> {
        let mut looks = Vec::new();
        let mut tried = 0;
        let mut failures = Vec::new();
        for place in &self.places {
            let found = place.look(&self.environment, recipient);
            match age_key::unwrap(wrapped, &found.identities, &self.helper) {
                Ok(secret) => return Ok(secret),
                Err(UnwrapError::NoMatch { failures: new, .. }) => failures.extend(new),
                Err(other) => return Err(AgeError::Unwrap(other)),
            }
            tried += found.identities.len();
            looks.push(found.look.clone());
        }
        Err(AgeError::NoIdentity {
            tried,
            failures,
            looks,
        })
    }

    /// All identities that could be read, place by place, for those who want to know which recipients
    /// this machine is. Programs are not asked.
    pub fn recipients(&self) -> Vec<String> {
        let places = self
            .places
            .iter()
            .filter(|place| !place.source.is_program());
        let found = places.map(|place| place.look(&self.environment, ""));
        found
            .flat_map(|found| {
                found
                    .identities
                    .iter()
                    .filter_map(Identity::recipient)
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

impl Place {
    fn look(&self, environment: &Environment, recipient: &str) -> Arc<Found> {
        if !self.source.is_program() {
            let look = || Arc::new(self.source.load(environment, recipient));
            return Arc::clone(self.found.get_or_init(look));
        }
        // Nothing is left half done by a panic. Held while the program runs: it is not started twice.
        let mut known = self
            .by_recipient
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let found = known
            .entry(recipient.to_owned())
            .or_insert_with(|| Arc::new(self.source.load(environment, recipient)));
        Arc::clone(found)
    }
}

pub(super) async fn wrap(
    keys: &Arc<AgeKeys>,
    recipient: &str,
    secret: &Plaintext,
) -> Result<String, KeyError> {
    let (keys, recipient, secret) = (Arc::clone(keys), recipient.to_owned(), secret.clone());
    Ok(offload(move || keys.wrap(&recipient, &secret)).await??)
}

pub(super) async fn unwrap(
    keys: &Arc<AgeKeys>,
    recipient: &str,
    wrapped: &str,
) -> Result<Plaintext, KeyError> {
    let (keys, recipient, wrapped) = (Arc::clone(keys), recipient.to_owned(), wrapped.to_owned());
    Ok(offload(move || keys.unwrap(&recipient, &wrapped)).await??)
}

#[cfg(test)]
mod tests;
