//! What can be found out about a file that does not decrypt. Nothing here sees more than whether a
//! ciphertext opens.

use signet_keys::sops::Cipher;

use super::path;
use crate::sops::{
    body::Body,
    error::Diagnosis,
    outline::{Leaf, Outline, Step},
    walk::Places,
};

/// More places than these are not tried: a message is not worth minutes.
const MOST_PLACES: usize = 20_000;

/// More values than these are not tried to see whether any opens.
const MOST_VALUES: usize = 100;

/// Why one value does not open.
pub(super) fn value(
    body: &dyn Body,
    outline: &Outline<'_>,
    places: &Places,
    cipher: &Cipher,
    index: usize,
) -> Option<Diagnosis> {
    let failed = places.get(index)?;
    let text = |step: usize| match &outline.steps[step] {
        Step::Value(Leaf::Text(text)) if !text.is_empty() => Some(text.as_ref()),
        _ => None,
    };
    if failed.document > 0
        && let Some(document) = body.foreign_document()
    {
        return Some(Diagnosis::OtherMetadata { document });
    }
    let ciphertext = text(failed.step)?;
    let mut elsewhere = places
        .iter()
        .take(MOST_PLACES)
        .map(|place| places.aad(place));
    let opens_as = elsewhere.find(|aad| cipher.decrypt(ciphertext, aad.as_bytes()).is_ok());
    if let Some(aad) = opens_as {
        return Some(Diagnosis::MovedFrom { path: path(aad) });
    }
    let mut others = places
        .iter()
        .filter(|place| place.encrypted && !place.comment && place.step != failed.step)
        .take(MOST_VALUES)
        .filter_map(|place| Some((text(place.step)?, places.aad(place))))
        .peekable();
    others.peek()?;
    let any_opens = others.any(|(text, aad)| cipher.decrypt(text, aad.as_bytes()).is_ok());
    (!any_opens).then_some(Diagnosis::NothingOpens)
}

/// Why the checksum is that of other values though all that is encrypted opened.
pub(super) fn mismatch(
    body: &dyn Body,
    outline: &Outline<'_>,
    places: &Places,
    only_encrypted: bool,
) -> Diagnosis {
    if let Some(document) = body.foreign_document() {
        return Diagnosis::OtherMetadata { document };
    }
    let plain = places.iter().filter(|place| {
        let empty =
            matches!(&outline.steps[place.step], Step::Value(Leaf::Text(text)) if text.is_empty());
        !place.encrypted && !place.comment && !empty
    });
    match plain.count() {
        0 => Diagnosis::Order,
        _ if only_encrypted => Diagnosis::Order,
        count => Diagnosis::PlainValues { count },
    }
}
