//! The name of a public key.

use std::fmt;
use std::str::FromStr;

use ::base64::Engine;
use ::base64::engine::general_purpose::STANDARD_NO_PAD;
use sha2::{Digest, Sha256};

/// The SHA-256 fingerprint of an RSA public key as OpenSSH prints it, and as the Sealed Secrets
/// controller names its keys: the digest of the `ssh-rsa` public key blob (RFC 4253, section 6.6).
/// A public key can be shown to anybody, and so can this.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

/// A text that is no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a key fingerprint: expected \"SHA256:\" and 43 characters of unpadded base64")]
pub struct FingerprintError;

const PREFIX: &str = "SHA256:";

impl Fingerprint {
    /// Of the key with this modulus and exponent, both unsigned, big endian, without leading zeros.
    pub(crate) fn of_rsa(modulus: &[u8], exponent: &[u8]) -> Self {
        let mut blob = Sha256::new();
        update_string(&mut blob, &[b"ssh-rsa"]);
        update_mpint(&mut blob, exponent);
        update_mpint(&mut blob, modulus);
        Self(blob.finalize().into())
    }
}

/// SSH's `string`: a length and the bytes.
fn update_string(blob: &mut Sha256, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    // The longest string here is the modulus of an RSA key.
    blob.update(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
    for part in parts {
        blob.update(part);
    }
}

/// SSH's `mpint`: two's complement, so a number whose first bit is set gets a zero byte in front.
fn update_mpint(blob: &mut Sha256, number: &[u8]) {
    let sign: &[u8] = if number.first().is_some_and(|byte| byte & 0x80 != 0) {
        &[0]
    } else {
        &[]
    };
    update_string(blob, &[sign, number]);
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", STANDARD_NO_PAD.encode(self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let digest = text.strip_prefix(PREFIX).ok_or(FingerprintError)?;
        let digest = STANDARD_NO_PAD
            .decode(digest)
            .map_err(|_| FingerprintError)?;
        digest.try_into().map(Self).map_err(|_| FingerprintError)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn text_and_fingerprint_are_one_to_one() {
        let fingerprint = Fingerprint::of_rsa(&[0x80, 1], &[1, 0, 1]);
        let text = fingerprint.to_string();
        assert_eq!(text.len(), PREFIX.len() + 43);
        assert_eq!(text.parse::<Fingerprint>().unwrap(), fingerprint);
    }

    #[test]
    fn other_texts_are_refused() {
        let valid = Fingerprint::of_rsa(&[3], &[3]).to_string();
        for text in [
            "",
            "SHA256:",
            "MD5:00",
            &valid[1..],
            &valid[..49],
            &format!("{valid}="),
        ] {
            assert_eq!(text.parse::<Fingerprint>(), Err(FingerprintError), "{text}");
        }
    }
}
