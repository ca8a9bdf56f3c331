//! Files as they are read.

use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::{
    DecryptError, Decrypted, File, FileFormat, MacCheck, ReadError, Warning,
};
use signet_keys::Plaintext;
use signet_keys::sops::master_key::DecryptionOrder;
use signet_keys::sops::{Cipher, DataKey};
use zeroize::Zeroizing;

use crate::files::{self, Input};
use crate::manifest::Named;
use crate::{Hint, Ui};

use super::{KeysError, Services};

/// A file in the clear.
#[derive(Debug)]
pub struct PlainFile {
    /// Where it came from.
    pub input: Input,
    /// What was read. Wiped from memory when dropped.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What it says.
    pub file: File,
}

/// An encrypted file.
#[derive(Debug)]
pub struct SecretFile {
    /// Where it came from.
    pub input: Input,
    /// What was read.
    pub bytes: Zeroizing<Vec<u8>>,
    /// What it says.
    pub file: File,
    /// Who can read it, and what in it is encrypted.
    pub metadata: Metadata,
}

/// Why a file is none that can be worked with.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is encrypted where a plain one is expected.
    #[error("{} is already encrypted: it has metadata (`sops`)", Named(.0))]
    Encrypted(Input),
    /// It has nothing in it.
    #[error("{} is empty", Named(.0))]
    Empty(Input),
    /// Its metadata cannot be used.
    #[error("{}: {cause}", Named(.input))]
    Metadata {
        /// The file.
        input: Input,
        /// What is wrong.
        cause: Box<DecryptError>,
    },
    /// It has no metadata.
    #[error("{} is not encrypted: it has no metadata (`sops`)", Named(.0))]
    NotEncrypted(Input),
    /// It is not of its format.
    #[error("{}: {cause}", Named(.input))]
    Parse {
        /// The file.
        input: Input,
        /// What is wrong.
        cause: ReadError,
    },
    /// It cannot be read at all.
    #[error(transparent)]
    Read(#[from] files::ReadError),
}

impl Hint for OpenError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Encrypted(_) => Some(
                "to change it, edit it as it is (`edit`, `set`), or decrypt it first".to_owned(),
            ),
            Self::Empty(_) => Some("put at least one value into it".to_owned()),
            Self::Metadata { cause, .. } => cause.hint().map(str::to_owned),
            Self::NotEncrypted(_) => {
                Some("encrypt it first; or is it of another format than its name says?".to_owned())
            }
            Self::Parse { cause, .. } => cause.hint().map(str::to_owned),
            Self::Read(error) => error.hint(),
        }
    }
}

impl PlainFile {
    /// Reads a file that is to be encrypted.
    pub fn open(input: &Input, format: FileFormat, ui: &mut Ui) -> Result<Self, OpenError> {
        Self::parse(input, format, input.read(ui)?)
    }

    /// Reads what came from `input`.
    pub fn parse(
        input: &Input,
        format: FileFormat,
        bytes: Zeroizing<Vec<u8>>,
    ) -> Result<Self, OpenError> {
        // A binary file may be empty.
        if bytes.is_empty() && format != FileFormat::Binary {
            return Err(OpenError::Empty(input.clone()));
        }
        let file = parse(input, format, &bytes)?;
        match metadata(input, &file)? {
            Some(_) => Err(OpenError::Encrypted(input.clone())),
            None => Ok(Self {
                input: input.clone(),
                bytes,
                file,
            }),
        }
    }
}

impl SecretFile {
    /// Reads an encrypted file.
    pub fn open(input: &Input, format: FileFormat, ui: &mut Ui) -> Result<Self, OpenError> {
        Self::parse(input, format, input.read(ui)?)
    }

    /// Reads what came from `input`.
    pub fn parse(
        input: &Input,
        format: FileFormat,
        bytes: Zeroizing<Vec<u8>>,
    ) -> Result<Self, OpenError> {
        let file = parse(input, format, &bytes)?;
        let metadata =
            metadata(input, &file)?.ok_or_else(|| OpenError::NotEncrypted(input.clone()))?;
        Ok(Self {
            input: input.clone(),
            bytes,
            file,
            metadata,
        })
    }

    /// Asks for its data key.
    pub fn unlock(
        &self,
        services: &Services,
        order: &DecryptionOrder,
    ) -> Result<Cipher, KeysError> {
        let key = services.recover(&self.input, &self.metadata, order)?;
        Ok(Cipher::new(&key))
    }

    /// Proves that all values are there as they were encrypted.
    pub fn prove(&self, key: &DataKey) -> Result<(), LockedError> {
        let proven = self.file.verify(&Cipher::new(key));
        proven.map(drop).map_err(|cause| self.locked(cause))
    }

    /// Decrypts it.
    pub fn decrypt(&self, cipher: &Cipher, check: MacCheck) -> Result<Decrypted, LockedError> {
        let decrypted = self.file.decrypt(cipher, check);
        decrypted.map_err(|cause| self.locked(cause))
    }

    /// Decrypts it into its text alone, for one that is passed on as it is.
    pub fn decrypt_text(
        &self,
        cipher: &Cipher,
        check: MacCheck,
    ) -> Result<(Plaintext, Vec<Warning>), LockedError> {
        let decrypted = self.file.decrypt_text(cipher, check);
        decrypted.map_err(|cause| self.locked(cause))
    }

    fn locked(&self, cause: DecryptError) -> LockedError {
        LockedError {
            input: self.input.clone(),
            cause: Box::new(cause),
        }
    }
}

/// Why a file whose data key is there does not decrypt.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", Named(.input))]
pub struct LockedError {
    /// The file.
    pub input: Input,
    /// What is wrong.
    pub cause: Box<DecryptError>,
}

impl Hint for LockedError {
    fn hint(&self) -> Option<String> {
        self.cause.hint().map(str::to_owned)
    }
}

fn parse(input: &Input, format: FileFormat, bytes: &[u8]) -> Result<File, OpenError> {
    File::parse(format, bytes).map_err(|cause| OpenError::Parse {
        input: input.clone(),
        cause,
    })
}

fn metadata(input: &Input, file: &File) -> Result<Option<Metadata>, OpenError> {
    file.metadata().map_err(|cause| OpenError::Metadata {
        input: input.clone(),
        cause: Box::new(cause),
    })
}
