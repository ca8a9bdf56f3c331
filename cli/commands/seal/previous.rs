//! What was sealed before: the ciphertexts that an unchanged item can keep.

use std::collections::{BTreeMap, HashMap};

use signet_keys::sealed::Label;

use crate::manifest::Manifest;
use crate::sealed;

/// Ciphertexts by what they are bound to and the name of their item.
#[derive(Debug, Default)]
pub(super) struct Previous(HashMap<Vec<u8>, BTreeMap<String, String>>);

impl Previous {
    /// The items of all `SealedSecrets` of a file. One that cannot be read is as good as none: its
    /// items are sealed anew.
    pub(super) fn of(manifest: &Manifest, namespace: Option<&str>) -> Self {
        let items = sealed::all(manifest).flatten().filter_map(|sealed| {
            let label = sealed.label(namespace).ok()?;
            // The label of wider scopes does not tell objects apart; their names do.
            let key = key(&label, sealed.name());
            Some((key, sealed.object.spec.encrypted_data))
        });
        Self(items.collect())
    }

    /// The ciphertext of an item.
    pub(super) fn item(&self, label: &Label, name: &str, item: &str) -> Option<&str> {
        let items = self.0.get(&key(label, name))?;
        items.get(item).map(String::as_str)
    }
}

fn key(label: &Label, name: &str) -> Vec<u8> {
    // Neither part can hold a NUL.
    [label.as_bytes(), b"\0", name.as_bytes()].concat()
}
