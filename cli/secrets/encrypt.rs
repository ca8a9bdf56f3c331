//! Encrypting what was in the clear.

use signet_documents::rules::CreationRule;
use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::selector::SelectorSpec;
use signet_documents::sops::{self, Encrypted, FileFormat, Kept};
use signet_keys::sops::{Cipher, DataKey, LastModified, MasterKey};

use crate::Hint;
use crate::files::Input;
use crate::manifest::Named;

use super::{FORMAT_VERSION, KeysError, PlainFile, Services};

/// For whom a file is encrypted, and what in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipients {
    /// Groups of keys; each key of the only one can read the file.
    pub groups: Vec<Vec<MasterKey>>,
    /// How many groups are needed; all if nothing is said.
    pub threshold: Option<usize>,
    /// What is encrypted.
    pub selector: Option<SelectorSpec>,
    /// Whether the checksum covers encrypted values alone.
    pub mac_only_encrypted: bool,
}

impl From<CreationRule> for Recipients {
    fn from(rule: CreationRule) -> Self {
        Self {
            groups: rule.groups,
            threshold: rule.shamir_threshold,
            selector: rule.selector,
            mac_only_encrypted: rule.mac_only_encrypted,
        }
    }
}

/// Why a file was not encrypted.
#[derive(Debug, thiserror::Error)]
pub enum EncryptError {
    /// The data key.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The file.
    #[error("{}: {cause}", Named(.input))]
    File {
        /// The file.
        input: Input,
        /// What is wrong.
        cause: Box<sops::EncryptError>,
    },
}

impl Hint for EncryptError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Keys(error) => error.hint(),
            Self::File { cause, .. } => cause.hint().map(str::to_owned),
        }
    }
}

/// Encrypts a file under a new data key.
pub fn encrypt(
    plain: &PlainFile,
    recipients: &Recipients,
    services: &Services,
    now: &LastModified,
) -> Result<Encrypted, EncryptError> {
    let key = DataKey::generate().map_err(KeysError::from)?;
    let groups = services.wrap(&key, &recipients.groups, recipients.threshold, now)?;
    let count = groups.len();
    let binary = plain.file.format() == FileFormat::Binary;
    let metadata = Metadata {
        groups,
        shamir_threshold: recipients.threshold.or((count > 1).then_some(count)),
        last_modified: now.clone(),
        mac: None,
        // All of a binary file is one value.
        selector: (!binary).then(|| recipients.selector.clone().unwrap_or_default()),
        mac_only_encrypted: recipients.mac_only_encrypted,
        version: FORMAT_VERSION.to_owned(),
    };
    encrypt_under(plain, &metadata, &Cipher::new(&key), None, now)
}

/// Encrypts a file under a data key that is there. What `kept` has keeps its ciphertext.
pub fn encrypt_under(
    plain: &PlainFile,
    metadata: &Metadata,
    cipher: &Cipher,
    kept: Option<&mut Kept>,
    now: &LastModified,
) -> Result<Encrypted, EncryptError> {
    plain
        .file
        .encrypt(metadata, cipher, kept, now.clone())
        .map_err(|cause| EncryptError::File {
            input: plain.input.clone(),
            cause: Box::new(cause),
        })
}
