//! RSA by the `rsa` crate. Its private operations are blinded with random numbers of the system.

use getrandom::SysRng;
use pkcs1::{DecodeRsaPrivateKey, EncodeRsaPrivateKey};
use pkcs8::DecodePublicKey;
use rsa::pkcs1v15::SigningKey;
use rsa::signature::{SignatureEncoding, Signer};
use rsa::{Oaep, PrivateKey, PublicKey};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::backend::{Unwrap, Wrap};

struct Public(PublicKey);

struct Private(PrivateKey);

pub(super) fn public(spki_der: &[u8]) -> Option<Box<dyn Wrap>> {
    Some(Box::new(Public(
        PublicKey::from_public_key_der(spki_der).ok()?,
    )))
}

pub(super) fn private(pkcs1_der: &[u8]) -> Option<Box<dyn Unwrap>> {
    let key = PrivateKey::from_pkcs1_der(pkcs1_der).ok()?;
    key.validate().ok()?;
    Some(Box::new(Private(key)))
}

pub(super) fn sign(pkcs1_der: &[u8], message: &[u8]) -> Option<Vec<u8>> {
    let key = PrivateKey::from_pkcs1_der(pkcs1_der).ok()?;
    Some(
        SigningKey::<Sha256>::new(key)
            .try_sign(message)
            .ok()?
            .to_vec(),
    )
}

pub(super) fn generate(bits: usize) -> Option<Zeroizing<Vec<u8>>> {
    let key = PrivateKey::new(&mut SysRng, bits).ok()?;
    Some(key.to_pkcs1_der().ok()?.to_bytes())
}

impl Wrap for Public {
    fn wrap(&self, label: &[u8], message: &[u8]) -> Option<Vec<u8>> {
        self.0
            .encrypt(&mut SysRng, Oaep::<Sha256>::new_with_label(label), message)
            .ok()
    }
}

impl Unwrap for Private {
    fn unwrap(&self, label: &[u8], wrapped: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let padding = Oaep::<Sha256>::new_with_label(label);
        self.0.decrypt(padding, wrapped).ok().map(Zeroizing::new)
    }
}
