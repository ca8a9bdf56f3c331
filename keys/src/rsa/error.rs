//! What can go wrong with a key.

use super::{MAX_BITS, MIN_BITS};
use crate::pem;

/// Why a key was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is no private key in the PEM text.
    #[error("no private key in PEM found{}", pem::only(found))]
    NoPrivateKey {
        /// Labels of the blocks that are there.
        found: Vec<String>,
    },
    /// The key is protected by a password.
    #[error("the private key is encrypted with a password")]
    Encrypted,
    /// The key is of another kind.
    #[error("expected an RSA key but found {0}")]
    NotRsa(
        /// What it is, with its article.
        String,
    ),
    /// The modulus is too short or too long.
    #[error("an RSA key of {bits} bits is not supported, only {MIN_BITS} to {MAX_BITS} bits")]
    Size {
        /// Size of the modulus in bits.
        bits: usize,
    },
    /// The modulus has more than two prime factors.
    #[error("an RSA key of more than two primes is not supported")]
    MultiPrime,
    /// The encoding is broken.
    #[error("the {0} is malformed")]
    Malformed(
        /// Which part.
        &'static str,
    ),
    /// The encoding is right and the numbers are not those of a usable key.
    #[error("the {0} is not valid: its numbers do not belong together or are out of range")]
    Rejected(
        /// Which part.
        &'static str,
    ),
}

impl KeyError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoPrivateKey { .. } => {
                Some("give a file with a \"BEGIN RSA PRIVATE KEY\" or \"BEGIN PRIVATE KEY\" block")
            }
            Self::Encrypted => Some("decrypt it first: openssl rsa -in KEY -out PLAIN_KEY"),
            Self::NotRsa(_) => Some(
                "sealed items are encrypted with RSA: make a key of 4096 bits with its certificate",
            ),
            Self::Size { .. } | Self::MultiPrime => Some("make a key of 4096 bits"),
            Self::Malformed(_) | Self::Rejected(_) => None,
        }
    }
}

/// Why no key was made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// This size is not offered.
    #[error("cannot make an RSA key of {bits} bits: choose 2048, 3072, 4096 or 8192")]
    Size {
        /// The size that was asked for, in bits.
        bits: usize,
    },
    /// The implementation or the random numbers of the system failed.
    #[error("making an RSA key failed: the system's random number generator may be unavailable")]
    Failed,
}
