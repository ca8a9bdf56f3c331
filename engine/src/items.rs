//! Opening the items of a SealedSecret: what unsealing, re-sealing and verifying share.

use std::collections::BTreeMap;

use signet_crds::sealed_secret::{SealedSecret, Unreadable};
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::{self, Base64Error, Label, OpenError, Scope};
use signet_keys::{Fingerprint, Plaintext};

use crate::pace::{Pace, Stopped};
use crate::unseal::Hints;

/// Where a SealedSecret stands: what its ciphertexts are bound to. Its own name, namespace and
/// annotations count, never those of its template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub namespace: &'a str,
    pub name: &'a str,
    pub scope: Scope,
}

impl<'a> Place<'a> {
    pub(crate) fn of(sealed: &'a SealedSecret) -> Self {
        let metadata = &sealed.metadata;
        Self {
            namespace: metadata.namespace.as_deref().unwrap_or_default(),
            name: metadata.name.as_deref().unwrap_or_default(),
            scope: metadata
                .annotations
                .as_ref()
                .map(Scope::from_annotations)
                .unwrap_or_default(),
        }
    }

    pub(crate) fn label(&self) -> Label {
        Label::new(self.scope, self.namespace, self.name)
    }
}

/// Why one item is not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemError {
    Base64(Base64Error),
    Open(OpenError),
    WrongKind(&'static str),
}

/// All items, each opened or not, and what it cost.
#[derive(Debug, Default)]
pub(crate) struct Items {
    pub opened: BTreeMap<String, (Plaintext, Fingerprint)>,
    pub failed: BTreeMap<String, ItemError>,
    pub attempts: usize,
}

/// Opens every item of `encryptedData`; a bad one does not stop the others.
pub(crate) fn open(
    sealed: &SealedSecret,
    ring: &KeyRing,
    hints: &Hints,
    pace: &mut dyn Pace,
) -> Result<Items, Stopped> {
    let label = Place::of(sealed).label();
    let mut items = Items::default();
    for (key, text) in &sealed.spec.encrypted_data {
        if !pace.goes_on(items.attempts) {
            return Err(Stopped);
        }
        match open_one(text, ring, &label, hints.of(key), &mut items.attempts) {
            Ok(opened) => drop(items.opened.insert(key.clone(), opened)),
            Err(error) => drop(items.failed.insert(key.clone(), error)),
        }
    }
    let misfits = sealed
        .spec
        .unreadable
        .iter()
        .filter_map(|u| Some((u.item()?, u.expected)));
    for (key, expected) in misfits {
        items
            .failed
            .insert(key.to_owned(), ItemError::WrongKind(expected));
    }
    Ok(items)
}

/// Opens one base64 text, counting the private-key operations.
pub(crate) fn open_one(
    text: &str,
    ring: &KeyRing,
    label: &Label,
    hint: Option<Fingerprint>,
    attempts: &mut usize,
) -> Result<(Plaintext, Fingerprint), ItemError> {
    let ciphertext = sealed::decode(text).map_err(ItemError::Base64)?;
    let attempt = ring.attempt(label, &ciphertext, hint.as_ref());
    *attempts += attempt.private_operations;
    attempt.outcome.map_err(ItemError::Open)
}

/// What of the object cannot be read, beside single items.
pub(crate) fn unreadable(sealed: &SealedSecret) -> impl Iterator<Item = &Unreadable> {
    sealed
        .spec
        .unreadable
        .iter()
        .filter(|unreadable| unreadable.item().is_none())
}
