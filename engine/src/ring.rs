//! The sealing keys of a cluster: read from their Secrets, written as Secrets, renewed in time.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::Secret;
use signet_crds::constants::label;
use signet_keys::Fingerprint;
use signet_keys::certificate::{Certificate, CertificateError};
use signet_keys::keyring::{KeyRing, SealingKey};
use signet_keys::rsa::{KeyError, PrivateKey};

mod renewal;
mod write;

pub use renewal::{Need, Renewal, Why, needs_key};
pub use write::{NewKey, key_secret};

use signet_crds::constants::sealing_key::{CERTIFICATE, PRIVATE_KEY};

/// What makes one key newer than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The start of its certificate, or the creation of its Secret if that was before: a certificate
    /// that begins in the future, made when a clock was wrong, would stay the newest until then.
    #[default]
    CertNotBefore,
    /// The creation of its Secret.
    SecretCreationTimestamp,
}

/// The keys that were found.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// Those that can be used.
    pub ring: KeyRing,
    /// Secrets that should be keys and are not, by name.
    pub problems: Vec<Problem>,
    /// Since when each key is in this cluster.
    pub arrivals: BTreeMap<Fingerprint, Arrival>,
}

/// When a key came into a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    /// The creation of its Secret. Where a backup was restored that is the day of the restoration.
    pub created: Timestamp,
    /// The start of its certificate.
    pub started: Timestamp,
}

impl Arrival {
    /// Since when it counts as being here: the later of the two. A start that is still to come says
    /// nothing of that.
    pub fn seen_at(self, now: Timestamp) -> Timestamp {
        let begun = Some(self.started).filter(|started| *started <= now);
        begun.map_or(self.created, |started| started.max(self.created))
    }
}

impl Keys {
    /// Since when the newest key is in this cluster.
    pub fn newest_arrival(&self, now: Timestamp) -> Option<Timestamp> {
        let arrival = self.arrivals.get(&self.ring.newest()?.fingerprint())?;
        Some(arrival.seen_at(now))
    }

    /// The keys whose certificate begins more than `leeway` from now: some clock was wrong, or is.
    pub fn of_the_future(
        &self,
        now: Timestamp,
        leeway: SignedDuration,
    ) -> impl Iterator<Item = &SealingKey> {
        let far =
            move |key: &&SealingKey| key.certificate.not_before().duration_since(now) > leeway;
        self.ring.iter().filter(far)
    }
}

/// A Secret that should be a key and is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("key Secret {secret}: {cause}")]
pub struct Problem {
    /// Name of the Secret.
    pub secret: String,
    /// What is wrong with it.
    pub cause: ProblemCause,
}

/// What is wrong with a key Secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemCause {
    /// An item is missing.
    #[error("it has no item {0}")]
    Missing(&'static str),
    /// The private key cannot be used.
    #[error("{PRIVATE_KEY}: {0}")]
    Key(KeyError),
    /// The certificate cannot be used.
    #[error("{CERTIFICATE}: {0}")]
    Certificate(CertificateError),
    /// The two do not belong together: what is sealed with the one does not open with the other.
    #[error("{CERTIFICATE} is not a certificate of {PRIVATE_KEY}")]
    Mismatch,
}

impl Problem {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        "mend the Secret, or take the label sealedsecrets.bitnami.com/sealed-secrets-key off it; the \
         other keys are in use meanwhile"
    }
}

/// Reads the keys among the Secrets of the controller's namespace: those labelled active, and the one
/// with the very name `prefix`, which the first versions made without a label. A Secret that is no key
/// is a problem to report and stops nothing.
///
/// The order does not depend on that of `secrets`: keys of one age are ordered by name
/// (sealed-secrets#1639).
pub fn from_secrets(secrets: &[Secret], order: Order, prefix: &str) -> Keys {
    let mut keys = Vec::new();
    let mut problems = Vec::new();
    let mut arrivals = BTreeMap::new();
    for secret in secrets.iter().filter(|secret| is_active(secret, prefix)) {
        match read(secret, order) {
            Ok((key, arrival)) => {
                let since: &mut Arrival = arrivals.entry(key.fingerprint()).or_insert(arrival);
                *since = arrival.min(*since);
                keys.push(key);
            }
            Err(cause) => problems.push(Problem {
                secret: name(secret),
                cause,
            }),
        }
    }
    problems.sort_by(|a, b| a.secret.cmp(&b.secret));
    Keys {
        ring: KeyRing::new(keys),
        problems,
        arrivals,
    }
}

/// Whether a Secret is meant as a key in use.
pub fn is_active(secret: &Secret, prefix: &str) -> bool {
    let labels = secret.metadata.labels.as_ref();
    let state = labels.and_then(|labels| labels.get(label::SEALING_KEY));
    match state {
        Some(state) => state == label::SEALING_KEY_ACTIVE,
        None => secret.metadata.name.as_deref() == Some(prefix),
    }
}

fn read(secret: &Secret, order: Order) -> Result<(SealingKey, Arrival), ProblemCause> {
    let private = PrivateKey::from_pem(item(secret, PRIVATE_KEY)?).map_err(ProblemCause::Key)?;
    let certificate =
        Certificate::from_pem(item(secret, CERTIFICATE)?).map_err(ProblemCause::Certificate)?;
    if certificate.public_key() != private.public_key() {
        return Err(ProblemCause::Mismatch);
    }
    let started = certificate.not_before();
    let created = secret
        .metadata
        .creation_timestamp
        .as_ref()
        .map_or(started, |time| time.0);
    let ordering = match order {
        Order::CertNotBefore => started.min(created),
        Order::SecretCreationTimestamp => created,
    };
    let key = SealingKey {
        name: name(secret),
        private,
        certificate,
        ordering,
    };
    Ok((key, Arrival { created, started }))
}

fn item<'a>(secret: &'a Secret, name: &'static str) -> Result<&'a [u8], ProblemCause> {
    let value = secret.data.as_ref().and_then(|data| data.get(name));
    value
        .map(|value| &value.0[..])
        .ok_or(ProblemCause::Missing(name))
}

fn name(secret: &Secret) -> String {
    secret.metadata.name.clone().unwrap_or_default()
}

#[cfg(test)]
mod tests;
