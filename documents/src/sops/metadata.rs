//! The metadata of an encrypted file: who can decrypt it, what in it is encrypted, and its checksum.
//!
//! ```text
//!  sops:  age, azure_kv, gcp_kms, hc_vault, hckms, kms, pgp   lists of wrapped keys, or
//!         key_groups                                          a list of such mappings
//!         lastmodified, mac, version                          always there
//!         one selector, mac_only_encrypted, shamir_threshold  left out if not set
//! ```
//!
//! The text around it is the business of the formats: here it is a [`MetaTree`]. Files of all versions
//! since 1.13 are read, whatever the order of their fields; what is written is what version 3.13
//! writes, fields in alphabetical order. Fields that are not known are ignored and not written again.

mod error;
mod node;
mod read;
mod split;
mod tree;
mod write;

use signet_keys::sops::{LastModified, WrappedKey};

use super::selector::SelectorSpec;

pub use error::MetadataError;
pub use split::{Split, SplitError};
pub use tree::MetaTree;

/// The metadata of an encrypted file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// Groups of keys. With one group each of its keys has the data key; with several each group has
    /// a share of it.
    pub groups: Vec<KeyGroup>,
    /// How many shares give the data key; see [`Metadata::required_groups`].
    pub shamir_threshold: Option<usize>,
    /// When values were last changed. The checksum is bound to it.
    pub last_modified: LastModified,
    /// The encrypted checksum.
    pub mac: Option<String>,
    /// What in the file is encrypted; `None` if the file does not say, which stands for
    /// [`SelectorSpec::default`] and is so in binary files.
    pub selector: Option<SelectorSpec>,
    /// Whether the checksum covers encrypted values only.
    pub mac_only_encrypted: bool,
    /// The version of the program that wrote the file, or the newest that it was compatible with.
    pub version: String,
}

/// Keys of which each gives the same: the data key, or the same share of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyGroup {
    /// The keys. In a file they are ordered by kind, so a group that was read has them so too.
    pub keys: Vec<WrappedKey>,
}

impl Metadata {
    /// Reads what stands below `sops`.
    ///
    /// # Errors
    /// The field that is not what it should be, with its path.
    pub fn read(tree: &MetaTree) -> Result<Self, MetadataError> {
        read::metadata(tree)
    }

    /// What is to stand below `sops`.
    pub fn write(&self) -> MetaTree {
        write::metadata(self)
    }

    /// All keys, group by group.
    pub fn keys(&self) -> impl Iterator<Item = &WrappedKey> {
        self.groups.iter().flat_map(|group| &group.keys)
    }

    /// What in the file is encrypted.
    pub fn effective_selector(&self) -> SelectorSpec {
        self.selector.clone().unwrap_or_default()
    }

    /// How many groups must give their share for the data key.
    pub fn required_groups(&self) -> usize {
        match self.groups.len() {
            0 | 1 => 1,
            groups => self.shamir_threshold.unwrap_or(groups),
        }
    }

    /// How a data key is parted among the groups. The threshold found is to be written to
    /// [`Metadata::shamir_threshold`].
    ///
    /// # Errors
    /// Groups or a threshold that make no sense together.
    pub fn split(&self) -> Result<Split, SplitError> {
        let sizes = self.groups.iter().map(|group| group.keys.len());
        Split::plan(sizes, self.shamir_threshold)
    }
}

#[cfg(test)]
mod tests;
