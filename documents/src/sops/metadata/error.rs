//! What can be wrong with metadata. Nothing in it is secret, but a wrong value may be one that slipped
//! there, so values are not shown.

use crate::Position;

/// Why metadata cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// A field is of another type.
    #[error("the field `{field}` of the metadata is not {expected}")]
    Type {
        /// Its path, from `sops`.
        field: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A time is missing or not of RFC 3339.
    #[error("the field `{field}` of the metadata is not a time such as 2026-01-31T12:00:00Z")]
    Time {
        /// Its path, from `sops`.
        field: String,
    },
    /// More than one selector.
    #[error("the metadata has both `{first}` and `{second}`: a file has one selector")]
    Selectors {
        /// One of them.
        first: &'static str,
        /// Another.
        second: &'static str,
    },
    /// Nested deeper, or standing for more through aliases, than any metadata.
    #[error("the metadata is nested too deeply or too large")]
    TooLarge,
    /// A key of a mapping is itself a list or a mapping.
    #[error("a key of the metadata is not a text: {at}")]
    Key {
        /// Where.
        at: Position,
    },
    /// No key, so nobody can decrypt.
    #[error("the metadata names no key that the data key is wrapped for")]
    NoKeys,
}

impl MetadataError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Selectors { .. } => {
                "remove the one that the file was not encrypted with; the checksum shows which"
            }
            Self::Key { .. }
            | Self::NoKeys
            | Self::Time { .. }
            | Self::TooLarge
            | Self::Type { .. } => "restore the `sops` part of the file from history",
        }
    }
}
