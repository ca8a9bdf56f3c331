//! The seam between the formats and what all of them have in common.

use signet_keys::sops::Value;
use zeroize::Zeroizing;

use super::{
    error::{ReadError, Warning, WriteError},
    metadata::MetaTree,
    outline::{Outcome, Outline},
};
use crate::position::Position;

/// A parsed file of one format. It keeps its text and changes of it only what it is told to.
pub(crate) trait Body: Send + Sync {
    /// The leaves, without the metadata.
    ///
    /// # Errors
    /// What this format can say and the peer's tree cannot, such as a key that is a number.
    fn outline(&self) -> Result<Outline<'_>, ReadError>;

    /// The metadata that the file has; `None` if it is not an encrypted file. Of several documents
    /// the first counts.
    ///
    /// # Errors
    /// Metadata that is there and is no tree, or is there twice.
    fn metadata(&self) -> Result<Option<MetaTree>, ReadError>;

    /// Where a leaf stands, for messages; `None` where lines mean nothing.
    fn position(&self, leaf: usize) -> Option<Position>;

    /// What a value is read as once it is written, if that is not the value.
    fn said(&self, _value: &Value) -> Option<Value> {
        None
    }

    /// The bytes of the file with its leaves changed. `outcomes` has one for every leaf of the outline,
    /// or there is neither and all stay. `metadata` takes the place of what metadata there is, or is put where this
    /// format has it; without it the file has none.
    fn write(
        &self,
        outline: Option<&Outline<'_>>,
        outcomes: &[Outcome],
        metadata: Option<&MetaTree>,
    ) -> Result<Written, WriteError>;

    /// The first document, from 1, whose metadata is that of another file than the first document's.
    fn foreign_document(&self) -> Option<usize> {
        None
    }
}

/// A file with its leaves changed.
#[derive(Default)]
pub(crate) struct Written {
    /// Its bytes.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// What the user should know.
    pub(crate) warnings: Vec<Warning>,
}

impl Written {
    /// Whether an alias was written out; in brackets there is no place for comments.
    pub(crate) fn expanded_alias(&self) -> bool {
        let expanded = |warning: &Warning| matches!(warning, Warning::AliasExpanded { .. });
        self.warnings.iter().any(expanded)
    }
}
