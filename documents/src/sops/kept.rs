//! What of a file as it was is used again when it is encrypted anew.

use std::collections::HashSet;

use signet_keys::sops::{Cipher, Kind, Stash, Value, value::EncryptError};

/// The ciphertexts of a file as it was: a value that did not change keeps its own, and stands there as
/// it stood. It holds no plaintext.
#[derive(Debug, Default)]
pub struct Kept {
    stash: Stash,
    bare: HashSet<String>,
}

impl Kept {
    /// Without anything.
    pub fn new() -> Self {
        Self::default()
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
            None => Ok((cipher.encrypt(value, aad)?, false)),
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
