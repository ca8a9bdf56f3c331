//! The text form of an encrypted value.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::Kind;
use crate::base64;

const BEGIN: &str = "ENC[AES256_GCM,data:";
const NONCE: &str = "iv:";
const TAG: &str = "tag:";
const KIND: &str = "type:";
const END: char = ']';

pub(super) const TAG_LEN: usize = 16;

/// An encrypted value taken apart, not decrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The encrypted bytes, as many as the plaintext has.
    pub data: Vec<u8>,
    /// The nonce. It is written with 32 bytes and read with any number of them.
    pub nonce: Vec<u8>,
    /// The authentication tag.
    pub tag: [u8; TAG_LEN],
    /// What the plaintext is. It is not authenticated.
    pub kind: Kind,
}

/// Why a text is not an encrypted value. The text is never shown: it may be a value that somebody
/// forgot to encrypt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    /// It does not look like one at all.
    #[error("not encrypted: the value does not begin with \"ENC[AES256_GCM,data:\"")]
    NotEncrypted,
    /// A part is missing, broken, or there is something behind the end.
    #[error("the {0} of the encrypted value is missing or malformed")]
    Malformed(
        /// Which part.
        &'static str,
    ),
    /// The type is none of the known ones.
    #[error("the type of the encrypted value is unknown")]
    UnknownKind,
}

impl EnvelopeError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotEncrypted => {
                "a value was written into the encrypted file by hand: remove it there and set it anew"
            }
            Self::Malformed(_) => "the value was cut or changed: restore it from history",
            Self::UnknownKind => "the value was changed, or a newer version wrote it",
        }
    }
}

/// Whether a text claims to be an encrypted value. It may still be malformed.
pub fn looks_encrypted(text: &str) -> bool {
    text.starts_with(BEGIN)
}

/// White space behind the end is ignored, as the peer ignores whatever is there: the carriage return
/// of a dotenv file with CRLF line ends is part of the value.
impl FromStr for Envelope {
    type Err = EnvelopeError;

    fn from_str(text: &str) -> Result<Self, EnvelopeError> {
        let parts = Parts::of(text)?;
        Ok(Self {
            data: parts.data()?,
            nonce: bytes(parts.nonce, "iv")?,
            tag: parts.tag()?,
            kind: parts.kind,
        })
    }
}

/// An encrypted value taken apart, its parts still in base64.
pub(super) struct Parts<'t> {
    data: &'t str,
    nonce: &'t str,
    tag: &'t str,
    pub(super) kind: Kind,
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t str) -> Result<Self, EnvelopeError> {
        use EnvelopeError::{Malformed, NotEncrypted, UnknownKind};
        let rest = text.strip_prefix(BEGIN).ok_or(NotEncrypted)?;
        // Base64 has no comma, so the first one is where the next part begins.
        let next = |rest: &'t str, mark, name| {
            let (part, rest) = rest.split_once(',').ok_or(Malformed(name))?;
            Ok((part, rest.strip_prefix(mark).ok_or(Malformed(name))?))
        };
        let (data, rest) = next(rest, NONCE, "iv")?;
        let (nonce, rest) = next(rest, TAG, "tag")?;
        let (tag, rest) = next(rest, KIND, "type")?;
        let (kind, behind) = rest.split_once(END).ok_or(Malformed("end"))?;
        if !behind.trim_ascii().is_empty() {
            return Err(Malformed("end"));
        }
        let kind = kind.parse().map_err(|_| UnknownKind)?;
        Ok(Self {
            data,
            nonce,
            tag,
            kind,
        })
    }

    pub(super) fn data(&self) -> Result<Vec<u8>, EnvelopeError> {
        bytes(self.data, "data")
    }

    /// The nonce, in a buffer if it is of the usual length.
    pub(super) fn nonce<'b>(&self, buffer: &'b mut [u8]) -> Result<Cow<'b, [u8]>, EnvelopeError> {
        match base64::decode_into(self.nonce, buffer) {
            Some(nonce) if !nonce.is_empty() => Ok(Cow::Borrowed(nonce)),
            _ => bytes(self.nonce, "iv").map(Cow::Owned),
        }
    }

    pub(super) fn tag(&self) -> Result<[u8; TAG_LEN], EnvelopeError> {
        let malformed = EnvelopeError::Malformed("tag");
        let mut buffer = [0; TAG_LEN + 2];
        let tag = match base64::decode_into(self.tag, &mut buffer) {
            Some(tag) => tag.try_into(),
            None => bytes(self.tag, "tag")?.as_slice().try_into(),
        };
        tag.map_err(|_| malformed)
    }
}

fn bytes(part: &str, name: &'static str) -> Result<Vec<u8>, EnvelopeError> {
    match base64::decode(part) {
        Ok(bytes) if !bytes.is_empty() => Ok(bytes),
        _ => Err(EnvelopeError::Malformed(name)),
    }
}

impl fmt::Display for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(&self.data, &self.nonce, &self.tag, self.kind))
    }
}

pub(super) fn write(data: &[u8], nonce: &[u8], tag: &[u8], kind: Kind) -> String {
    let base64_len = |bytes: &[u8]| bytes.len().div_ceil(3) * 4;
    let parts = base64_len(data) + base64_len(nonce) + base64_len(tag);
    let mut text = String::with_capacity(parts + 48);
    text.push_str(BEGIN);
    base64::encode_into(data, &mut text);
    text.push(',');
    text.push_str(NONCE);
    base64::encode_into(nonce, &mut text);
    text.push(',');
    text.push_str(TAG);
    base64::encode_into(tag, &mut text);
    text.push(',');
    text.push_str(KIND);
    text.push_str(kind.as_str());
    text.push(END);
    text
}
