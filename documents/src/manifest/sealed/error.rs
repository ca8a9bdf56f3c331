//! What can be wrong with a Secret or a `SealedSecret` in a file. Keys are named, values never.

use crate::{Position, edit::EditError, value::ConvertError};

/// Why a manifest is not a Secret that can be sealed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The YAML has no JSON value.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// Not a mapping.
    #[error("{at}: this is not a Kubernetes object")]
    NotAnObject {
        /// Where it stands.
        at: Position,
    },
    /// Not a Secret.
    #[error("{at}: this is a {kind}, not a Secret")]
    NotASecret {
        /// Where it stands.
        at: Position,
        /// Its kind, or `resource without a kind`.
        kind: String,
    },
    /// `metadata.name` is missing or empty.
    #[error("{at}: missing metadata.name in the Secret")]
    MissingName {
        /// Where the Secret stands.
        at: Position,
    },
    /// A field that must be a mapping is something else.
    #[error("{at}: `{field}` must be a mapping")]
    NotAMapping {
        /// Where it stands.
        at: Position,
        /// The field.
        field: String,
    },
    /// A field that must be a string is something else.
    #[error("{at}: `{field}` is {found}, not a string")]
    NotAString {
        /// Where it stands.
        at: Position,
        /// The field.
        field: String,
        /// What it is.
        found: &'static str,
    },
    /// A field that must be a boolean is something else.
    #[error("{at}: `{field}` must be true or false")]
    NotABoolean {
        /// Where it stands.
        at: Position,
        /// The field.
        field: String,
    },
    /// A value of `data` is not base64.
    #[error("{at}: `data.{key}` is not base64")]
    NotBase64 {
        /// Where it stands.
        at: Position,
        /// The key.
        key: String,
    },
    /// No items, and that was not allowed.
    #[error("{at}: the Secret has neither data nor stringData")]
    Empty {
        /// Where the Secret stands.
        at: Position,
    },
}

impl SecretError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotBase64 { .. } => {
                Some("plain text goes under `stringData`; values under `data` are base64")
            }
            Self::NotAString { .. } => Some("put the value in quotes"),
            Self::Empty { .. } => Some("empty Secrets are sealed only if that is asked for"),
            _ => None,
        }
    }
}

/// Why a Secret is not sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError<E> {
    /// The Secret is not in order.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// An item could not be encrypted.
    #[error("cannot seal the item `{key}`: {source}")]
    Encrypt {
        /// Its key.
        key: String,
        /// Why.
        source: E,
    },
}

/// Why an item of a `SealedSecret` is not read or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ItemError {
    /// The document cannot be edited there.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// An item that is not a string.
    #[error("{at}: the item `{key}` is not a string")]
    NotAString {
        /// Where it stands.
        at: Position,
        /// Its key.
        key: String,
    },
    /// Not a `SealedSecret`.
    #[error("{at}: this is a {kind}, not a SealedSecret")]
    NotASealedSecret {
        /// Where it stands.
        at: Position,
        /// Its kind, or `resource without a kind`.
        kind: String,
    },
    /// There is no such item.
    #[error("{at}: the SealedSecret has no item `{key}`")]
    NoSuchItem {
        /// Where the object stands.
        at: Position,
        /// The key.
        key: String,
    },
}
