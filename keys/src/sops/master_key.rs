//! Master keys: whom a data key is wrapped for.
//!
//! A key is written in three ways: as `.sops.yaml` and the command line have it ([`MasterKey::list`]
//! and the constructors), as the metadata of a file has it (fields, read by the documents), and as
//! one line for people and for comparing two keys (`Display`). The last is the peer's: `--rm-…` finds
//! keys by it, and `updatekeys` prints it.

mod error;
mod key_type;
mod notation;
mod order;
mod vault;

use std::collections::BTreeMap;
use std::fmt;

pub use error::NotationError;
pub use key_type::{KeyType, UnknownKeyType};
pub use notation::{KmsContext, KmsOptions};
pub use order::{DecryptionOrder, DuplicateKeyType};

use super::LastModified;

/// A key that wraps data keys: an address, never the key itself. Two keys are equal if they print
/// alike, as for the peer.
#[derive(Debug, Clone)]
pub enum MasterKey {
    /// A recipient of age: X25519, post-quantum, SSH, or of a plugin.
    Age {
        /// `age1…`, or an SSH public key.
        recipient: String,
    },
    /// A key of an Azure Key Vault.
    AzureKv {
        /// `https://` and a host.
        vault_url: String,
        /// The name of the key.
        name: String,
        /// Its version. `None`: the newest, which is still to be asked for; a file always names one.
        version: Option<String>,
    },
    /// A key of Google Cloud's KMS.
    GcpKms {
        /// `projects/…/locations/…/keyRings/…/cryptoKeys/…`.
        resource_id: String,
    },
    /// A key of Huawei Cloud's KMS.
    HcKms {
        /// Region and identifier, with a colon between.
        key_id: String,
    },
    /// A key of a transit engine of Vault or `OpenBao`.
    HcVault {
        /// The server: scheme, host and port.
        vault_address: String,
        /// Where the engine is mounted, without slashes around it.
        engine_path: String,
        /// The name of the key.
        key_name: String,
    },
    /// A key of AWS KMS.
    Kms {
        /// The key or alias.
        arn: String,
        /// A role to assume first.
        role: Option<String>,
        /// The encryption context, which is needed again to unwrap.
        context: BTreeMap<String, String>,
        /// The profile of the local AWS configuration.
        aws_profile: Option<String>,
    },
    /// A key of `OpenPGP`.
    Pgp {
        /// The fingerprint as it was written, without spaces. A `!` at the end means this very subkey.
        fingerprint: String,
    },
}

impl MasterKey {
    /// What kind of key it is.
    pub fn key_type(&self) -> KeyType {
        match self {
            Self::Age { .. } => KeyType::Age,
            Self::AzureKv { .. } => KeyType::AzureKv,
            Self::GcpKms { .. } => KeyType::GcpKms,
            Self::HcKms { .. } => KeyType::HcKms,
            Self::HcVault { .. } => KeyType::HcVault,
            Self::Kms { .. } => KeyType::Kms,
            Self::Pgp { .. } => KeyType::Pgp,
        }
    }

    /// [`Self::key_type`] as the metadata calls it: `age`, `azure_kv`, `gcp_kms`, `hckms`, `hc_vault`,
    /// `kms`, `pgp`.
    pub fn type_name(&self) -> &'static str {
        self.key_type().as_str()
    }

    /// Whether something must be asked of a server before a data key can be wrapped: the version of a
    /// key of Azure.
    pub fn is_unresolved(&self) -> bool {
        matches!(self, Self::AzureKv { version: None, .. })
    }

    /// The region in the ARN of a key of AWS.
    pub fn aws_region(&self) -> Option<&str> {
        let Self::Kms { arn, .. } = self else {
            return None;
        };
        notation::arn_region(arn)
    }
}

/// The peer's line for a key.
impl fmt::Display for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Age { recipient } => f.write_str(recipient),
            Self::AzureKv {
                vault_url,
                name,
                version,
            } => {
                let version = version.as_deref().unwrap_or_default();
                write!(f, "{vault_url}/keys/{name}/{version}")
            }
            Self::GcpKms { resource_id } => f.write_str(resource_id),
            Self::HcKms { key_id } => f.write_str(key_id),
            Self::HcVault {
                vault_address,
                engine_path,
                key_name,
            } => write!(f, "{vault_address}/v1/{engine_path}/keys/{key_name}"),
            Self::Kms {
                arn,
                role,
                context,
                aws_profile,
            } => {
                f.write_str(arn)?;
                if let Some(role) = role {
                    write!(f, "+{role}")?;
                }
                if !context.is_empty() || aws_profile.is_some() {
                    f.write_str("|")?;
                }
                for (index, (name, value)) in context.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{name}:{value}")?;
                }
                aws_profile
                    .iter()
                    .try_for_each(|profile| write!(f, "|{profile}"))
            }
            Self::Pgp { fingerprint } => f.write_str(fingerprint),
        }
    }
}

impl PartialEq for MasterKey {
    fn eq(&self, other: &Self) -> bool {
        self.key_type() == other.key_type() && self.to_string() == other.to_string()
    }
}

impl Eq for MasterKey {}

/// A data key, or one part of it, wrapped for a master key: one entry of a file's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedKey {
    /// Whom it is wrapped for.
    pub key: MasterKey,
    /// What was wrapped, as the file has it: armor, base64 or the server's own text. Empty if a tool
    /// wrote the entry without wrapping anything.
    pub enc: String,
    /// When it was wrapped, a time of RFC 3339; age entries have none.
    pub created_at: Option<String>,
}

impl WrappedKey {
    /// What was just wrapped.
    pub fn new(key: MasterKey, enc: String, now: &LastModified) -> Self {
        let created_at = match key.key_type() {
            KeyType::Age => None,
            _ => Some(now.to_string()),
        };
        Self {
            key,
            enc,
            created_at,
        }
    }
}

#[cfg(test)]
mod tests;
