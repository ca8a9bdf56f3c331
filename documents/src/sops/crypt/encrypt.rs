//! Encrypting the leaves that the rules name.

use signet_keys::sops::{Cipher, LastModified};

use super::{Names, new_mac, value_of};
use crate::sops::{
    body::Body,
    error::EncryptError,
    kept::Kept,
    outline::{Outcome, Outline},
    selector::Selector,
    walk::{Places, Reading},
};

/// The leaves of a file, encrypted.
pub(crate) struct Sealed {
    /// One for each leaf.
    pub(crate) outcomes: Vec<Outcome>,
    /// The encrypted checksum.
    pub(crate) mac: String,
    /// How many values are encrypted. Comments do not count.
    pub(crate) encrypted: usize,
    /// How many values are not. The empty text and null do not count.
    pub(crate) plain: usize,
}

/// Encrypts what the selector names. What `kept` has keeps its ciphertext.
pub(crate) fn encrypt(
    body: &dyn Body,
    outline: &Outline<'_>,
    selector: &Selector,
    cipher: &Cipher,
    mac_only_encrypted: bool,
    now: &LastModified,
    kept: &mut Kept,
) -> Result<Sealed, EncryptError> {
    let places = Places::of(outline, selector, Reading::Plain);
    let names = Names::new(body, &places, outline);
    let mut mac = new_mac(mac_only_encrypted);
    let mut outcomes = Vec::with_capacity(places.iter().len());
    let (mut encrypted, mut plain) = (0, 0);
    for (index, place) in places.iter().enumerate() {
        let step = &outline.steps[place.step];
        let Some(value) = value_of(step) else {
            continue;
        };
        let value = if place.encrypted {
            kept.meant(value, places.aad(place))
        } else {
            value
        };
        mac.add(&value, place.encrypted);
        if value.plaintext().is_empty() || !place.encrypted {
            plain += usize::from(!place.comment && !value.plaintext().is_empty());
            outcomes.push(Outcome::Keep);
            continue;
        }
        let (text, bare) = kept
            .encrypt(cipher, &value, places.aad(place))
            .map_err(|error| EncryptError::Value {
                leaf: names.leaf(index, place),
                error,
            })?;
        if place.comment && selector.mistakes_ciphertext(&text) {
            return Err(EncryptError::CommentMatches {
                leaf: names.leaf(index, place),
            });
        }
        encrypted += usize::from(!place.comment);
        outcomes.push(Outcome::Encrypted { text, bare });
    }
    Ok(Sealed {
        outcomes,
        mac: mac.seal(cipher, now).map_err(EncryptError::Mac)?,
        encrypted,
        plain,
    })
}
