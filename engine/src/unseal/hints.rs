//! Which key to try first.

use std::collections::BTreeMap;

use signet_crds::sealed_secret::SealedSecret;
use signet_keys::Fingerprint;

/// The key that opened each item the last time. A wrong hint costs one private-key operation and
/// nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints(BTreeMap<String, Fingerprint>);

impl Hints {
    /// What the status of the object remembers.
    pub fn from_status(sealed: &SealedSecret) -> Self {
        let Some(applied) = sealed
            .status
            .as_ref()
            .and_then(|status| status.applied.as_ref())
        else {
            return Self::default();
        };
        let blob = sealed.spec.data.is_some().then_some("");
        let items = sealed
            .spec
            .encrypted_data
            .keys()
            .map(String::as_str)
            .chain(blob);
        let known = items.filter_map(|item| {
            let fingerprint = applied.key_of(item)?.parse().ok()?;
            Some((item.to_owned(), fingerprint))
        });
        Self(known.collect())
    }

    /// The hint for an item.
    pub fn of(&self, item: &str) -> Option<Fingerprint> {
        self.0.get(item).copied()
    }
}

impl From<BTreeMap<String, Fingerprint>> for Hints {
    fn from(known: BTreeMap<String, Fingerprint>) -> Self {
        Self(known)
    }
}
