//! What can be wrong with the notation of a key.

/// Why a text does not name a key. Private keys and what looks like nothing known are not shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// A private key stands where a recipient is expected. It is not shown.
    #[error("a private key is given where an age recipient is expected")]
    AgePrivate,
    /// Neither `age1…` nor an SSH public key.
    #[error("not an age recipient: expected age1..., ssh-ed25519 ... or ssh-rsa ...")]
    AgeRecipient,
    /// Not the address of a key of Azure.
    #[error("`{url}` is not a key of Azure: expected https://VAULT/keys/NAME/VERSION")]
    AzureUrl {
        /// What was given.
        url: String,
    },
    /// Not `region:identifier`.
    #[error("`{key_id}` is not a key of Huawei Cloud: expected REGION:KEY-ID")]
    HuaweiKeyId {
        /// What was given.
        key_id: String,
    },
    /// Not `name:value`.
    #[error("the encryption context is not NAME:VALUE, with commas between several")]
    KmsContext,
    /// No key where one is expected.
    #[error("the {what} is empty")]
    Missing {
        /// What is missing.
        what: &'static str,
    },
    /// Not the address of a transit key.
    #[error("`{uri}` is not a key of Vault: expected https://HOST:8200/v1/ENGINE/keys/NAME")]
    VaultUri {
        /// What was given, without a password that may be in it.
        uri: String,
    },
    /// There is something between the host and `/v1`.
    #[error("the address `{uri}` of Vault has a path before `/v1`, which files cannot express")]
    VaultPrefix {
        /// What was given, without a password that may be in it.
        uri: String,
    },
}

impl NotationError {
    /// What to do about it, where the message does not say it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::AgePrivate => Some(
                "give the public half (`age-keygen -y`), and replace this key if anybody saw it",
            ),
            Self::VaultPrefix { .. } => Some("give the server a host name of its own"),
            _ => None,
        }
    }
}
