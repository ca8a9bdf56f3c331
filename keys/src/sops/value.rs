//! One value: what it is, how it is spelled, and how it is encrypted.

mod cipher;
mod envelope;
mod kind;
mod nonces;
mod spelling;
mod stash;

pub use cipher::{Cipher, DecryptError, EncryptError};
pub use envelope::{Envelope, EnvelopeError, looks_encrypted};
pub use kind::{Kind, KindError};
pub use nonces::Nonces;
pub use stash::Stash;

use crate::Plaintext;

/// A plaintext value in the spelling that is encrypted and that the checksum covers.
///
/// The spelling is the peer's: `True` and `False`; whole numbers as digits; other numbers as the
/// shortest digits that give the same `f64`, never with an exponent; times in RFC 3339. [`Value::new`] brings every
/// other spelling into this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    kind: Kind,
    text: Plaintext,
}

/// The text is not a value of its kind. It is not shown: it is a plaintext.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the text is not a value of type {kind}")]
pub struct SpellingError {
    /// The kind that the text does not fit.
    pub kind: Kind,
}

impl Value {
    /// A value of this kind. Whole numbers may have any size, a sign and leading zeros; other numbers
    /// are decimal, with or without exponent, or `inf` or `nan`; booleans are what Go's `ParseBool`
    /// takes; times are those of RFC 3339. Text, comments and bytes are taken as they are.
    pub fn new(kind: Kind, text: Plaintext) -> Result<Self, SpellingError> {
        match spelling::canonical(kind, text.expose()) {
            spelling::Canonical::Already => Ok(Self { kind, text }),
            spelling::Canonical::As(text) => Ok(Self {
                kind,
                text: Plaintext::new(text),
            }),
            spelling::Canonical::Not => Err(SpellingError { kind }),
        }
    }

    /// A string. It may be any bytes: a binary file is one string.
    pub fn text(text: impl Into<Vec<u8>>) -> Self {
        Self::verbatim(Kind::Str, text.into())
    }

    /// The text of a comment, behind its `#`.
    pub fn comment(text: impl Into<Vec<u8>>) -> Self {
        Self::verbatim(Kind::Comment, text.into())
    }

    /// A boolean.
    pub fn bool(value: bool) -> Self {
        Self::verbatim(Kind::Bool, spelling::bool(value).into())
    }

    /// A whole number.
    pub fn int(value: i64) -> Self {
        Self::verbatim(Kind::Int, value.to_string().into())
    }

    /// A number of 64 bits with a binary point.
    pub fn float(value: f64) -> Self {
        Self::verbatim(Kind::Float, spelling::float(value).into())
    }

    /// What the value is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The value in its one spelling.
    pub fn plaintext(&self) -> &Plaintext {
        &self.text
    }

    /// Gives the plaintext away.
    pub fn into_plaintext(self) -> Plaintext {
        self.text
    }

    fn verbatim(kind: Kind, text: Vec<u8>) -> Self {
        Self {
            kind,
            text: Plaintext::new(text),
        }
    }
}

#[cfg(test)]
mod tests;
