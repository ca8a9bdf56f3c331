//! Where an item that does not open would open.
//!
//! Only labels that the object itself names are tried, and each try is a complete decryption, so the
//! author learns nothing that applying the corrected object would not tell. It is told in the status
//! of the object, never over HTTP. Nor is there more in the name of a key that opened it before: it
//! comes from that status.

use std::cell::Cell;
use std::fmt;

use signet_crds::sealed_secret::SealedSecret;
use signet_keys::Fingerprint;
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::{self, Label, Scope};

use crate::items::Place;
use crate::text;

/// Where an item was sealed for, when that is not where it is, or the key that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// For a key that opened it before, as far as the status remembers, and that is gone.
    LostKey(Fingerprint),
    /// For this name and namespace, in another scope.
    OtherScope {
        /// The scope it was sealed for.
        sealed: Scope,
        /// The scope that the object's annotations ask for.
        annotated: Scope,
    },
    /// For the name or namespace that the template has.
    OtherPlace {
        /// The scope it was sealed for.
        sealed: Scope,
        /// `namespace/name`, or the namespace alone.
        place: String,
    },
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LostKey(key) => write!(
                f,
                "{key} opened it before and is not among the sealing keys any more: restore it (`signet \
                 keys restore`), or seal the value again"
            ),
            Self::OtherScope { sealed, annotated } => {
                write!(f, "sealed for {sealed} scope; ")?;
                match (sealed.annotation(), annotated.annotation()) {
                    // Of both annotations the wider wins, so the wider one has to go as well.
                    (Some(missing), Some(wrong)) => {
                        write!(
                            f,
                            "the annotation {missing}: \"true\" is missing, and {wrong} must go"
                        )
                    }
                    (Some(missing), None) => {
                        write!(f, "the annotation {missing}: \"true\" is missing")
                    }
                    (None, Some(wrong)) => write!(f, "the annotation {wrong} must go"),
                    (None, None) => Ok(()),
                }
            }
            Self::OtherPlace { sealed, place } => {
                write!(
                    f,
                    "sealed for {} in {sealed} scope; seal it again for this object",
                    text::name(place)
                )
            }
        }
    }
}

/// A search over the items of one object. Most often all that fails, fails for one reason: the labels
/// are tried in full on the first failing item only, and what it finds alone on the others, so that
/// an object full of rubbish costs little.
pub(crate) struct Search<'a> {
    sealed: &'a SealedSecret,
    ring: &'a KeyRing,
    candidates: Vec<(Label, Diagnosis)>,
    found: Cell<Option<usize>>,
    searched: Cell<bool>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(sealed: &'a SealedSecret, ring: &'a KeyRing) -> Self {
        let candidates = candidates(sealed);
        Self {
            sealed,
            ring,
            candidates,
            found: Cell::new(None),
            searched: Cell::new(false),
        }
    }

    /// Where an item of `encryptedData` would open.
    pub(crate) fn item(&self, key: &str) -> Option<Diagnosis> {
        self.text(self.sealed.spec.encrypted_data.get(key)?)
    }

    /// Where a ciphertext would open.
    pub(crate) fn text(&self, text: &str) -> Option<Diagnosis> {
        let item = sealed::decode(text).ok()?;
        let found = if self.searched.replace(true) {
            let index = self.found.get()?;
            let (label, _) = self.candidates.get(index)?;
            self.ring
                .opens_under(&item, std::slice::from_ref(label))
                .and(Some(index))
        } else {
            let labels: Vec<_> = self
                .candidates
                .iter()
                .map(|(label, _)| label.clone())
                .collect();
            self.ring
                .opens_under(&item, &labels)
                .inspect(|index| self.found.set(Some(*index)))
        };
        found.map(|index| self.candidates[index].1.clone())
    }
}

/// The labels that the object names, without the one that has been tried.
fn candidates(sealed: &SealedSecret) -> Vec<(Label, Diagnosis)> {
    let here = Place::of(sealed);
    let template = &sealed.spec.template.metadata;
    let name = template.name.as_deref().unwrap_or(here.name);
    let namespace = template.namespace.as_deref().unwrap_or(here.namespace);

    let mut candidates: Vec<(Label, Diagnosis)> = Vec::new();
    let mut add = |scope, namespace: &str, name: &str, diagnosis| {
        let label = Label::new(scope, namespace, name);
        let known = candidates.iter().any(|(other, _)| *other == label);
        if label != here.label() && !known {
            candidates.push((label, diagnosis));
        }
    };
    for scope in [Scope::Strict, Scope::NamespaceWide, Scope::ClusterWide] {
        let diagnosis = Diagnosis::OtherScope {
            sealed: scope,
            annotated: here.scope,
        };
        add(scope, here.namespace, here.name, diagnosis);
    }
    for (namespace, name) in [
        (namespace, name),
        (here.namespace, name),
        (namespace, here.name),
    ] {
        let place = format!("{namespace}/{name}");
        add(
            Scope::Strict,
            namespace,
            name,
            Diagnosis::OtherPlace {
                sealed: Scope::Strict,
                place,
            },
        );
    }
    let place = namespace.to_owned();
    let diagnosis = Diagnosis::OtherPlace {
        sealed: Scope::NamespaceWide,
        place,
    };
    add(Scope::NamespaceWide, namespace, name, diagnosis);
    candidates
}
