//! The kinds of master keys, their names and their order.

use std::fmt;
use std::str::FromStr;

/// What kind of key a master key is. The order is that of the entries of a file and of a group: kinds
/// in this order, keys of one kind as they were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyType {
    /// AWS KMS.
    Kms,
    /// Google Cloud KMS.
    GcpKms,
    /// Huawei Cloud KMS.
    HcKms,
    /// Azure Key Vault.
    AzureKv,
    /// Transit engine of Vault or `OpenBao`.
    HcVault,
    /// `OpenPGP`.
    Pgp,
    /// age.
    Age,
}

/// The word is not the name of a kind of keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no kind of keys: expected age, pgp, kms, gcp_kms, azure_kv, hc_vault or hckms")]
pub struct UnknownKeyType(
    /// The word.
    pub String,
);

impl KeyType {
    /// All kinds, in the order of a file.
    pub const ALL: [Self; 7] = [
        Self::Kms,
        Self::GcpKms,
        Self::HcKms,
        Self::AzureKv,
        Self::HcVault,
        Self::Pgp,
        Self::Age,
    ];

    /// The name: of the list in a file's metadata, and in `--decryption-order`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Age => "age",
            Self::AzureKv => "azure_kv",
            Self::GcpKms => "gcp_kms",
            Self::HcKms => "hckms",
            Self::HcVault => "hc_vault",
            Self::Kms => "kms",
            Self::Pgp => "pgp",
        }
    }
}

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for KeyType {
    type Err = UnknownKeyType;

    fn from_str(word: &str) -> Result<Self, UnknownKeyType> {
        let mut kinds = Self::ALL.into_iter();
        kinds
            .find(|kind| kind.as_str() == word)
            .ok_or_else(|| UnknownKeyType(word.to_owned()))
    }
}
