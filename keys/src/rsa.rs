//! RSA keys, whichever implementation works them.

use std::fmt;
use std::sync::Arc;

use der::{Decode, Encode};
use pkcs1::{RsaPrivateKeyRef, RsaPublicKeyRef};
use pkcs8::PrivateKeyInfoRef;
use pkcs8::spki::SubjectPublicKeyInfoRef;
use zeroize::Zeroizing;

mod algorithm;
mod backend;
mod error;

#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "rust-crypto")]
mod rust_crypto;

pub use backend::Backend;
pub use error::{GenerateError, KeyError};

use crate::{Fingerprint, Plaintext, pem};
use backend::{Unwrap, Wrap};

/// Shortest modulus in bits. Shorter ones can be factored, and no implementation here takes them.
pub const MIN_BITS: usize = 2048;
/// Longest modulus in bits: what longer keys cost would let a key file stop the program.
pub const MAX_BITS: usize = 8192;

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

    fn from_spki(spki_der: &[u8], backend: Backend) -> Result<Self, KeyError> {
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

/// The half of a key that opens. Cheap to clone; the key material is wiped when the last clone is
/// dropped, and `Debug` shows the public half alone.
#[derive(Clone)]
pub struct PrivateKey(Arc<Private>);

struct Private {
    pkcs1_der: Zeroizing<Vec<u8>>,
    public: PublicKey,
    operation: Box<dyn Unwrap>,
}

impl PrivateKey {
    /// Reads the first private key of a PEM text: PKCS#1 (`RSA PRIVATE KEY`) or PKCS#8
    /// (`PRIVATE KEY`), not encrypted. Other blocks, such as certificates beside it, are passed over.
    pub fn from_pem(text: &[u8]) -> Result<Self, KeyError> {
        let blocks = pem::blocks(text);
        let is_key = |block: &&pem::Block| block.label.ends_with("PRIVATE KEY");
        let Some(block) = blocks.iter().find(is_key) else {
            let found = blocks.into_iter().map(|block| block.label).collect();
            return Err(KeyError::NoPrivateKey { found });
        };
        if block.encrypted || block.label == "ENCRYPTED PRIVATE KEY" {
            return Err(KeyError::Encrypted);
        }
        let der = block
            .der
            .as_deref()
            .ok_or(KeyError::Malformed("PEM block of the private key"))?;
        match block.label.as_str() {
            "RSA PRIVATE KEY" => Self::from_pkcs1(der, Backend::preferred()),
            "PRIVATE KEY" => Self::from_pkcs8(der),
            other => Err(KeyError::NotRsa(algorithm::of_pem_label(other))),
        }
    }

    /// Makes a new key of 2048, 3072, 4096 or 8192 bits with the public exponent 65537. It takes the
    /// processor for up to seconds: call it where nothing waits.
    pub fn generate(bits: usize) -> Result<Self, GenerateError> {
        Self::generate_with(Backend::preferred(), bits)
    }

    /// [`PrivateKey::generate`] by a given implementation.
    pub fn generate_with(backend: Backend, bits: usize) -> Result<Self, GenerateError> {
        if ![2048, 3072, 4096, 8192].contains(&bits) {
            return Err(GenerateError::Size { bits });
        }
        let pkcs1_der = backend.generate(bits).ok_or(GenerateError::Failed)?;
        Self::from_pkcs1(&pkcs1_der, backend).map_err(|_| GenerateError::Failed)
    }

    /// The key as the Sealed Secrets controller keeps it in `tls.key`: PEM of PKCS#1.
    pub fn to_pkcs1_pem(&self) -> Plaintext {
        let mut text = pem::encode("RSA PRIVATE KEY", &self.0.pkcs1_der);
        Plaintext::new(std::mem::take(&mut *text).into_bytes())
    }

    /// The half that seals.
    pub fn public_key(&self) -> &PublicKey {
        &self.0.public
    }

    /// The same key worked by another implementation.
    pub fn with_backend(&self, backend: Backend) -> Result<Self, KeyError> {
        Self::from_pkcs1(&self.0.pkcs1_der, backend)
    }

    fn from_pkcs8(der: &[u8]) -> Result<Self, KeyError> {
        let info = PrivateKeyInfoRef::try_from(der)
            .map_err(|_| KeyError::Malformed("PKCS#8 private key"))?;
        algorithm::must_be_rsa(&info.algorithm.oid)?;
        Self::from_pkcs1(info.private_key.as_bytes(), Backend::preferred())
    }

    fn from_pkcs1(der: &[u8], backend: Backend) -> Result<Self, KeyError> {
        let key = RsaPrivateKeyRef::from_der(der)
            .map_err(|_| KeyError::Malformed("PKCS#1 private key"))?;
        if key.other_prime_infos.is_some() {
            return Err(KeyError::MultiPrime);
        }
        let spki_der = spki_der(&key.public_key()).ok_or(KeyError::Malformed("RSA public key"))?;
        let public = PublicKey::from_spki(&spki_der, backend)?;
        let operation = backend
            .private(der)
            .ok_or(KeyError::Rejected("RSA private key"))?;
        let pkcs1_der = Zeroizing::new(der.to_vec());
        Ok(Self(Arc::new(Private {
            pkcs1_der,
            public,
            operation,
        })))
    }

    /// The inverse of [`PublicKey::wrap`]. `None` says nothing of why.
    pub(crate) fn unwrap(&self, label: &[u8], wrapped: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        self.0.operation.unwrap(label, wrapped)
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256 over the message.
    pub(crate) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        self.0.public.backend().sign(&self.0.pkcs1_der, message)
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey(<redacted>, {:?})", self.0.public)
    }
}

/// Bits of an unsigned big-endian number without leading zero bytes.
fn bit_length(number: &[u8]) -> usize {
    let leading = number
        .first()
        .map_or(0, |byte| byte.leading_zeros() as usize);
    (number.len() * 8).saturating_sub(leading)
}

fn spki_der(key: &RsaPublicKeyRef<'_>) -> Option<Vec<u8>> {
    let key_der = key.to_der().ok()?;
    let spki = SubjectPublicKeyInfoRef {
        algorithm: pkcs1::ALGORITHM_ID,
        subject_public_key: der::asn1::BitStringRef::from_bytes(&key_der).ok()?,
    };
    spki.to_der().ok()
}

/// PKCS#1 inside PKCS#8, for implementations that load nothing else.
#[cfg(feature = "aws-lc")]
fn pkcs8_der(pkcs1_der: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let info = PrivateKeyInfoRef::new(
        pkcs1::ALGORITHM_ID,
        der::asn1::OctetStringRef::new(pkcs1_der).ok()?,
    );
    info.to_der().ok().map(Zeroizing::new)
}

#[cfg(test)]
mod tests;
