//! Whether a SealedSecret would open, and nothing else.

use signet_crds::sealed_secret::SealedSecret;
use signet_keys::keyring::KeyRing;

use crate::items;
use crate::pace::{Pace, Stopped};
use crate::policy::Policy;
use crate::unseal::{self, Hints};

/// Whether every item opens where the object stands. Decryption alone: the template is not looked
/// at, since with templates of the sender's making the answer would tell about plaintext.
///
/// The hints say which key to try first; the answer does not depend on them.
///
/// # Errors
///
/// [`Stopped`] where the pace ended it.
pub fn verify(
    sealed: &SealedSecret,
    ring: &KeyRing,
    hints: &Hints,
    policy: &Policy,
    pace: &mut dyn Pace,
) -> Result<bool, Stopped> {
    if items::unreadable(sealed).next().is_some() {
        return Ok(false);
    }
    match &sealed.spec.data {
        None => Ok(items::open(sealed, ring, hints, pace)?.failed.is_empty()),
        Some(blob) => Ok(sealed.spec.encrypted_data.is_empty()
            && policy.accept_deprecated_v1_data
            && unseal::open_legacy(sealed, blob, ring).is_ok()),
    }
}

#[cfg(test)]
mod tests;
