//! Sealing anew with private keys at hand.

use std::collections::BTreeMap;

use signet_keys::Fingerprint;
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::{Label, decode};

use super::Resealer;
use super::report::ObjectReport;
use crate::Failure;
use crate::sealed::Sealed;
use crate::sealing::{Memory, Sealer};

/// Opens with the old keys, seals for the new one.
pub(super) struct Offline<'a> {
    pub(super) keys: &'a KeyRing,
    pub(super) target: Fingerprint,
    pub(super) sealer: Sealer<'a>,
    pub(super) memory: &'a Memory,
    pub(super) namespace: Option<&'a str>,
}

impl Resealer for Offline<'_> {
    fn reseal(&self, sealed: &Sealed<'_>) -> Result<ObjectReport, Failure> {
        if sealed.object.spec.data.is_some() {
            return Err(Failure::new(format!(
                "{}: `{}` has the deprecated form `spec.data`",
                sealed.place,
                sealed.name()
            ))
            .with_hint("open it with `signet unseal` and seal the Secret again"));
        }
        let texts = &sealed.object.spec.encrypted_data;
        if let Some((item, _)) = texts.iter().find(|(_, text)| decode(text).is_err()) {
            return Err(Failure::new(format!(
                "{}: `{item}` of `{}` is not base64",
                sealed.place,
                sealed.name()
            )));
        }
        let label = sealed.label(self.namespace)?;
        let mut items = BTreeMap::new();
        let mut current = 0;
        let mut failed: Vec<&str> = Vec::new();
        for (item, text) in texts {
            match self.item(&label, item, text) {
                Ok(Some(new)) => drop(items.insert(item.clone(), new)),
                Ok(None) => current += 1,
                Err(()) => failed.push(item),
            }
        }
        if !failed.is_empty() {
            return Err(Failure::new(format!(
                "{}: none of the private keys opens {} of `{}`",
                sealed.place,
                failed.join(", "),
                sealed.name()
            ))
            .with_hint(
                "add the private key that they were sealed for; an item also stays shut when its \
                 name, namespace or scope was changed after sealing",
            ));
        }
        Ok(ObjectReport::new(sealed, self.namespace, items, current))
    }
}

impl Offline<'_> {
    /// A new ciphertext; nothing when the item is on the newest key already.
    fn item(&self, label: &Label, item: &str, text: &str) -> Result<Option<String>, ()> {
        let ciphertext = decode(text).map_err(drop)?;
        // Without the new private key nothing but our own memory can tell this.
        if self.memory.sealed_for(&self.target, &ciphertext) {
            return Ok(None);
        }
        let (value, by) = self
            .keys
            .open(label, &ciphertext, Some(&self.target))
            .map_err(drop)?;
        if by == self.target {
            return Ok(None);
        }
        let new = self.sealer.item(label, item, value.expose(), None);
        new.map(Some).map_err(drop)
    }
}
