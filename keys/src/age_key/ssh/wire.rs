//! The encoding of SSH (RFC 4251, section 5).

use super::{ED25519, RSA};

/// Reads one field after the other. `None` where the bytes end too early.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        let bytes = self.bytes(4)?.try_into().ok()?;
        Some(u32::from_be_bytes(bytes))
    }

    pub(super) fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.bytes(usize::try_from(length).ok()?)
    }
}

/// A public key, its numbers as they are written.
pub(super) enum Public<'a> {
    Ed25519([u8; 32]),
    Rsa {
        exponent: &'a [u8],
        modulus: &'a [u8],
    },
    Other,
}

pub(super) fn public(blob: &[u8]) -> Option<Public<'_>> {
    let mut reader = Reader(blob);
    let kind = reader.string()?;
    let key = if kind == ED25519.as_bytes() {
        Public::Ed25519(reader.string()?.try_into().ok()?)
    } else if kind == RSA.as_bytes() {
        Public::Rsa {
            exponent: reader.string()?,
            modulus: reader.string()?,
        }
    } else {
        return Some(Public::Other);
    };
    reader.0.is_empty().then_some(key)
}

pub(super) fn ed25519(key: &[u8; 32]) -> Vec<u8> {
    let mut blob = Vec::with_capacity(51);
    put(&mut blob, ED25519.as_bytes());
    put(&mut blob, key);
    blob
}

/// Both numbers are unsigned, without leading zeros.
pub(super) fn rsa(exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let mut blob = Vec::with_capacity(modulus.len() + 32);
    put(&mut blob, RSA.as_bytes());
    for number in [exponent, modulus] {
        let negative = number.first().is_some_and(|byte| byte & 0x80 != 0);
        let sign: &[u8] = if negative { &[0] } else { &[] };
        put(&mut blob, &[sign, number].concat());
    }
    blob
}

fn put(blob: &mut Vec<u8>, bytes: &[u8]) {
    // The longest field here is the modulus of an RSA key.
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    blob.extend(length.to_be_bytes());
    blob.extend(bytes);
}
