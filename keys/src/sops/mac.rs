//! The checksum over the values of a file: a value that is taken away, added or exchanged shows.

use std::fmt;
use std::str::FromStr;

use ctutils::CtEq;
use sha2::{Digest, Sha256, Sha512};

use super::value::{Cipher, EncryptError, Kind, Value};

/// The running checksum: SHA-512 over the values in the order of the document, without their names
/// and without anything between them. Names are bound by the associated data of encrypted values
/// alone, so a changed name of an unencrypted value does not show, and null has no bytes to show.
#[derive(Debug, Clone)]
pub struct Mac {
    hash: Sha512,
    only_encrypted: bool,
}

/// The time of the last change, which the checksum is bound to: RFC 3339, whole seconds, its offset
/// kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastModified(String);

/// The text is not a time of RFC 3339.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`lastmodified` is not a time such as 2026-01-31T12:00:00Z")]
pub struct LastModifiedError;

/// Why the checksum of a file does not prove its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MacError {
    /// There is none.
    #[error("the file has no checksum (`mac`)")]
    Missing,
    /// It does not decrypt: it, the time of the last change, or the data key is not what it was.
    #[error(
        "the checksum (`mac`) does not decrypt: it or `lastmodified` was changed, or it belongs to another file"
    )]
    Unreadable,
    /// It is the checksum of other values.
    #[error("the checksum (`mac`) is that of other values")]
    Mismatch,
}

impl MacError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing | Self::Unreadable => {
                "somebody changed the metadata: restore the file from history"
            }
            Self::Mismatch => {
                "values were added, removed, changed or put in another order by hand, or two versions were merged"
            }
        }
    }
}

impl Mac {
    /// The checksum over all values.
    pub fn new() -> Self {
        Self {
            hash: Sha512::new(),
            only_encrypted: false,
        }
    }

    /// The checksum over the encrypted values only (`mac_only_encrypted`). It begins with 32 bytes of
    /// its own, so that it is never the other checksum of a file in which all is encrypted.
    pub fn only_encrypted() -> Self {
        let mut hash = Sha512::new();
        hash.update(Sha256::digest(b"sops"));
        Self {
            hash,
            only_encrypted: true,
        }
    }

    /// Adds the next value of the document. `encrypted` tells whether it is encrypted in the file.
    /// Comments are not covered.
    pub fn add(&mut self, value: &Value, encrypted: bool) {
        if value.kind() != Kind::Comment && (encrypted || !self.only_encrypted) {
            self.hash.update(value.plaintext().expose());
        }
    }

    /// The encrypted checksum, for the metadata.
    pub fn seal(&self, cipher: &Cipher, time: &LastModified) -> Result<String, EncryptError> {
        cipher.encrypt(&Value::text(self.digits()), time.as_str().as_bytes())
    }

    /// Whether the encrypted checksum of the metadata is that of the values.
    pub fn verify(
        &self,
        cipher: &Cipher,
        sealed: &str,
        time: &LastModified,
    ) -> Result<(), MacError> {
        if sealed.is_empty() {
            return Err(MacError::Missing);
        }
        let stored = cipher
            .decrypt(sealed, time.as_str().as_bytes())
            .map_err(|_| MacError::Unreadable)?;
        let same = stored.plaintext().expose().ct_eq(self.digits().as_bytes());
        same.to_bool().then_some(()).ok_or(MacError::Mismatch)
    }

    /// 128 upper-case hexadecimal digits.
    fn digits(&self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let digest = self.hash.clone().finalize();
        let pairs = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        pairs
            .map(|digit| char::from(DIGITS[usize::from(digit)]))
            .collect()
    }
}

impl Default for Mac {
    fn default() -> Self {
        Self::new()
    }
}

impl LastModified {
    /// As it is written and as the checksum is bound to it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LastModified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Parts of a second are dropped.
impl From<jiff::Timestamp> for LastModified {
    fn from(time: jiff::Timestamp) -> Self {
        Self(time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
    }
}

/// Parts of a second are dropped, and an offset of zero becomes `Z`, as when Go reads and writes it.
impl FromStr for LastModified {
    type Err = LastModifiedError;

    fn from_str(text: &str) -> Result<Self, LastModifiedError> {
        let time: Result<jiff::Timestamp, _> = text.parse();
        let (seconds, rest) = text.split_at_checked(19).ok_or(LastModifiedError)?;
        if time.is_err() || seconds.as_bytes()[10] != b'T' {
            return Err(LastModifiedError);
        }
        let offset = match rest.strip_prefix('.') {
            Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
            None => rest,
        };
        match offset.as_bytes() {
            b"Z" | b"+00:00" | b"-00:00" => Ok(Self(format!("{seconds}Z"))),
            [b'+' | b'-', _, _, b':', _, _] => Ok(Self(format!("{seconds}{offset}"))),
            _ => Err(LastModifiedError),
        }
    }
}

#[cfg(test)]
mod tests;
