//! The sealing keys: loaded as their Secrets change, and made when one is due.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::Secret;
use kube::ResourceExt;
use signet_crds::{
    constants::{condition, condition_status},
    sealed_secret::SealedSecret,
};
use signet_engine::{
    manifest::SecretManifest,
    ring::{self, Keys, Order, Problem},
};
use signet_keys::keyring::KeyRing;
use tracing::{error, info, warn};

use crate::{
    args::{KeyArgs, KeyOrder},
    context::Context,
    queue::Priority,
};

mod lost;
mod make;

pub use make::keep;

/// A certificate may begin so much later than now: clocks differ.
const LEEWAY: SignedDuration = SignedDuration::from_mins(10);

/// Which watch a key Secret was seen by; one may be seen by both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen {
    /// By its label.
    Label,
    /// By its name, as the first versions made it.
    Name,
}

/// The key Secrets and what was made of them.
#[derive(Debug)]
pub struct Loaded {
    order: Order,
    prefix: String,
    secrets: Mutex<BTreeMap<(Seen, String), SecretManifest>>,
    keys: Mutex<Keys>,
}

impl Loaded {
    /// No keys yet.
    pub fn new(args: &KeyArgs) -> Self {
        let order = match args.key_order_priority {
            KeyOrder::CertNotBefore => Order::CertNotBefore,
            KeyOrder::SecretCreationTimestamp => Order::SecretCreationTimestamp,
        };
        Self {
            order,
            prefix: args.key_prefix.clone(),
            secrets: Mutex::default(),
            keys: Mutex::default(),
        }
    }

    /// A key Secret is there or has changed.
    pub fn put(&self, seen: Seen, secret: Secret) {
        lock(&self.secrets).insert((seen, secret.name_any()), SecretManifest::new(secret));
    }

    /// A key Secret is gone, or is none any more.
    pub fn remove(&self, seen: Seen, name: &str) {
        lock(&self.secrets).remove(&(seen, name.to_owned()));
    }

    /// Of those seen so, only these are left.
    pub fn retain(&self, seen: Seen, names: &BTreeSet<String>) {
        lock(&self.secrets).retain(|(by, name), _| *by != seen || names.contains(name));
    }

    /// What was made of the Secrets the last time.
    pub fn keys(&self) -> Keys {
        lock(&self.keys).clone()
    }

    /// Reads the Secrets anew. Returns the problems that were not there before.
    fn read(&self) -> (Keys, Vec<Problem>) {
        let copies: Vec<Secret> = lock(&self.secrets)
            .values()
            .map(|secret| secret.expose().clone())
            .collect();
        let keys = ring::from_secrets(&copies, self.order, &self.prefix);
        // Wiped by their guard, as all plaintext is.
        copies.into_iter().map(SecretManifest::new).for_each(drop);
        let before = std::mem::replace(&mut *lock(&self.keys), keys.clone());
        let new = keys
            .problems
            .iter()
            .filter(|problem| !before.problems.contains(problem))
            .cloned()
            .collect();
        (keys, new)
    }
}

/// Takes the key Secrets as they are now: a Secret that is no key is reported and stops nothing
/// (D22); what could not be opened before is tried again (D23).
pub fn reload(context: &Context) {
    let (keys, problems) = context.keys.read();
    for problem in problems {
        error!(%problem, hint = problem.hint(), "a key Secret cannot be used");
    }
    let newest = keys.ring.newest().map(|key| key.name.clone());
    let number = keys.ring.len();
    let before = context.ring.now();
    if !context.ring.replace(keys.ring.clone()) {
        return;
    }
    info!(keys = number, newest, "the sealing keys have changed");
    warn_of_the_future(&keys);
    warn_of_the_lost(context, &before);
    for (key, sealed) in context.sealed.all() {
        let synced = sealed
            .status
            .as_ref()
            .and_then(|status| status.condition(condition::SYNCED));
        if synced.is_none_or(|synced| synced.status != condition_status::TRUE) {
            context.work.add(key, Priority::Urgent);
        }
    }
}

fn warn_of_the_future(keys: &Keys) {
    for key in keys.of_the_future(Timestamp::now(), LEEWAY) {
        let not_before = key.certificate.not_before();
        warn!(key = key.name, %not_before, "the certificate of a sealing key begins in the future: was a clock wrong?");
    }
}

/// What a key has opened stays as it is when the key goes, but could not be made again.
fn warn_of_the_lost(context: &Context, before: &KeyRing) {
    let now = context.ring.now();
    for key in before {
        let fingerprint = key.fingerprint();
        if now.get(&fingerprint).is_some() {
            continue;
        }
        let text = fingerprint.to_string();
        let objects = context.sealed.all();
        let needs = |sealed: &SealedSecret| {
            let applied = sealed.status.as_ref().and_then(|it| it.applied.as_ref());
            applied.is_some_and(|applied| applied.keys.iter().any(|key| key.fingerprint == text))
        };
        let sealed_secrets = objects.iter().filter(|(_, sealed)| needs(sealed)).count();
        if sealed_secrets > 0 {
            warn!(
                key = key.name,
                %fingerprint,
                sealed_secrets,
                "a sealing key is gone that SealedSecrets need: their Secrets stay and cannot be made again; \
                 restore it, or seal them again"
            );
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What [`keep`] shares with the rest.
type Shared = Arc<Context>;

#[cfg(test)]
mod tests;
