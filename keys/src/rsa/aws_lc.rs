//! RSA by AWS-LC.

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{
    KeyPair, KeySize, OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, OaepPublicEncryptingKey,
    PrivateDecryptingKey, PublicEncryptingKey,
};
use aws_lc_rs::signature::RSA_PKCS1_SHA256;
use der::Encode;
use der::asn1::OctetStringRef;
use pkcs8::PrivateKeyInfoRef;
use zeroize::Zeroizing;

use super::backend::{Unwrap, Wrap};

struct Public(OaepPublicEncryptingKey);

struct Private(OaepPrivateDecryptingKey);

pub(super) fn public(spki_der: &[u8]) -> Option<Box<dyn Wrap>> {
    let key = PublicEncryptingKey::from_der(spki_der).ok()?;
    Some(Box::new(Public(OaepPublicEncryptingKey::new(key).ok()?)))
}

pub(super) fn private(pkcs1_der: &[u8]) -> Option<Box<dyn Unwrap>> {
    let key = PrivateDecryptingKey::from_pkcs8(&pkcs8_der(pkcs1_der)?).ok()?;
    Some(Box::new(Private(OaepPrivateDecryptingKey::new(key).ok()?)))
}

pub(super) fn sign(pkcs1_der: &[u8], message: &[u8]) -> Option<Vec<u8>> {
    let key = KeyPair::from_der(pkcs1_der).ok()?;
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign(
        &RSA_PKCS1_SHA256,
        &SystemRandom::new(),
        message,
        &mut signature,
    )
    .ok()?;
    Some(signature)
}

pub(super) fn generate(bits: usize) -> Option<Zeroizing<Vec<u8>>> {
    let size = match bits {
        2048 => KeySize::Rsa2048,
        3072 => KeySize::Rsa3072,
        4096 => KeySize::Rsa4096,
        8192 => KeySize::Rsa8192,
        _ => return None,
    };
    let pkcs8 = KeyPair::generate(size).ok()?.as_der().ok()?;
    let info = PrivateKeyInfoRef::try_from(pkcs8.as_ref()).ok()?;
    Some(Zeroizing::new(info.private_key.as_bytes().to_vec()))
}

impl Wrap for Public {
    fn wrap(&self, label: &[u8], message: &[u8]) -> Option<Vec<u8>> {
        let mut wrapped = vec![0; self.0.ciphertext_size()];
        let algorithm = &OAEP_SHA256_MGF1SHA256;
        let length = self
            .0
            .encrypt(algorithm, message, &mut wrapped, Some(label))
            .ok()?
            .len();
        wrapped.truncate(length);
        Some(wrapped)
    }
}

impl Unwrap for Private {
    fn unwrap(&self, label: &[u8], wrapped: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let mut message = Zeroizing::new(vec![0; self.0.min_output_size()]);
        let algorithm = &OAEP_SHA256_MGF1SHA256;
        let length = self
            .0
            .decrypt(algorithm, wrapped, &mut message, Some(label))
            .ok()?
            .len();
        message.truncate(length);
        Some(message)
    }
}

/// PKCS#1 inside PKCS#8, the one form in which AWS-LC loads a key for decryption.
fn pkcs8_der(pkcs1_der: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let private_key = OctetStringRef::new(pkcs1_der).ok()?;
    let info = PrivateKeyInfoRef::new(pkcs1::ALGORITHM_ID, private_key);
    info.to_der().ok().map(Zeroizing::new)
}
