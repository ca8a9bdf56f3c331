//! The local proof that a ciphertext already holds a value.
//!
//! Sealing is randomised: the same value sealed twice gives two ciphertexts, and without the
//! private key nobody can tell that they hold the same. So that an unchanged item need not change
//! in Git, this user's machine remembers what it has sealed itself:
//!
//! ```text
//! $XDG_STATE_HOME/signet/proofs/        mode 0700
//!   key       32 random bytes           mode 0600
//!   sealed    two lines an item         mode 0600
//!             hex SHA-256(ciphertext) ' ' hex HMAC-SHA-256(key, context, value)
//!             hex SHA-256²(ciphertext) ' ' hex HMAC-SHA-256(key, fingerprint)
//! ```
//!
//! The context is the certificate's fingerprint, the label, the item's name and the digest of the
//! ciphertext, so the first line proves one value in one place. The second proves for which key the
//! ciphertext is, which nobody can see in it. The files never enter the repository. A
//! plain hash would let anyone who reads it guess short values; here that needs the key as well,
//! which only this user can read. `--no-state` neither reads nor writes any of it.

use std::collections::HashMap;
use std::path::PathBuf;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use signet_keys::Fingerprint;
use signet_keys::sealed::Label;
use zeroize::Zeroizing;

use crate::Env;

mod store;

use store::Store;
pub use store::StoreError;

/// "This ciphertext holds this value."
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The key that it is sealed for.
    pub fingerprint: &'a Fingerprint,
    /// Where it opens.
    pub label: &'a Label,
    /// The item's name.
    pub item: &'a str,
    /// The value.
    pub value: &'a [u8],
    /// The ciphertext, decoded.
    pub ciphertext: &'a [u8],
}

/// What this machine remembers of what it has sealed.
#[derive(Debug)]
pub struct Proofs {
    store: Store,
    key: Zeroizing<[u8; 32]>,
    known: HashMap<[u8; 32], [u8; 32]>,
    fresh: Vec<([u8; 32], [u8; 32])>,
}

impl Proofs {
    /// Where the proofs of this user are; nothing without a home.
    pub fn folder(env: &Env) -> Option<PathBuf> {
        Some(env.state_dir()?.join("proofs"))
    }

    /// Reads the proofs, and makes the key at the first time.
    pub fn open(folder: PathBuf) -> Result<Self, StoreError> {
        let store = Store::open(folder)?;
        Ok(Self {
            key: store.key()?,
            known: store.lines()?,
            store,
            fresh: Vec::new(),
        })
    }

    /// Whether this machine itself sealed exactly this value into this ciphertext.
    pub fn prove(&self, claim: &Claim<'_>) -> bool {
        let digest = digest(claim.ciphertext);
        self.known
            .get(&digest)
            .is_some_and(|known| self.mac(claim, &digest).verify_slice(known).is_ok())
    }

    /// Whether this machine itself sealed this ciphertext for that key.
    pub fn prove_key(&self, fingerprint: &Fingerprint, ciphertext: &[u8]) -> bool {
        let digest = key_digest(ciphertext);
        self.known.get(&digest).is_some_and(|known| {
            self.key_mac(fingerprint, &digest)
                .verify_slice(known)
                .is_ok()
        })
    }

    /// Remembers what somebody else sealed for that key, such as the controller.
    pub fn remember_key(&mut self, fingerprint: &Fingerprint, ciphertext: &[u8]) {
        let digest = key_digest(ciphertext);
        let mac = self.key_mac(fingerprint, &digest);
        self.add(digest, mac);
    }

    /// Remembers what was sealed just now.
    pub fn remember(&mut self, claim: &Claim<'_>) {
        let digest = digest(claim.ciphertext);
        let mac = self.mac(claim, &digest);
        self.add(digest, mac);
        self.remember_key(claim.fingerprint, claim.ciphertext);
    }

    /// Writes what was remembered.
    pub fn save(&mut self) -> Result<(), StoreError> {
        self.store.append(&std::mem::take(&mut self.fresh))
    }

    fn add(&mut self, digest: [u8; 32], mac: Hmac<Sha256>) {
        let mac = mac.finalize().into_bytes().into();
        if self.known.insert(digest, mac).is_none() {
            self.fresh.push((digest, mac));
        }
    }

    fn mac(&self, claim: &Claim<'_>, digest: &[u8; 32]) -> Hmac<Sha256> {
        self.mac_over(&[
            b"signet: this ciphertext holds this value",
            claim.fingerprint.to_string().as_bytes(),
            claim.label.as_bytes(),
            claim.item.as_bytes(),
            digest,
            claim.value,
        ])
    }

    fn key_mac(&self, fingerprint: &Fingerprint, digest: &[u8; 32]) -> Hmac<Sha256> {
        self.mac_over(&[
            b"signet: this ciphertext is for this key",
            fingerprint.to_string().as_bytes(),
            digest,
        ])
    }

    fn mac_over(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.key.as_slice()).expect("any length is a key");
        for part in parts {
            // Lengths before the parts: no two different lists give the same bytes.
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

fn digest(ciphertext: &[u8]) -> [u8; 32] {
    Sha256::digest(ciphertext).into()
}

/// Another digest of the same ciphertext, under which its key is remembered.
fn key_digest(ciphertext: &[u8]) -> [u8; 32] {
    Sha256::digest(digest(ciphertext)).into()
}

#[cfg(test)]
mod tests;
