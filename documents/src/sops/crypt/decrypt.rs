//! Decrypting the leaves that the rules name, and proving them by the checksum.

use signet_keys::sops::{Cipher, LastModified, Value, mac::MacError, value::looks_encrypted};

use super::{Names, diagnose, new_mac, value_of};
use crate::sops::{
    body::Body,
    error::{self, DecryptError, MOST_WARNINGS, Warning},
    kept::Kept,
    outline::{Leaf, Outcome, Outline, Step},
    selector::Selector,
    walk::{Place, Places, Reading},
};

/// The leaves of a file, decrypted.
pub(crate) struct Opened {
    /// One for each leaf.
    pub(crate) outcomes: Vec<Outcome>,
    /// What the checksum says, if it is wrong.
    pub(crate) mac: Result<(), DecryptError>,
    /// Comments that stay as they are, and the like.
    pub(crate) warnings: Vec<Warning>,
}

/// What the metadata of a file says of its checksum.
pub(crate) struct Proof<'a> {
    /// The encrypted checksum.
    pub(crate) mac: &'a str,
    /// Whether it covers encrypted values only.
    pub(crate) only_encrypted: bool,
    /// What it is bound to.
    pub(crate) last_modified: &'a LastModified,
}

/// Decrypts what the selector names. A wrong checksum is told apart from what cannot be decrypted: the
/// caller may have been told to overlook it.
pub(crate) fn decrypt<'a>(
    body: &'a dyn Body,
    outline: &'a Outline<'_>,
    selector: &Selector,
    cipher: &Cipher,
    proof: &Proof<'_>,
    kept: Option<&mut Kept>,
) -> Result<Opened, DecryptError> {
    let places = Places::of(outline, selector, Reading::Encrypted);
    let names = Names::new(body, &places, outline);
    let mut mac = new_mac(proof.only_encrypted);
    let mut opener = Opener {
        outline,
        places: &places,
        cipher,
        names,
        kept,
        warnings: Vec::new(),
    };
    let mut outcomes = Vec::with_capacity(places.iter().len());
    for (index, place) in places.iter().enumerate() {
        let step = &outline.steps[place.step];
        let opened = match step {
            Step::Comment { text, .. } => opener.comment(index, place, text),
            _ if place.encrypted => opener.value(index, place, step)?,
            _ => opener.plain(index, place, step),
        };
        if let Some(value) = &opened {
            mac.add(value, place.encrypted);
        } else if let Some(value) = value_of(step) {
            mac.add(&value, place.encrypted);
        }
        outcomes.push(opened.map_or(Outcome::Keep, Outcome::Plain));
    }
    let proven = mac.verify(cipher, proof.mac, proof.last_modified);
    Ok(Opened {
        outcomes,
        mac: proven.map_err(|error| DecryptError::Mac {
            diagnosis: (error == MacError::Mismatch)
                .then(|| diagnose::mismatch(body, outline, &places, proof.only_encrypted)),
            error,
        }),
        warnings: opener.warnings,
    })
}

struct Opener<'a> {
    outline: &'a Outline<'a>,
    places: &'a Places,
    cipher: &'a Cipher,
    names: Names<'a>,
    kept: Option<&'a mut Kept>,
    warnings: Vec<Warning>,
}

impl Opener<'_> {
    /// A value that should be encrypted; `None` if it is empty.
    fn value(
        &mut self,
        index: usize,
        place: &Place,
        step: &Step<'_>,
    ) -> Result<Option<Value>, DecryptError> {
        let Step::Value(Leaf::Text(text)) = step else {
            return Err(DecryptError::NotText {
                leaf: self.names.leaf(index, place),
            });
        };
        if text.is_empty() {
            return Ok(None);
        }
        let aad = self.places.aad(place);
        match self.cipher.decrypt(text, aad.as_bytes()) {
            Ok(value) => {
                if let Some(kept) = &mut self.kept {
                    kept.keep(&value, aad, text);
                    if let Some(said) = self.names.body.said(&value) {
                        kept.mean_at(aad, said, value.clone());
                    }
                    if place.comment || self.outline.dressed.binary_search(&place.step).is_err() {
                        kept.keep_bare(text);
                    }
                }
                Ok(Some(value))
            }
            Err(error) => Err(DecryptError::Value {
                leaf: self.names.leaf(index, place),
                diagnosis: diagnose::value(
                    self.names.body,
                    self.outline,
                    self.places,
                    self.cipher,
                    index,
                ),
                error,
            }),
        }
    }

    /// A comment may have been written by hand: it is no error if it is not encrypted.
    fn comment(&mut self, index: usize, place: &Place, text: &str) -> Option<Value> {
        if text.is_empty() || !(place.encrypted || looks_encrypted(text)) {
            return None;
        }
        if looks_encrypted(text) {
            for aad in self.places.nearby(index) {
                if let Ok(value) = self.cipher.decrypt(text, aad.as_bytes()) {
                    let aad = self.places.aad(place);
                    if let Some(kept) = &mut self.kept {
                        kept.keep(&value, aad, text);
                    }
                    return Some(value);
                }
            }
        }
        self.warn(index, place, |leaf| Warning::PlainComment { leaf });
        None
    }

    /// Beyond a number nobody reads them, and each costs a look for its line.
    fn warn(&mut self, index: usize, place: &Place, warning: fn(error::Leaf) -> Warning) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(warning(self.names.leaf(index, place)));
        }
    }

    /// A value that is in the clear by the rules.
    fn plain(&mut self, index: usize, place: &Place, step: &Step<'_>) -> Option<Value> {
        if let Step::Value(Leaf::Text(text)) = step
            && looks_encrypted(text)
        {
            self.warn(index, place, |leaf| Warning::StillEncrypted { leaf });
        }
        None
    }
}
