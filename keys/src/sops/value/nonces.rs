//! Nonces of 32 random bytes.

use std::fmt;

use aes_gcm::Nonce;
use aes_gcm::aead::consts::U32;

use super::cipher::{EncryptError, NONCE_LEN};

const MOST: usize = 256;

/// Nonces for many values, of which the system is asked for some at a time. Each is given out once, so
/// there is no copy of this.
pub struct Nonces {
    pool: Vec<u8>,
    left: usize,
}

impl Nonces {
    /// Nonces for about so many values. Further ones are there when they are needed.
    pub fn of(values: usize) -> Self {
        Self {
            pool: vec![0; values.clamp(1, MOST) * NONCE_LEN],
            left: 0,
        }
    }

    pub(super) fn next(&mut self) -> Result<Nonce<U32>, EncryptError> {
        if self.left == 0 {
            getrandom::fill(&mut self.pool).map_err(|_| EncryptError::Random)?;
            self.left = self.pool.len() / NONCE_LEN;
        }
        self.left -= 1;
        let mut nonce = Nonce::<U32>::default();
        nonce.copy_from_slice(&self.pool[self.left * NONCE_LEN..][..NONCE_LEN]);
        Ok(nonce)
    }
}

impl Default for Nonces {
    fn default() -> Self {
        Self::of(MOST)
    }
}

impl fmt::Debug for Nonces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nonces")
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_nonce_is_given_out_twice() {
        let mut nonces = Nonces::of(3);
        let given: HashSet<Vec<u8>> = (0..1000).map(|_| nonces.next().unwrap().to_vec()).collect();
        assert_eq!(given.len(), 1000);
    }
}
