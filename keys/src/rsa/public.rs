//! Public keys.

use std::fmt;
use std::sync::Arc;

use der::Decode;
use pkcs1::RsaPublicKeyRef;
use pkcs8::spki::SubjectPublicKeyInfoRef;

use super::backend::Wrap;
use super::{Backend, KeyError, MAX_BITS, MIN_BITS, algorithm};
use crate::Fingerprint;

/// The half of a key that seals. Cheap to clone; equal when the key is the same.
#[derive(Clone)]
pub struct PublicKey(Arc<Public>);

struct Public {
    spki_der: Vec<u8>,
    bits: usize,
    fingerprint: Fingerprint,
    backend: Backend,
    operation: Box<dyn Wrap>,
}

impl PublicKey {
    /// Reads a `SubjectPublicKeyInfo` (RFC 5280), as a certificate holds it.
    pub fn from_spki_der(spki_der: &[u8]) -> Result<Self, KeyError> {
        Self::from_spki(spki_der, Backend::preferred())
    }

    /// The `SubjectPublicKeyInfo` in DER.
    pub fn spki_der(&self) -> &[u8] {
        &self.0.spki_der
    }

    /// Size of the modulus in bits.
    pub fn bits(&self) -> usize {
        self.0.bits
    }

    /// Size of the modulus, and so of everything encrypted for the key, in bytes.
    pub fn modulus_len(&self) -> usize {
        self.0.bits.div_ceil(8)
    }

    /// The name of the key.
    pub fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint
    }

    /// The implementation that works this key.
    pub fn backend(&self) -> Backend {
        self.0.backend
    }

    /// The same key worked by another implementation.
    pub fn with_backend(&self, backend: Backend) -> Result<Self, KeyError> {
        Self::from_spki(&self.0.spki_der, backend)
    }

    pub(super) fn from_spki(spki_der: &[u8], backend: Backend) -> Result<Self, KeyError> {
        let spki = SubjectPublicKeyInfoRef::from_der(spki_der)
            .map_err(|_| KeyError::Malformed("public key"))?;
        algorithm::must_be_rsa(&spki.algorithm.oid)?;
        let key = spki
            .subject_public_key
            .as_bytes()
            .and_then(|bits| RsaPublicKeyRef::from_der(bits).ok())
            .ok_or(KeyError::Malformed("RSA public key"))?;
        let modulus = key.modulus.as_bytes();
        let bits = bit_length(modulus);
        if !(MIN_BITS..=MAX_BITS).contains(&bits) {
            return Err(KeyError::Size { bits });
        }
        let operation = backend
            .public(spki_der)
            .ok_or(KeyError::Rejected("RSA public key"))?;
        Ok(Self(Arc::new(Public {
            spki_der: spki_der.to_vec(),
            bits,
            fingerprint: Fingerprint::of_rsa(modulus, key.public_exponent.as_bytes()),
            backend,
            operation,
        })))
    }

    /// RSA-OAEP with SHA-256, MGF1 with SHA-256 and this label.
    pub(crate) fn wrap(&self, label: &[u8], message: &[u8]) -> Option<Vec<u8>> {
        self.0.operation.wrap(label, message)
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({} bits, {})", self.0.bits, self.0.fingerprint)
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.fingerprint == other.0.fingerprint
    }
}

impl Eq for PublicKey {}

/// Bits of an unsigned big-endian number without leading zero bytes.
fn bit_length(number: &[u8]) -> usize {
    let leading = number
        .first()
        .map_or(0, |byte| byte.leading_zeros() as usize);
    (number.len() * 8).saturating_sub(leading)
}
