//! Private keys.

use std::fmt;
use std::sync::Arc;

use der::asn1::BitStringRef;
use der::{Decode, Encode};
use pkcs1::{RsaPrivateKeyRef, RsaPublicKeyRef};
use pkcs8::PrivateKeyInfoRef;
use pkcs8::spki::SubjectPublicKeyInfoRef;
use zeroize::Zeroizing;

use super::backend::Unwrap;
use super::{Backend, GenerateError, KeyError, PublicKey, algorithm};
use crate::{Plaintext, pem};

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

    pub(super) fn from_pkcs1(der: &[u8], backend: Backend) -> Result<Self, KeyError> {
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

pub(super) fn spki_der(key: &RsaPublicKeyRef<'_>) -> Option<Vec<u8>> {
    let key_der = key.to_der().ok()?;
    let spki = SubjectPublicKeyInfoRef {
        algorithm: pkcs1::ALGORITHM_ID,
        subject_public_key: BitStringRef::from_bytes(&key_der).ok()?,
    };
    spki.to_der().ok()
}
