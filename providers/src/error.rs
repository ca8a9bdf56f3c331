//! Why a service did not wrap or unwrap for one key.

use signet_keys::sops::KeyType;

use crate::NotAllowed;

/// Why a service did not wrap or unwrap for one key. Names keys, addresses and programs, never a
/// secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// age.
    #[cfg(feature = "age")]
    #[error("{0}")]
    Age(#[from] crate::local::age::AgeError),
    /// AWS KMS.
    #[cfg(feature = "aws")]
    #[error("{0}")]
    Aws(#[from] crate::aws::AwsError),
    /// Azure Key Vault.
    #[cfg(feature = "azure")]
    #[error("{0}")]
    Azure(#[from] crate::azure::AzureError),
    /// Google Cloud KMS.
    #[cfg(feature = "gcp")]
    #[error("{0}")]
    Gcp(#[from] crate::gcp::GcpError),
    /// gpg.
    #[cfg(feature = "gpg")]
    #[error("{0}")]
    Gpg(#[from] crate::local::gpg::GpgError),
    /// Huawei Cloud's KMS, for which there is no client.
    #[error("keys of Huawei Cloud's KMS cannot be used by this version")]
    Huawei,
    /// The policy does not let the document name this.
    #[error("{0}")]
    NotAllowed(#[from] NotAllowed),
    /// The service was not compiled in.
    #[error("this build cannot use keys of type `{kind}`")]
    NotBuilt {
        /// The kind of key.
        kind: KeyType,
    },
    /// A key service over gRPC.
    #[cfg(feature = "keyservice")]
    #[error("{0}")]
    Remote(#[from] crate::remote::RemoteError),
    /// The work could not be given to a thread, or the thread died.
    #[error("the thread that did the work is gone")]
    Thread,
    /// Vault.
    #[cfg(feature = "vault")]
    #[error("{0}")]
    Vault(#[from] crate::vault::VaultError),
}

impl KeyError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            #[cfg(feature = "age")]
            Self::Age(error) => error.hint(),
            #[cfg(feature = "aws")]
            Self::Aws(error) => error.hint(),
            #[cfg(feature = "azure")]
            Self::Azure(error) => error.hint(),
            #[cfg(feature = "gcp")]
            Self::Gcp(error) => error.hint(),
            #[cfg(feature = "gpg")]
            Self::Gpg(error) => error.hint(),
            Self::Huawei => Some(
                "use another key of the file, or a key service that has them (`--keyservice`)"
                    .into(),
            ),
            Self::NotAllowed(error) => Some(error.hint()),
            Self::NotBuilt { .. } => {
                Some("build signet with `--features full`, or take a release".into())
            }
            #[cfg(feature = "keyservice")]
            Self::Remote(error) => error.hint(),
            Self::Thread => None,
            #[cfg(feature = "vault")]
            Self::Vault(error) => error.hint(),
        }
    }
}
