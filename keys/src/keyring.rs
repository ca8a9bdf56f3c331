//! The keys of a cluster, and how the one that opens an item is found among them.

use jiff::Timestamp;

use crate::certificate::Certificate;
use crate::rsa::PrivateKey;
use crate::sealed::{Envelope, Label, OpenError};
use crate::{Fingerprint, Plaintext};

/// A key with the name and certificate it is known by.
#[derive(Debug, Clone)]
pub struct SealingKey {
    /// Where it came from, for people: the name of the key Secret or file.
    pub name: String,
    /// The key that opens.
    pub private: PrivateKey,
    /// What clients seal with.
    pub certificate: Certificate,
    /// What makes a key newer than another: the start of its certificate or the age of its Secret,
    /// as the administrator chose.
    pub ordering: Timestamp,
}

impl SealingKey {
    /// The name of the key itself, wherever it is kept.
    pub fn fingerprint(&self) -> Fingerprint {
        self.private.public_key().fingerprint()
    }
}

/// The keys that may open, the newest first. A ring never changes: a changed set of keys is a new
/// ring, so that work that has begun ends with the keys it began with.
#[derive(Debug, Clone, Default)]
pub struct KeyRing {
    keys: Vec<SealingKey>,
}

/// One search of a key, with what it cost.
#[derive(Debug)]
pub struct Attempt {
    /// The value and the key that opened it.
    pub outcome: Result<(Plaintext, Fingerprint), OpenError>,
    /// How many private-key operations it took.
    pub private_operations: usize,
}

impl KeyRing {
    /// Sorts the keys: newest first by [`SealingKey::ordering`], and where that is the same, by name
    /// and then by fingerprint, ascending, so that every restart and every replica gives the same
    /// order (sealed-secrets#1639). A key that is there twice stays once, under the place that comes
    /// first.
    pub fn new(mut keys: Vec<SealingKey>) -> Self {
        keys.sort_by(|a, b| {
            let newest_first = b.ordering.cmp(&a.ordering);
            let by_name = || a.name.cmp(&b.name);
            newest_first
                .then_with(by_name)
                .then_with(|| a.fingerprint().cmp(&b.fingerprint()))
        });
        let mut seen = std::collections::BTreeSet::new();
        keys.retain(|key| seen.insert(key.fingerprint()));
        Self { keys }
    }

    /// The key to seal with.
    pub fn newest(&self) -> Option<&SealingKey> {
        self.keys.first()
    }

    /// All keys, the newest first.
    pub fn iter(&self) -> std::slice::Iter<'_, SealingKey> {
        self.keys.iter()
    }

    /// The key of this fingerprint.
    pub fn get(&self, fingerprint: &Fingerprint) -> Option<&SealingKey> {
        self.keys
            .iter()
            .find(|key| key.fingerprint() == *fingerprint)
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Opens an item with the key that it was sealed for, and says which one that is. The key named
    /// by `hint` is tried first, then the others from the newest to the oldest; a key whose size
    /// cannot be right is not tried, and none is tried twice.
    pub fn open(
        &self,
        label: &Label,
        item: &[u8],
        hint: Option<&Fingerprint>,
    ) -> Result<(Plaintext, Fingerprint), OpenError> {
        self.attempt(label, item, hint).outcome
    }

    /// [`KeyRing::open`], and how many private-key operations it took.
    pub fn attempt(&self, label: &Label, item: &[u8], hint: Option<&Fingerprint>) -> Attempt {
        let mut private_operations = 0;
        let outcome = self.candidates(item, hint).and_then(|(envelope, keys)| {
            keys.into_iter()
                .find_map(|key| {
                    private_operations += 1;
                    let value = envelope.open(&key.private, label)?;
                    Some((value, key.fingerprint()))
                })
                .ok_or(OpenError::Undecryptable)
        });
        Attempt {
            outcome,
            private_operations,
        }
    }

    /// The first of the labels under which the item opens, as an index; `None` when it opens under
    /// none of them. Each trial is a complete decryption, so the answer tells nothing but what the
    /// owner of the keys could see anyway. Offer only labels that the author of the item may know,
    /// and the answer to nobody else: it costs a private-key operation for each key and label.
    pub fn opens_under(&self, item: &[u8], candidates: &[Label]) -> Option<usize> {
        let (envelope, keys) = self.candidates(item, None).ok()?;
        candidates.iter().position(|label| {
            keys.iter()
                .any(|key| envelope.open(&key.private, label).is_some())
        })
    }

    /// The item taken apart and the keys to try, in order.
    fn candidates<'a, 'i>(
        &'a self,
        item: &'i [u8],
        hint: Option<&Fingerprint>,
    ) -> Result<(Envelope<'i>, Vec<&'a SealingKey>), OpenError> {
        let envelope = Envelope::parse(item)?;
        if self.is_empty() {
            return Err(OpenError::NoKey);
        }
        let fits = |key: &&SealingKey| envelope.fits(key.private.public_key());
        let mut keys: Vec<_> = self.keys.iter().filter(fits).collect();
        if keys.is_empty() {
            return Err(OpenError::NoKeyOfSize {
                bits: envelope.key_bits(),
            });
        }
        // A stable sort: the others keep their order behind the hinted key.
        keys.sort_by_key(|key| Some(&key.fingerprint()) != hint);
        Ok((envelope, keys))
    }
}

impl<'a> IntoIterator for &'a KeyRing {
    type Item = &'a SealingKey;
    type IntoIter = std::slice::Iter<'a, SealingKey>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
