//! AES-256-GCM as it is used here: nonces of 32 random bytes.

use aes_gcm::aead::consts::U32;
use aes_gcm::aead::{AeadInOut, KeyInit};
use aes_gcm::aes::Aes256;
use aes_gcm::{AesGcm, Nonce, Tag};
use zeroize::Zeroizing;

use super::envelope::{self, Envelope, EnvelopeError, Parts, TAG_LEN};
use super::{Kind, Nonces, SpellingError, Stash, Value};
use crate::sops::DataKey;

mod other_nonces;

/// Bytes of a nonce as it is written.
pub(super) const NONCE_LEN: usize = 32;

/// Encrypts and decrypts the values of one file. It is set up once for a data key; a value then costs
/// its own bytes only. It can be shared by threads.
#[derive(Clone)]
pub struct Cipher {
    gcm: AesGcm<Aes256, U32>,
    aes: Aes256,
}

/// Why a value was not encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncryptError {
    /// The system gave no random numbers.
    #[error("the system's random number generator is unavailable")]
    Random,
    /// The value or its path is longer than AES-GCM takes (64 GiB).
    #[error("the value is too long to encrypt")]
    TooLong,
}

/// Why a value was not decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecryptError {
    /// The text is not an encrypted value.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// Wrong data key, wrong path, or changed bytes.
    #[error(
        "the value does not decrypt: it was changed, moved to another path, or belongs to another file"
    )]
    Undecryptable,
    /// It decrypts, and the plaintext is not of the type that the envelope tells.
    #[error("the value decrypts, but not to its type: {0}")]
    Spelling(#[from] SpellingError),
}

impl DecryptError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Envelope(error) => error.hint(),
            Self::Undecryptable => {
                "values stay where they were encrypted: restore the line from history, or set the value anew"
            }
            Self::Spelling(_) => "the type was changed by hand: restore the line from history",
        }
    }
}

impl Cipher {
    /// Sets the cipher up.
    pub fn new(key: &DataKey) -> Self {
        let aes = Aes256::new(key.expose().into());
        Self {
            gcm: AesGcm::from(aes.clone()),
            aes,
        }
    }

    /// Encrypts a value for the place that the associated data names. The empty text stays the empty
    /// text, as the peer has it.
    pub fn encrypt(&self, value: &Value, aad: &[u8]) -> Result<String, EncryptError> {
        self.encrypt_with(&mut Nonces::of(1), value, aad)
    }

    /// [`Cipher::encrypt`] of one of many values: asking the system for each nonce would take longer
    /// than to encrypt.
    pub fn encrypt_with(
        &self,
        nonces: &mut Nonces,
        value: &Value,
        aad: &[u8],
    ) -> Result<String, EncryptError> {
        if value.plaintext().is_empty() {
            return Ok(String::new());
        }
        let nonce = nonces.next()?;
        // Wiped when the encryption fails half-way.
        let mut data = Zeroizing::new(value.plaintext().expose().to_vec());
        let tag = self
            .gcm
            .encrypt_inout_detached(&nonce, aad, data.as_mut_slice().into())
            .map_err(|_| EncryptError::TooLong)?;
        Ok(envelope::write(&data, &nonce, &tag, value.kind()))
    }

    /// [`Cipher::encrypt`], but a value that the stash holds for this place keeps its ciphertext.
    pub fn encrypt_unless_kept(
        &self,
        value: &Value,
        aad: &[u8],
        stash: &mut Stash,
    ) -> Result<String, EncryptError> {
        match stash.take(value, aad) {
            Some(ciphertext) => Ok(ciphertext),
            None => self.encrypt(value, aad),
        }
    }

    /// Decrypts a value at the place that the associated data names. The empty text is itself.
    pub fn decrypt(&self, text: &str, aad: &[u8]) -> Result<Value, DecryptError> {
        if text.is_empty() {
            return Ok(Value::text(""));
        }
        let parts = Parts::of(text)?;
        let mut buffer = [0; NONCE_LEN + 2];
        let nonce = parts.nonce(&mut buffer)?;
        self.open_parts(parts.data()?, &nonce, parts.tag()?, parts.kind, aad)
    }

    /// [`Cipher::decrypt`] of an envelope that was taken apart.
    pub fn open(&self, envelope: Envelope, aad: &[u8]) -> Result<Value, DecryptError> {
        let Envelope {
            data,
            nonce,
            tag,
            kind,
        } = envelope;
        self.open_parts(data, &nonce, tag, kind, aad)
    }

    fn open_parts(
        &self,
        data: Vec<u8>,
        nonce: &[u8],
        tag: [u8; TAG_LEN],
        kind: Kind,
        aad: &[u8],
    ) -> Result<Value, DecryptError> {
        let mut data = Zeroizing::new(data);
        let tag = Tag::from(tag);
        let opened = match <&Nonce<U32>>::try_from(nonce) {
            Ok(nonce) => self
                .gcm
                .decrypt_inout_detached(nonce, aad, data.as_mut_slice().into(), &tag)
                .is_ok(),
            Err(_) => other_nonces::decrypt(&self.aes, nonce, aad, &mut data, &tag),
        };
        if opened {
            Ok(Value::new(kind, data.into())?)
        } else {
            Err(DecryptError::Undecryptable)
        }
    }
}

impl std::fmt::Debug for Cipher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cipher(<redacted>)")
    }
}

#[cfg(test)]
mod tests;
