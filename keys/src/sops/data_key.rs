//! The key that all values of a file are encrypted with.

use std::fmt;

use ctutils::CtEq;
use zeroize::Zeroizing;

use super::shamir::{self, CombineError, SplitError};
use crate::Plaintext;

/// 32 random bytes. They are wiped when dropped, and their `Debug` shows nothing.
#[derive(Clone)]
pub struct DataKey(Zeroizing<[u8; LEN]>);

const LEN: usize = 32;

/// Why there is no data key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DataKeyError {
    /// What was unwrapped has another length.
    #[error("what was unwrapped is not a data key: {actual} bytes, {LEN} expected")]
    Length {
        /// Bytes that are there.
        actual: usize,
    },
    /// The system gave no random numbers.
    #[error("the system's random number generator is unavailable")]
    Random,
    /// The parts of the key groups do not go together.
    #[error("the parts of the key groups give no data key: {0}")]
    Combine(#[from] CombineError),
}

impl DataKey {
    /// A new key.
    pub fn generate() -> Result<Self, DataKeyError> {
        let mut key = Zeroizing::new([0; LEN]);
        getrandom::fill(&mut key[..]).map_err(|_| DataKeyError::Random)?;
        Ok(Self(key))
    }

    /// A key that was unwrapped.
    pub fn from_plaintext(key: &Plaintext) -> Result<Self, DataKeyError> {
        let bytes = <[u8; LEN]>::try_from(key.expose()).map(Zeroizing::new);
        bytes
            .map(Self)
            .map_err(|_| DataKeyError::Length { actual: key.len() })
    }

    /// The key itself.
    pub fn expose(&self) -> &[u8; LEN] {
        &self.0
    }

    /// The key as a value, to be wrapped whole: with one key group there are no parts.
    pub fn to_plaintext(&self) -> Plaintext {
        Plaintext::new(self.0.to_vec())
    }

    /// One part for each key group, in their order, 33 bytes each: any `threshold` of them give the
    /// key back, fewer tell nothing of it.
    pub fn split(&self, groups: usize, threshold: usize) -> Result<Vec<Plaintext>, SplitError> {
        shamir::split(self.expose(), groups, threshold)
    }

    /// The key from parts of different groups, in any order. Parts that are fewer than the threshold
    /// or of another key give a wrong key, which nothing here can notice: the checksum of the file
    /// will.
    pub fn combine(parts: &[Plaintext]) -> Result<Self, DataKeyError> {
        Self::from_plaintext(&shamir::combine(parts)?)
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DataKey(<redacted>)")
    }
}

/// Takes the same time wherever the keys differ.
impl PartialEq for DataKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&*other.0).to_bool()
    }
}

impl Eq for DataKey {}

#[cfg(test)]
mod tests;
