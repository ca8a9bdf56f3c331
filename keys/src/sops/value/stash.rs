//! Ciphertexts that are still right.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use sha2::{Digest, Sha256};

use super::Value;

/// The ciphertexts of a file as it was, so that a value which did not change keeps its own: the
/// difference of two versions of a file shows what changed and nothing else. It holds no plaintext,
/// only a digest of value and place; it is for memory, not to be stored.
///
/// A ciphertext is given out once. Items of a list have the same place, and equal ones among them
/// keep their ciphertexts in order; further equal ones get new ciphertexts, so that no two are seen
/// to be equal.
#[derive(Clone, Default)]
pub struct Stash {
    kept: HashMap<[u8; 32], VecDeque<String>>,
}

impl Stash {
    /// Without anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it never held anything.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Remembers the ciphertext of a value at a place. It must be of the same data key as those that
    /// are made anew.
    pub fn keep(&mut self, value: &Value, aad: &[u8], ciphertext: impl Into<String>) {
        let kept = self.kept.entry(digest(value, aad)).or_default();
        kept.push_back(ciphertext.into());
    }

    /// The ciphertext of an equal value at the same place, if there is one left.
    pub fn take(&mut self, value: &Value, aad: &[u8]) -> Option<String> {
        if self.kept.is_empty() {
            return None;
        }
        self.kept.get_mut(&digest(value, aad))?.pop_front()
    }
}

impl fmt::Debug for Stash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stash({} values)", self.kept.len())
    }
}

/// The length of the place goes in first, so that no part can be taken for another.
fn digest(value: &Value, aad: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update((aad.len() as u64).to_be_bytes());
    hash.update(aad);
    hash.update(value.kind().as_str());
    hash.update([0]);
    hash.update(value.plaintext().expose());
    hash.finalize().into()
}
