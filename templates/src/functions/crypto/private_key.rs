//! Private keys of the kinds that templates make: RSA, ECDSA over P-256, Ed25519.

use ed25519_dalek::Signer;
use rsa::PrivateKey as RsaKey;
use rsa::pkcs1::{DecodeRsaPrivateKey, EncodeRsaPrivateKey};
use rsa::pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey};
use rsa::signature::SignatureEncoding;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::der::{self, oid};
use super::pem;
use crate::error::Failure;
use crate::limits::{Context, Random};

pub(super) enum Key {
    Rsa(RsaKey),
    P256(p256::SecretKey),
    Ed25519(ed25519_dalek::SigningKey),
}

const UNREADABLE: &str = "the private key cannot be read";
const UNWRITABLE: &str = "the private key cannot be written";

impl Key {
    pub(super) fn generate_rsa(
        context: &mut Context<'_, '_>,
        bits: usize,
    ) -> Result<Self, Failure> {
        context.spend_derivation()?;
        let mut random = Source(context.ambient.random);
        let key = RsaKey::new(&mut random, bits);
        key.map(Self::Rsa)
            .map_err(|_| "the key cannot be made".into())
    }

    pub(super) fn generate_p256(context: &mut Context<'_, '_>) -> Result<Self, Failure> {
        // Nearly all numbers are keys: more than one try is as good as never needed.
        for _ in 0..8 {
            let bytes = Zeroizing::new(context.random::<32>());
            if let Ok(key) = p256::SecretKey::from_slice(&*bytes) {
                return Ok(Self::P256(key));
            }
        }
        Err("the key cannot be made".into())
    }

    pub(super) fn generate_ed25519(context: &mut Context<'_, '_>) -> Self {
        let bytes = Zeroizing::new(context.random::<32>());
        Self::Ed25519(ed25519_dalek::SigningKey::from_bytes(&bytes))
    }

    /// Reads the first block of a text, in any of the forms that Go writes.
    pub(super) fn from_pem(text: &[u8]) -> Result<Self, Failure> {
        let blocks = pem::blocks(text);
        let block = blocks
            .iter()
            .find(|block| block.label.ends_with("PRIVATE KEY"));
        let block = block.ok_or("there is no private key in PEM")?;
        let der = &block.der;
        let key = match block.label.as_str() {
            "RSA PRIVATE KEY" => RsaKey::from_pkcs1_der(der).ok().map(Self::Rsa),
            "EC PRIVATE KEY" => p256::SecretKey::from_sec1_der(der).ok().map(Self::P256),
            "PRIVATE KEY" => {
                let rsa = || RsaKey::from_pkcs8_der(der).ok().map(Self::Rsa);
                let p256 = || p256::SecretKey::from_pkcs8_der(der).ok().map(Self::P256);
                rsa().or_else(p256).or_else(|| ed25519_from(der))
            }
            _ => return Err("the kind of private key is not supported".into()),
        };
        key.ok_or_else(|| UNREADABLE.into())
    }

    /// In the form in which Go writes this kind.
    pub(super) fn to_pem(&self) -> Result<String, Failure> {
        Ok(match self {
            Self::Rsa(key) => {
                let der = key.to_pkcs1_der().map_err(|_| UNWRITABLE)?;
                pem::encode("RSA PRIVATE KEY", der.as_bytes())
            }
            Self::P256(key) => {
                let der = key.to_sec1_der().map_err(|_| UNWRITABLE)?;
                pem::encode("EC PRIVATE KEY", &der)
            }
            Self::Ed25519(_) => pem::encode("PRIVATE KEY", &self.to_pkcs8()?),
        })
    }

    pub(super) fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, Failure> {
        Ok(match self {
            Self::Rsa(key) => key.to_pkcs8_der().map_err(|_| UNWRITABLE)?.to_bytes(),
            Self::P256(key) => key.to_pkcs8_der().map_err(|_| UNWRITABLE)?.to_bytes(),
            Self::Ed25519(key) => {
                let secret = der::value(der::OCTET_STRING, &[key.as_bytes()]);
                let secret = der::value(der::OCTET_STRING, &[&secret]);
                let algorithm = der::sequence(&[oid::ED25519]);
                Zeroizing::new(der::sequence(&[&der::unsigned(&[0]), &algorithm, &secret]))
            }
        })
    }

    /// `SubjectPublicKeyInfo` in DER.
    pub(super) fn public(&self) -> Result<Vec<u8>, Failure> {
        let unwritable = "the public key cannot be written";
        Ok(match self {
            Self::Rsa(key) => key
                .to_public_key()
                .to_public_key_der()
                .map_err(|_| unwritable)?
                .into_vec(),
            Self::P256(key) => key
                .public_key()
                .to_public_key_der()
                .map_err(|_| unwritable)?
                .into_vec(),
            Self::Ed25519(key) => {
                let algorithm = der::sequence(&[oid::ED25519]);
                der::sequence(&[&algorithm, &der::bits(key.verifying_key().as_bytes())])
            }
        })
    }

    /// `AlgorithmIdentifier` of its signatures in DER.
    pub(super) fn signature_algorithm(&self) -> Vec<u8> {
        match self {
            Self::Rsa(_) => der::sequence(&[oid::SHA256_WITH_RSA, der::NULL]),
            Self::P256(_) => der::sequence(&[oid::ECDSA_WITH_SHA256]),
            Self::Ed25519(_) => der::sequence(&[oid::ED25519]),
        }
    }

    pub(super) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        Ok(match self {
            Self::Rsa(key) => {
                let key = rsa::pkcs1v15::SigningKey::<Sha256>::new(key.clone());
                let signature = rsa::signature::Signer::try_sign(&key, message);
                signature.map_err(|_| "signing failed")?.to_vec()
            }
            Self::P256(key) => {
                let signature: p256::ecdsa::DerSignature =
                    p256::ecdsa::SigningKey::from(key).sign(message);
                signature.as_bytes().to_vec()
            }
            Self::Ed25519(key) => Signer::sign(key, message).to_bytes().to_vec(),
        })
    }
}

/// The 32 bytes of a key at the end of its PKCS#8 form.
fn ed25519_from(der: &[u8]) -> Option<Key> {
    let algorithm = der::sequence(&[oid::ED25519]);
    let at = der
        .windows(algorithm.len())
        .position(|window| window == algorithm)?;
    let secret = der[at + algorithm.len()..].strip_prefix(&[4, 34, 4, 32])?;
    let secret = Zeroizing::new(<[u8; 32]>::try_from(secret.get(..32)?).ok()?);
    Some(Key::Ed25519(ed25519_dalek::SigningKey::from_bytes(&secret)))
}

/// The caller's random numbers for the generator of RSA keys.
struct Source<'a>(&'a mut dyn Random);

impl rsa::rand_core::TryRng for Source<'_> {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, buffer: &mut [u8]) -> Result<(), Self::Error> {
        self.0.fill(buffer);
        Ok(())
    }
}

impl rsa::rand_core::TryCryptoRng for Source<'_> {}
