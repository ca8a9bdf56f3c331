//! Whether a SealedSecret would open, and nothing else.

use signet_crds::sealed_secret::SealedSecret;
use signet_keys::keyring::KeyRing;

use crate::items;
use crate::policy::Policy;
use crate::unseal::{self, Hints};

/// Whether every item opens where the object stands. Decryption alone: the template is not looked
/// at, since with templates of the sender's making the answer would tell about plaintext.
pub fn verify(sealed: &SealedSecret, ring: &KeyRing, policy: &Policy) -> bool {
    if items::unreadable(sealed).next().is_some() {
        return false;
    }
    match &sealed.spec.data {
        None => items::open(sealed, ring, &Hints::default())
            .failed
            .is_empty(),
        Some(blob) => {
            sealed.spec.encrypted_data.is_empty()
                && policy.accept_deprecated_v1_data
                && unseal::open_legacy(sealed, blob, ring).is_ok()
        }
    }
}

#[cfg(test)]
mod tests;
