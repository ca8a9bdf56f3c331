//! The envelope of Sealed Secrets. The crate's documentation draws it.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes256Gcm, Nonce};
use zeroize::Zeroizing;

mod label;
mod scope;

pub use crate::base64::{Base64Error, decode, encode};
pub use label::Label;
pub use scope::{Scope, ScopeError};

use crate::Plaintext;
use crate::rsa::{PrivateKey, PublicKey};

/// Why a value was not sealed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The system gave no random numbers.
    #[error("the system's random number generator is unavailable")]
    Random,
    /// The encryption failed: the value is longer than AES-GCM takes (64 GiB), or memory ran out.
    #[error("the encryption failed")]
    Encryption,
}

/// Why an item was not opened. What it tells is computed from the ciphertext and from public keys
/// alone: all that a private key can find out is one answer, [`OpenError::Undecryptable`], so that
/// nobody learns secrets by asking often.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The bytes end before the envelope does.
    #[error("not a complete sealed item: {actual} bytes, at least {expected} expected")]
    Truncated {
        /// Bytes that are there.
        actual: usize,
        /// Bytes that there would have to be.
        expected: usize,
    },
    /// There are no keys at all.
    #[error("there is no private key to open it with")]
    NoKey,
    /// The item was sealed for a key of a size that is not at hand.
    #[error("sealed for an RSA key of {bits} bits, and there is no private key of that size")]
    NoKeyOfSize {
        /// Size of the key it was sealed for, in bits, as far as whole bytes tell.
        bits: usize,
    },
    /// Wrong key, wrong namespace, name or scope, or changed bytes.
    #[error("no key could decrypt it")]
    Undecryptable,
}

impl OpenError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "the value was cut or is not a sealed one: seal it again",
            Self::NoKey => "load the private keys that the item was sealed for",
            Self::NoKeyOfSize { .. } => {
                "the item was sealed for another cluster, or the key is missing: restore the key or seal again"
            }
            Self::Undecryptable => {
                "an item opens only with the key, namespace, name and scope that it was sealed for: put these \
                 right, restore the key if it is lost, or seal the value again"
            }
        }
    }
}

/// Encrypts one value so that only the owner of the private key can read it, and only where the
/// label fits. Every call gives other bytes.
pub fn seal(key: &PublicKey, label: &Label, value: &[u8]) -> Result<Vec<u8>, SealError> {
    let mut session = Zeroizing::new([0; SESSION_KEY_LEN]);
    getrandom::fill(&mut session[..]).map_err(|_| SealError::Random)?;
    let wrapped = key
        .wrap(label.as_bytes(), &session[..])
        .ok_or(SealError::Encryption)?;
    let body = cipher(&session)
        .encrypt(&NONCE, value)
        .map_err(|_| SealError::Encryption)?;
    // The longest modulus has 1024 bytes.
    let length = u16::try_from(wrapped.len()).map_err(|_| SealError::Encryption)?;
    Ok([&length.to_be_bytes()[..], &wrapped, &body].concat())
}

/// Decrypts one value with one key. To try several keys use [`crate::keyring::KeyRing`].
pub fn open(key: &PrivateKey, label: &Label, item: &[u8]) -> Result<Plaintext, OpenError> {
    let envelope = Envelope::parse(item)?;
    if !envelope.fits(key.public_key()) {
        return Err(OpenError::NoKeyOfSize {
            bits: envelope.key_bits(),
        });
    }
    envelope.open(key, label).ok_or(OpenError::Undecryptable)
}

const SESSION_KEY_LEN: usize = 32;
const TAG_LEN: usize = 16;
/// A session key encrypts one message only, so its nonce need not vary.
const NONCE: Nonce<aes_gcm::aead::consts::U12> = aes_gcm::aead::array::Array([0; 12]);

/// A sealed item taken apart, not decrypted.
pub(crate) struct Envelope<'a> {
    wrapped: &'a [u8],
    body: &'a [u8],
}

impl<'a> Envelope<'a> {
    pub(crate) fn parse(item: &'a [u8]) -> Result<Self, OpenError> {
        let truncated = |expected| OpenError::Truncated {
            actual: item.len(),
            expected,
        };
        let (length, rest) = item
            .split_first_chunk()
            .ok_or_else(|| truncated(2 + TAG_LEN))?;
        let length = usize::from(u16::from_be_bytes(*length));
        if rest.len() < length + TAG_LEN {
            return Err(truncated(2 + length + TAG_LEN));
        }
        let (wrapped, body) = rest.split_at(length);
        Ok(Self { wrapped, body })
    }

    /// Whether the item can have been sealed for this key, by length.
    pub(crate) fn fits(&self, key: &PublicKey) -> bool {
        self.wrapped.len() == key.modulus_len()
    }

    pub(crate) fn key_bits(&self) -> usize {
        self.wrapped.len() * 8
    }

    /// The complete decryption. The body is worked even when there is no session key for it, so
    /// that the time it takes does not tell which of the two steps failed.
    pub(crate) fn open(&self, key: &PrivateKey, label: &Label) -> Option<Plaintext> {
        let session = key
            .unwrap(label.as_bytes(), self.wrapped)
            .and_then(|session| <[u8; SESSION_KEY_LEN]>::try_from(&session[..]).ok())
            .map(Zeroizing::new);
        let unwrapped = session.is_some();
        let value = cipher(&session.unwrap_or_default()).decrypt(&NONCE, self.body);
        value.ok().map(Plaintext::new).filter(|_| unwrapped)
    }
}

fn cipher(session: &[u8; SESSION_KEY_LEN]) -> Aes256Gcm {
    Aes256Gcm::new(session.into())
}

#[cfg(test)]
mod tests;
