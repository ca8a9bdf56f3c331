//! A `SealedSecret` in a file: what its items are bound to, and where they stand.

use std::collections::BTreeMap;

use serde::Deserialize;
use signet_crds::sealed_secret::SealedSecret;
use signet_documents::edit::{EditError, Editor};
use signet_documents::manifest::Resource;
use signet_documents::value::{ConvertError, to_json};
use signet_keys::sealed::{Label, Scope};

use crate::manifest::{Manifest, Place};
use crate::{Failure, Hint};

/// A `SealedSecret` of a manifest.
#[derive(Debug)]
pub struct Sealed<'a> {
    /// Its node.
    pub resource: Resource<'a>,
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub object: SealedSecret,
}

/// Why a `SealedSecret` in a file cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum SealedError {
    /// It is not valid as a Kubernetes object.
    #[error("{}", .place.outer())]
    Convert {
        /// Where.
        place: Place,
        /// Why.
        source: ConvertError,
    },
    /// It cannot be edited in place.
    #[error("{}", .place.outer())]
    Edit {
        /// Where.
        place: Place,
        /// Why.
        source: EditError,
    },
    /// An item comes from another place of the file.
    #[error("{place}: `{item}` comes from a merge key (`<<`)")]
    Merged {
        /// Where.
        place: Place,
        /// Which item.
        item: String,
    },
    /// Its fields have the wrong kinds.
    #[error("{place}: not a SealedSecret: {cause}")]
    Malformed {
        /// Where.
        place: Place,
        /// Why.
        cause: String,
    },
    /// It has no name, and its scope binds it to one.
    #[error("{0}: the SealedSecret has no name")]
    NoName(Place),
    /// It has no namespace, and its scope binds it to one.
    #[error("{place}: SealedSecret `{name}` has no namespace, and {scope} scope binds it to one")]
    NoNamespace {
        /// Where.
        place: Place,
        /// Its name.
        name: String,
        /// Its scope.
        scope: Scope,
    },
}

impl Hint for SealedError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Edit { source, .. } => source.hint().map(str::to_owned),
            Self::NoNamespace { .. } => {
                Some("add `--namespace NAMESPACE`, the one that it is deployed to".to_owned())
            }
            Self::Merged { .. } => Some("write the items out where they are used".to_owned()),
            _ => None,
        }
    }
}

/// Whether a resource is a `SealedSecret`.
pub fn is_sealed(resource: &Resource<'_>) -> bool {
    resource.is("bitnami.com/v1alpha1", "SealedSecret")
}

/// The `SealedSecrets` of a manifest, in order.
pub fn all(manifest: &Manifest) -> impl Iterator<Item = Result<Sealed<'_>, SealedError>> {
    manifest
        .resources()
        .filter(is_sealed)
        .map(|resource| Sealed::read(manifest, resource))
}

/// The `SealedSecrets` of a list as the API server gives it.
pub fn list(json: &[u8]) -> Result<Vec<SealedSecret>, Failure> {
    #[derive(Deserialize)]
    struct List {
        items: Vec<SealedSecret>,
    }
    let list: List = serde_json::from_slice(json)
        .map_err(|error| Failure::new(format!("cannot read the cluster's answer: {error}")))?;
    Ok(list.items)
}

impl<'a> Sealed<'a> {
    /// Reads one.
    pub fn read(manifest: &Manifest, resource: Resource<'a>) -> Result<Self, SealedError> {
        let place = manifest.place(&resource);
        let value = to_json(resource.node).map_err(|source| SealedError::Convert {
            place: place.clone(),
            source,
        })?;
        let object = serde_json::from_value(value).map_err(|error| SealedError::Malformed {
            place: place.clone(),
            cause: error.to_string(),
        })?;
        Ok(Self {
            resource,
            place,
            object,
        })
    }

    /// Its name, empty when it has none.
    pub fn name(&self) -> &str {
        self.object.metadata.name.as_deref().unwrap_or_default()
    }

    /// Its scope, by its own annotations: those of the template do not count.
    pub fn scope(&self) -> Scope {
        let none = BTreeMap::new();
        Scope::from_annotations(self.object.metadata.annotations.as_ref().unwrap_or(&none))
    }

    /// Its namespace, or else the one that the user says it will get.
    pub fn namespace<'n>(&'n self, otherwise: Option<&'n str>) -> Option<&'n str> {
        let own = self.object.metadata.namespace.as_deref();
        own.filter(|namespace| !namespace.is_empty()).or(otherwise)
    }

    /// What its items are bound to. `namespace` counts when the file names none.
    pub fn label(&self, namespace: Option<&str>) -> Result<Label, SealedError> {
        let scope = self.scope();
        let name = self.name();
        let namespace = self.namespace(namespace);
        if scope == Scope::Strict && name.is_empty() {
            return Err(SealedError::NoName(self.place.clone()));
        }
        match namespace {
            None if scope != Scope::ClusterWide => Err(SealedError::NoNamespace {
                place: self.place.clone(),
                name: name.to_owned(),
                scope,
            }),
            namespace => Ok(Label::new(scope, namespace.unwrap_or_default(), name)),
        }
    }

    /// Sets some items in place; nothing else in the file moves.
    pub fn set_items(
        &self,
        editor: &mut Editor<'a>,
        items: &BTreeMap<String, String>,
    ) -> Result<(), SealedError> {
        items.iter().try_for_each(|(item, text)| {
            let path = ["spec", "encryptedData", item.as_str()];
            editor
                .set(self.resource.node, &path, &text.as_str().into())
                .map_err(|source| self.edit_error(source))
        })
    }

    /// [`Self::set_items`] of items that are there: one that comes from elsewhere by `<<` would be put
    /// in beside it, and the old ciphertext stay.
    pub fn replace_items(
        &self,
        editor: &mut Editor<'a>,
        items: &BTreeMap<String, String>,
    ) -> Result<(), SealedError> {
        let spec = self.resource.node.get("spec");
        let own = spec.and_then(|spec| spec.get("encryptedData"));
        let is_own = |item: &str| own.is_some_and(|own| own.entry(item).is_some());
        match items.keys().find(|item| !is_own(item)) {
            Some(item) => Err(SealedError::Merged {
                place: self.place.clone(),
                item: item.clone(),
            }),
            None => self.set_items(editor, items),
        }
    }

    /// Removes an item in place.
    pub fn remove_item(&self, editor: &mut Editor<'a>, item: &str) -> Result<(), SealedError> {
        editor
            .remove(self.resource.node, &["spec", "encryptedData", item])
            .map_err(|source| self.edit_error(source))
    }

    /// An edit that could not be made in this resource.
    pub fn edit_error(&self, source: EditError) -> SealedError {
        SealedError::Edit {
            place: self.place.clone(),
            source,
        }
    }
}
