//! How errors are told: the number that the peer ends with and, where scripts look for it, its words.

use signet_documents::rules;
use signet_documents::sops as files;
use signet_providers::RecoverError;

use crate::editor::EditorError;
use crate::error::chain;
use crate::files::{ReadError, WriteError};
use crate::process::Ended;
use crate::secrets::edit::EditError;
use crate::secrets::output::{OutputError, PathFailure};
use crate::secrets::publish::PublishError;
use crate::secrets::{
    ChangeError, EncryptError, KeysError, LockedError, OpenError, PartError, RulesError, tried,
};
use crate::{ExitStatus, Failure, Hint};

use super::codes;

/// An error with a number of its own.
pub(super) trait Refusal: Hint + Sized {
    /// The number.
    fn code(&self) -> u8;

    /// What is said: the first line is the one that scripts know.
    fn told(&self) -> String {
        chain(self)
    }
}

/// The failure that an error is.
#[expect(
    clippy::needless_pass_by_value,
    reason = "errors are given away where they become failures"
)]
pub(super) fn refuse<E: Refusal>(error: E) -> Failure {
    Failure {
        status: ExitStatus::Code(error.code()),
        hint: error.hint(),
        message: error.told(),
    }
}

/// The failure of a file that cannot be understood where it was to be encrypted.
pub(super) fn refuse_plain(error: OpenError) -> Failure {
    match &error {
        OpenError::Parse { cause, .. } => Failure {
            message: format!("Error unmarshalling file: {cause}"),
            status: ExitStatus::Code(codes::READ),
            hint: error.hint(),
        },
        _ => refuse(error),
    }
}

impl Refusal for OpenError {
    fn code(&self) -> u8 {
        match self {
            Self::Encrypted(_) => codes::ALREADY_ENCRYPTED,
            Self::Empty(_) => codes::EMPTY,
            Self::Read(_) => codes::READ,
            Self::Metadata { .. } | Self::NotEncrypted(_) | Self::Parse { .. } => codes::GENERIC,
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Encrypted(_) => {
                "The file you have provided contains a top-level entry called 'sops', or entries that \
                 begin with 'sops_': it is encrypted already, or the entry must be renamed."
                    .to_owned()
            }
            Self::Empty(_) => {
                "File cannot be completely empty, it must contain at least one document".to_owned()
            }
            Self::NotEncrypted(_) => "sops metadata not found".to_owned(),
            Self::Metadata { cause, .. } => cause.to_string(),
            Self::Parse { cause, .. } => cause.to_string(),
            Self::Read(error) => error.told(),
        }
    }
}

impl Refusal for ReadError {
    fn code(&self) -> u8 {
        codes::READ
    }

    fn told(&self) -> String {
        match self {
            Self::File { path, source } => {
                format!(
                    "Error reading file: open {}: {}",
                    path.display(),
                    system(source)
                )
            }
            other => format!("Error reading file: {}", chain(other)),
        }
    }
}

impl Refusal for WriteError {
    fn code(&self) -> u8 {
        codes::WRITE
    }

    fn told(&self) -> String {
        match self {
            Self::Io { path, source } => format!(
                "Could not open in-place file for writing: open {}: {}",
                path.display(),
                system(source)
            ),
            other => format!("Could not open in-place file for writing: {}", chain(other)),
        }
    }
}

impl Refusal for KeysError {
    fn code(&self) -> u8 {
        match self {
            Self::Recover { .. } => codes::NO_DATA_KEY,
            Self::Generate(_) | Self::Service { .. } | Self::Wrap(_) => codes::GENERIC,
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Recover { cause, .. } => {
                let mut text =
                    "Failed to get the data key required to decrypt the SOPS file.".to_owned();
                if let RecoverError::Groups { .. } = cause {
                    text.push_str("\n\n");
                    text.push_str(&tried(cause));
                }
                format!("{text}\n\n{cause}")
            }
            Self::Wrap(cause) => format!("Could not generate data key: [{cause}]"),
            Self::Generate(_) | Self::Service { .. } => chain(self),
        }
    }
}

impl Refusal for LockedError {
    fn code(&self) -> u8 {
        match *self.cause {
            files::DecryptError::Mac { .. } => codes::MAC,
            files::DecryptError::NotText { .. } | files::DecryptError::Value { .. } => {
                codes::DECRYPT
            }
            _ => codes::GENERIC,
        }
    }

    fn told(&self) -> String {
        match &*self.cause {
            cause @ files::DecryptError::Mac { .. } => format!("MAC mismatch. {cause}"),
            cause @ (files::DecryptError::NotText { .. } | files::DecryptError::Value { .. }) => {
                format!("Error decrypting tree: {cause}")
            }
            cause => cause.to_string(),
        }
    }
}

impl Refusal for EncryptError {
    fn code(&self) -> u8 {
        match self {
            Self::Keys(error) => error.code(),
            Self::File { cause, .. } => match &**cause {
                files::EncryptError::AlreadyEncrypted => codes::ALREADY_ENCRYPTED,
                files::EncryptError::Read(cause) => match cause {
                    // sops reads them, and finds no way to encrypt them.
                    files::ReadError::KeyNotText { .. } | files::ReadError::Value { .. } => {
                        codes::ENCRYPT
                    }
                    _ => codes::READ,
                },
                files::EncryptError::Selector(_) => codes::GENERIC,
                files::EncryptError::Write(_) => codes::DUMP,
                _ => codes::ENCRYPT,
            },
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Keys(error) => error.told(),
            Self::File { cause, .. } => match &**cause {
                files::EncryptError::Read(cause) => format!("Error unmarshalling file: {cause}"),
                cause => format!("Error encrypting tree: {cause}"),
            },
        }
    }
}

impl Refusal for OutputError {
    fn code(&self) -> u8 {
        match self {
            Self::Path(PathFailure::WrongKind { .. }) => codes::READ,
            Self::Path(_) => codes::GENERIC,
            _ => codes::DUMP,
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Path(cause) => format!("error truncating tree: {cause}"),
            other => format!("Error dumping file: {}", chain(other)),
        }
    }
}

impl Refusal for RulesError {
    fn code(&self) -> u8 {
        codes::GENERIC
    }

    fn told(&self) -> String {
        match self {
            Self::Rules {
                cause: rules::RulesError::NoCreationRule { .. },
                ..
            } => "error loading config: no matching creation rules found".to_owned(),
            Self::Rules {
                cause: rules::RulesError::NoDestinationRule { .. },
                ..
            } => "error loading config: no matching destination found in config".to_owned(),
            other => chain(other),
        }
    }
}

impl Refusal for ChangeError {
    fn code(&self) -> u8 {
        match self {
            Self::Encrypt(error) => error.code(),
            Self::Keys(error) => error.code(),
            Self::Open(error) => error.code(),
            Self::Part(PartError::Empty | PartError::WrongKind { .. }) => codes::READ,
            Self::Part(_) => codes::GENERIC,
            Self::Emit(_) | Self::Write(_) => codes::DUMP,
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Encrypt(error) => error.told(),
            Self::Keys(error) => error.told(),
            Self::Open(error) => error.told(),
            Self::Emit(_) | Self::Part(_) | Self::Write(_) => chain(self),
        }
    }
}

impl Refusal for PublishError {
    fn code(&self) -> u8 {
        match self {
            Self::Encrypt(error) => error.code(),
            Self::Keys(error) => error.code(),
            Self::Locked(error) => error.code(),
            Self::Open(error) => error.code(),
            Self::Upload { .. } | Self::Values(_) => codes::GENERIC,
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Encrypt(error) => error.told(),
            Self::Keys(error) => error.told(),
            Self::Locked(error) => error.told(),
            Self::Open(error) => error.told(),
            Self::Upload { .. } | Self::Values(_) => chain(self),
        }
    }
}

impl Refusal for EditorError {
    fn code(&self) -> u8 {
        codes::NO_EDITOR
    }

    fn told(&self) -> String {
        match self {
            Self::Failed(Ended::Code(code)) => format!("Could not run editor: exit status {code}"),
            other => format!("Could not run editor: {}", chain(other)),
        }
    }
}

impl Refusal for EditError {
    fn code(&self) -> u8 {
        match self {
            Self::Editor(error) => error.code(),
            Self::File(_) => codes::GENERIC,
            Self::Invalid(error) => error.code(),
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Editor(error) => error.told(),
            Self::File(_) | Self::Invalid(_) => chain(self),
        }
    }
}

/// As Go tells an error of the system.
fn system(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    text.to_lowercase()
}
