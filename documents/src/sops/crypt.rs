//! Encryption and decryption of the leaves of a file, whatever its format.

mod decrypt;
mod diagnose;
mod encrypt;

pub(crate) use decrypt::{Opened, Proof, decrypt};
pub(crate) use encrypt::encrypt;

use signet_keys::sops::{Mac, Value};

use super::{
    body::Body,
    error,
    outline::{Leaf, Outline, Step},
    walk::{Place, Places},
};

/// The checksum in the form that the file asks for.
fn new_mac(only_encrypted: bool) -> Mac {
    if only_encrypted {
        Mac::only_encrypted()
    } else {
        Mac::new()
    }
}

/// What a leaf says.
fn value_of(step: &Step<'_>) -> Option<Value> {
    Some(match step {
        Step::Value(Leaf::Text(text)) => Value::text(text.as_bytes()),
        Step::Value(Leaf::Typed(value)) => value.clone(),
        Step::Comment { text, .. } => Value::comment(text.as_bytes()),
        _ => return None,
    })
}

/// Names leaves in messages.
struct Names<'a> {
    body: &'a dyn Body,
    places: &'a Places,
    several_documents: bool,
}

impl<'a> Names<'a> {
    fn new(body: &'a dyn Body, places: &'a Places, outline: &Outline<'_>) -> Self {
        let documents = outline.steps.iter();
        let documents = documents.filter(|step| matches!(step, Step::Document));
        Self {
            body,
            places,
            several_documents: documents.count() > 1,
        }
    }

    fn leaf(&self, index: usize, place: &Place) -> error::Leaf {
        error::Leaf {
            document: self.several_documents.then_some(place.document + 1),
            path: path(self.places.aad(place)),
            position: self.body.position(index),
            comment: place.comment,
        }
    }
}

/// Associated data as people write paths.
fn path(aad: &str) -> String {
    let keys = aad.strip_suffix(':').unwrap_or(aad);
    keys.replace(':', ".")
}
