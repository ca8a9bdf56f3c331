//! What of a file as it was is used again when it is encrypted anew.

use std::collections::{HashMap, HashSet};

use signet_keys::sops::{Cipher, Kind, Nonces, Stash, Value, value::EncryptError};

use crate::dotenv;

/// The ciphertexts of a file as it was: a value that did not change keeps its own, and stands there as
/// it stood. It holds no plaintext, but for values that their format has no way to write.
#[derive(Debug, Default)]
pub struct Kept {
    stash: Stash,
    bare: HashSet<String>,
    unsayable: HashMap<String, Vec<Unsayable>>,
    /// Those of new ciphertexts.
    nonces: Nonces,
    /// Whether new values are to be written as the peer writes them.
    as_sops: bool,
}

/// A value that is read as another one from the text of its file.
#[derive(Clone, Debug)]
struct Unsayable {
    said: Value,
    meant: Value,
}

impl Kept {
    /// Without anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.stash.is_empty() && self.unsayable.is_empty()
    }

    /// Has new texts of several lines, and comments in lists, written as sops writes them: without a block
    /// around the ciphertext, and as items.
    pub fn write_as_sops(&mut self) {
        self.as_sops = true;
    }

    /// What is left when all values are encrypted under a new data key.
    #[must_use]
    pub fn for_new_key(&self) -> Self {
        Self {
            unsayable: self.unsayable.clone(),
            as_sops: self.as_sops,
            ..Self::default()
        }
    }

    /// Says what is meant by a value of a dotenv file, whose text has no way to write the two characters
    /// `\n`: they are read as a line break. Without it that is what they become.
    pub fn mean(&mut self, key: &str, meant: &str) {
        let said = Value::text(dotenv::value(meant).as_bytes());
        let aad = format!("{key}:");
        self.mean_at(&aad, said, Value::text(meant.as_bytes()));
    }

    pub(super) fn mean_at(&mut self, aad: &str, said: Value, meant: Value) {
        let at = self.unsayable.entry(aad.to_owned()).or_default();
        at.insert(0, Unsayable { said, meant });
    }

    /// What is meant by what a file says at a place.
    pub(super) fn meant(&self, said: Value, aad: &str) -> Value {
        let mut at = self.unsayable.get(aad).into_iter().flatten();
        match at.find(|value| value.said == said) {
            Some(found) => found.meant.clone(),
            None => said,
        }
    }

    pub(super) fn keep(&mut self, value: &Value, aad: &str, ciphertext: &str) {
        self.stash.keep(value, aad.as_bytes(), ciphertext);
    }

    /// A ciphertext stood without anything around it.
    pub(super) fn keep_bare(&mut self, ciphertext: &str) {
        self.bare.insert(ciphertext.to_owned());
    }

    /// The ciphertext of a value, and whether it is to stand without anything around it.
    pub(super) fn encrypt(
        &mut self,
        cipher: &Cipher,
        value: &Value,
        aad: &str,
    ) -> Result<(String, bool), EncryptError> {
        let aad = aad.as_bytes();
        let kept = self.stash.take(value, aad);
        let kept = kept.or_else(|| self.stash.take(&as_float(value)?, aad));
        match kept {
            Some(text) => {
                let bare = self.bare.contains(&text);
                Ok((text, bare))
            }
            None => Ok((
                cipher.encrypt_with(&mut self.nonces, value, aad)?,
                self.as_sops,
            )),
        }
    }
}

/// Files have whole numbers of type `float`: older versions knew no other in JSON. Once decrypted they
/// look like any whole number.
fn as_float(value: &Value) -> Option<Value> {
    if value.kind() != Kind::Int {
        return None;
    }
    Value::new(Kind::Float, value.plaintext().clone()).ok()
}
