//! The hybrid of ML-KEM-768 and X25519, native to age since 1.3 (C2SP age, "mlkem768x25519"). The age
//! crate does not have it yet.

use std::collections::HashSet;
use std::fmt;

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD_NO_PAD;
use age::{DecryptError, EncryptError};
use age_core::format::{FILE_KEY_BYTES, FileKey, Stanza};
use age_core::primitives::{bech32_decode, bech32_encode, hpke_open, hpke_seal};
use age_core::secrecy::ExposeSecret;
use bech32::Hrp;
use hpke::{Deserializable, Kem, Serializable};
use rand_core::OsRng;
use zeroize::Zeroizing;

mod xwing;

use xwing::XWing;

const RECIPIENT: Hrp = Hrp::parse_unchecked("age1pq");
const IDENTITY: Hrp = Hrp::parse_unchecked("age-secret-key-pq-");
const STANZA: &str = "mlkem768x25519";
const INFO: &[u8] = b"age-encryption.org/mlkem768x25519";
const TAG_LEN: usize = 16;

/// `age1pq1...`
#[derive(Clone)]
pub(super) struct Recipient(Box<xwing::PublicKey>);

/// `AGE-SECRET-KEY-PQ-1...`
pub(super) struct Identity(xwing::PrivateKey);

impl Recipient {
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let bytes = decode(RECIPIENT, text)?;
        let key = xwing::PublicKey::from_bytes(&bytes).map_err(|_| "its key is not valid")?;
        Ok(Self(Box::new(key)))
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&bech32_encode(RECIPIENT, &self.0.to_bytes()))
    }
}

impl age::Recipient for Recipient {
    fn wrap_file_key(
        &self,
        file_key: &FileKey,
    ) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        let (encapsulated, body) =
            hpke_seal::<XWing, _>(&self.0, INFO, file_key.expose_secret(), &mut OsRng);
        let stanza = Stanza {
            tag: STANZA.to_owned(),
            args: vec![STANDARD_NO_PAD.encode(encapsulated.to_bytes())],
            body,
        };
        // Recipients that a quantum computer breaks may not be beside this one.
        Ok((vec![stanza], HashSet::from(["postquantum".to_owned()])))
    }
}

impl Identity {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let seed = decode(IDENTITY, text).ok()?;
        xwing::PrivateKey::from_bytes(&seed).ok().map(Self)
    }

    pub(super) fn recipient(&self) -> Recipient {
        Recipient(Box::new(XWing::sk_to_pk(&self.0)))
    }
}

impl age::Identity for Identity {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        if stanza.tag != STANZA {
            return None;
        }
        let encapsulated = match &stanza.args[..] {
            [arg] => STANDARD_NO_PAD.decode(arg).ok(),
            _ => None,
        };
        let encapsulated =
            encapsulated.and_then(|bytes| xwing::Encapsulated::from_bytes(&bytes).ok());
        let Some(encapsulated) = encapsulated else {
            return Some(Err(DecryptError::InvalidHeader));
        };
        if stanza.body.len() != FILE_KEY_BYTES + TAG_LEN {
            return Some(Err(DecryptError::InvalidHeader));
        }
        // For another identity the shared secret is another one, and the tag does not fit.
        let opened = hpke_open::<XWing>(&encapsulated, &self.0, INFO, &stanza.body).ok()?;
        let opened = Zeroizing::new(opened);
        let file_key = FileKey::init_with_mut(|key| key.copy_from_slice(&opened));
        Some(Ok(file_key))
    }
}

fn decode(kind: Hrp, text: &str) -> Result<Zeroizing<Vec<u8>>, &'static str> {
    bech32_decode(
        text,
        |_| "its letters do not add up (Bech32)",
        |found| (found == kind).then_some(()).ok_or("it is of another kind"),
        |_, bytes| Ok(Zeroizing::new(bytes.collect())),
    )
}

#[cfg(test)]
mod tests;
