//! Which sealing keys nothing needs any more (sealed-secrets#336).
//!
//! Controllers make a key a month and never take one away. Whether one can go is known from the
//! statuses: each says which keys opened the items of its object. What is decided here is only as
//! good as they are, so an object whose status does not speak of its present content stops the
//! removal of every key, and [`opens_with`] tries everything with the keys that would be left.
//!
//! A file in Git that was never applied is seen by nobody: a key that was the newest of late is
//! therefore kept, whatever the statuses say.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use signet_crds::constants::{condition, condition_status};
use signet_crds::sealed_secret::SealedSecret;
use signet_keys::Fingerprint;
use signet_keys::keyring::KeyRing;

use crate::pace::Steady;
use crate::policy::Policy;
use crate::unseal::Hints;
use crate::verify::verify;

/// A key as its Secret tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Name of the Secret.
    pub secret: String,
    /// The key itself.
    pub fingerprint: Fingerprint,
    /// Start of its certificate.
    pub started: Timestamp,
    /// Creation of its Secret.
    pub created: Timestamp,
    /// Whether its label puts it into use.
    pub active: bool,
}

/// What is to become of each key, and what stands against removing any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// Each key, in the order in which they were given.
    pub verdicts: Vec<(Key, Verdict)>,
    /// Objects of which it is not known what they need. Nothing may be removed while there are any.
    pub unknown: Vec<Unknown>,
}

/// What is to become of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays: it is the newest, by its certificate or by its Secret.
    Newest,
    /// It stays: these objects have items that it opened.
    Needed(BTreeSet<String>),
    /// It stays: it was the newest until this moment, and files that were sealed for it may be on
    /// their way.
    Recent(Timestamp),
    /// Nothing needs it.
    Unneeded,
}

/// An object of which it is not known what it needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{object}` {why}")]
pub struct Unknown {
    /// Namespace and name.
    pub object: String,
    /// Why it is not known.
    pub why: Why,
}

/// Why it is not known what an object needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// Its status tells of no success, or of one without keys.
    #[error("was never applied")]
    NeverApplied,
    /// Its status tells of an older generation.
    #[error("has changed since its status was written")]
    Stale,
    /// The last attempt failed: it may need a key that is not here, or one that is.
    #[error("is not synced")]
    NotSynced,
}

impl Decision {
    /// The keys that nothing needs; none while anything is unknown.
    pub fn removable(&self) -> impl Iterator<Item = &Key> {
        let known = self.unknown.is_empty();
        self.verdicts
            .iter()
            .filter(move |(_, verdict)| known && *verdict == Verdict::Unneeded)
            .map(|(key, _)| key)
    }
}

/// Decides for each key. `objects` are all that the keys could be for; `grace` is for how long a key
/// stays after another became the newest.
pub fn decide(
    keys: Vec<Key>,
    objects: &[SealedSecret],
    grace: SignedDuration,
    now: Timestamp,
) -> Decision {
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unknown = Vec::new();
    for sealed in objects {
        let object = name(sealed);
        match needs(sealed) {
            Ok(fingerprints) => {
                for fingerprint in fingerprints {
                    users.entry(fingerprint).or_default().insert(object.clone());
                }
            }
            Err(why) => unknown.push(Unknown { object, why }),
        }
    }
    let newest = newest(&keys);
    let verdict = |key: &Key| {
        if newest.contains(&key.fingerprint) {
            return Verdict::Newest;
        }
        if let Some(users) = users.get(&key.fingerprint.to_string()) {
            return Verdict::Needed(users.clone());
        }
        match superseded(key, &keys) {
            Some(since) if now.duration_since(since) < grace => Verdict::Recent(since),
            // One that no other key followed has never been the newest, or still is.
            _ => Verdict::Unneeded,
        }
    };
    let verdicts = keys.iter().map(verdict).collect::<Vec<_>>();
    Decision {
        verdicts: keys.into_iter().zip(verdicts).collect(),
        unknown,
    }
}

/// Whether an object opens with the keys that would be left. A status can be written by others than
/// the controller: this is what a removal is judged by in the end. It costs a private-key operation
/// an item.
pub fn opens_with(sealed: &SealedSecret, left: &KeyRing) -> bool {
    let hints = Hints::from_status(sealed);
    verify(sealed, left, &hints, &Policy::default(), &mut Steady) == Ok(true)
}

/// The keys that opened an object, if its status says so of what it is now.
fn needs(sealed: &SealedSecret) -> Result<BTreeSet<String>, Why> {
    let status = sealed.status.as_ref().ok_or(Why::NeverApplied)?;
    if status.observed_generation != sealed.metadata.generation {
        return Err(Why::Stale);
    }
    let synced = status.condition(condition::SYNCED);
    if synced.is_none_or(|synced| synced.status != condition_status::TRUE) {
        return Err(Why::NotSynced);
    }
    let applied = status.applied.as_ref().ok_or(Why::NeverApplied)?;
    let blob = sealed.spec.data.as_ref().map(|_| "");
    if applied.keys.len() > 1 && applied.keys.iter().all(|key| key.items.is_empty()) {
        // Too many items to list; these are the keys of all of them.
        return Ok(applied
            .keys
            .iter()
            .map(|key| key.fingerprint.clone())
            .collect());
    }
    let items = sealed.spec.encrypted_data.keys().map(String::as_str);
    items
        .chain(blob)
        .map(|item| applied.key_of(item).map(str::to_owned))
        .collect::<Option<_>>()
        .ok_or(Why::NeverApplied)
}

/// The newest by either order: which of them the controller goes by is its own affair.
fn newest(keys: &[Key]) -> BTreeSet<Fingerprint> {
    let active = || keys.iter().filter(|key| key.active);
    let orders: [fn(&Key) -> Timestamp; 2] = [|key| key.started, |key| key.created];
    orders
        .into_iter()
        .flat_map(|order| {
            let last = active().map(order).max();
            active().filter(move |key| Some(order(key)) == last)
        })
        .map(|key| key.fingerprint)
        .collect()
}

/// When another key took its place: the start of the next one, or its arrival if that was later.
fn superseded(key: &Key, keys: &[Key]) -> Option<Timestamp> {
    let next = keys
        .iter()
        .filter(|other| other.active && other.started > key.started);
    next.map(|other| other.started.max(other.created)).min()
}

/// Namespace and name.
pub fn name(sealed: &SealedSecret) -> String {
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    let metadata = &sealed.metadata;
    format!("{}/{}", part(&metadata.namespace), part(&metadata.name))
}

#[cfg(test)]
mod tests;
