//! What can go wrong, one enum for an operation. No error holds a value or a part of one.

use std::fmt;

use signet_keys::sops::{mac::MacError, value};

use super::{FileFormat, metadata::MetadataError, selector::SelectorError};
use crate::{Position, source::DecodeError, yaml::ParseError};

/// More warnings of a kind than these are not given.
pub(super) const MOST_WARNINGS: usize = 100;

/// Why bytes are not a file of their format, or not one that can be encrypted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are no text.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The text is not in the format's syntax.
    #[error(transparent)]
    Syntax(#[from] ParseError),
    /// A line of a dotenv or INI file.
    #[error("{0}")]
    Line(
        /// What is wrong with which line.
        String,
    ),
    /// The same key twice in one map.
    #[error("{at}: the key `{key}` stands already at {first}")]
    DuplicateKey {
        /// The second time.
        at: Position,
        /// The first time.
        first: Position,
        /// The key.
        key: String,
    },
    /// A key that is a number, a truth value, a date, null or no scalar at all.
    #[error("{at}: the key is {what}, and only text can be a key in an encrypted file")]
    KeyNotText {
        /// Where.
        at: Position,
        /// What it is instead.
        what: &'static str,
    },
    /// The metadata is no map.
    #[error("{at}: what stands under `sops` is not a map, so it is not the metadata of a file")]
    MetadataNotMap {
        /// Where.
        at: Position,
    },
    /// Metadata in a later document and not in the first.
    #[error("{at}: there is metadata (`sops`) here, and none in the first document")]
    MetadataBelow {
        /// Where it is.
        at: Position,
    },
    /// Metadata twice in one document.
    #[error("{at}: the metadata (`sops`) is there twice, the first time at {first}")]
    MetadataTwice {
        /// The second time.
        at: Position,
        /// The first time.
        first: Position,
    },
    /// Metadata that is malformed in itself.
    #[error("the metadata (`sops`) is malformed: {0}")]
    Metadata(
        /// What is wrong with it.
        String,
    ),
    /// A list or a single value where a document must be a map.
    #[error("{at}: the document is {what} at its top, and an encrypted file needs keys there")]
    TopNotMap {
        /// Where it begins.
        at: Position,
        /// What it is instead.
        what: &'static str,
    },
    /// Something follows the JSON object.
    #[error("{at}: something follows the end of the JSON object")]
    TrailingData {
        /// Where.
        at: Position,
    },
    /// A value that neither the peer nor the format of encrypted values has.
    #[error("{at}: {what}")]
    Value {
        /// Where.
        at: Position,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Aliases that stand for too much, or an alias inside of itself.
    #[error("{at}: {what}")]
    Alias {
        /// Where.
        at: Position,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl ReadError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Decode(error) => error.hint(),
            Self::Syntax(error) => error.hint(),
            Self::DuplicateKey { .. } => Some("remove or rename one of the two"),
            Self::KeyNotText { .. } => Some("put the key in quotes"),
            Self::TopNotMap { .. } => Some(
                "put it under a key (`data:`), or encrypt the file as bytes with the input type `binary`",
            ),
            Self::MetadataNotMap { .. } => Some("`sops` is a reserved key: rename it"),
            Self::MetadataBelow { .. } => Some(
                "`sops` is a reserved key: rename it, or put an encrypted document into a file of its own",
            ),
            Self::MetadataTwice { .. } => {
                Some("remove the older one, or restore the file from history")
            }
            Self::TrailingData { .. } => Some("one file has one object: remove what follows it"),
            Self::Value { .. } => Some("put the value in quotes"),
            Self::Alias { .. } => Some("write the values out instead of the aliases"),
            Self::Line(_) | Self::Metadata(_) => None,
        }
    }
}

/// A leaf of a file, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Which document, from 1; `None` if the file has only one.
    pub document: Option<usize>,
    /// The keys that lead to it, with dots; empty for a comment at the top.
    pub path: String,
    /// Where it stands, in formats with lines.
    pub position: Option<Position>,
    /// Whether it is a comment.
    pub comment: bool,
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.comment, self.path.as_str()) {
            (true, "") => f.write_str("a comment at the top")?,
            (true, path) => write!(f, "a comment in `{path}`")?,
            (false, path) => write!(f, "`{path}`")?,
        }
        let document = self.document.map(|number| format!("document {number}"));
        let line = self.position.map(|at| format!("line {}", at.line));
        let parts: Vec<_> = document.into_iter().chain(line).collect();
        if !parts.is_empty() {
            write!(f, " ({})", parts.join(", "))?;
        }
        Ok(())
    }
}

/// Why a file was not encrypted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncryptError {
    /// It has metadata, so it is encrypted.
    #[error("the file is already encrypted: it has metadata (`sops`)")]
    AlreadyEncrypted,
    /// An encrypted comment reads as one that exempts what follows it.
    #[error(
        "{leaf}, once encrypted, matches `unencrypted_comment_regex`, so nobody could tell that it is encrypted"
    )]
    CommentMatches {
        /// Which.
        leaf: Leaf,
    },
    /// It cannot be walked.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written in its format.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The rules of the file cannot be applied.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// A value was not encrypted.
    #[error("{leaf}: {error}")]
    Value {
        /// Which.
        leaf: Leaf,
        /// Why.
        error: value::EncryptError,
    },
    /// The checksum was not encrypted.
    #[error("the checksum (`mac`): {0}")]
    Mac(
        /// Why.
        value::EncryptError,
    ),
}

impl EncryptError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::AlreadyEncrypted => Some("decrypt it first, or edit it encrypted as it is"),
            Self::CommentMatches { .. } => {
                Some("anchor the expression (`^ *public`) so that it matches no encrypted text")
            }
            Self::Read(error) => error.hint(),
            Self::Write(error) => error.hint(),
            Self::Selector(error) => Some(error.hint()),
            Self::Value { .. } | Self::Mac(_) => None,
        }
    }
}

/// Why a file was not decrypted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecryptError {
    /// It has no metadata.
    #[error("the file is not encrypted: it has no metadata (`sops`)")]
    NotEncrypted,
    /// It cannot be walked.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its metadata cannot be used.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// The rules of the file cannot be applied.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// The file cannot be written in its format.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A value that should be encrypted is a number, a truth value or a date.
    #[error("{leaf} should be encrypted and is not")]
    NotText {
        /// Which.
        leaf: Leaf,
    },
    /// A value does not decrypt.
    #[error("{leaf}: {error}{}", found(diagnosis.as_ref()))]
    Value {
        /// Which.
        leaf: Leaf,
        /// Why.
        error: value::DecryptError,
        /// What was found out about it.
        diagnosis: Option<Diagnosis>,
    },
    /// All values decrypt, but the checksum is not theirs.
    #[error("{error}{}", found(diagnosis.as_ref()))]
    Mac {
        /// Why.
        error: MacError,
        /// What was found out about it.
        diagnosis: Option<Diagnosis>,
    },
}

impl DecryptError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotEncrypted => None,
            Self::Read(error) => error.hint(),
            Self::Metadata(error) => Some(error.hint()),
            Self::Selector(error) => Some(error.hint()),
            Self::Write(error) => error.hint(),
            Self::NotText { .. } => Some(
                "a value was written into the encrypted file by hand: remove it there and set it anew",
            ),
            Self::Value {
                error, diagnosis, ..
            } => Some(diagnosis.as_ref().map_or(error.hint(), Diagnosis::hint)),
            Self::Mac { error, diagnosis } => {
                Some(diagnosis.as_ref().map_or(error.hint(), Diagnosis::hint))
            }
        }
    }
}

fn found(diagnosis: Option<&Diagnosis>) -> String {
    diagnosis.map_or_else(String::new, |diagnosis| format!(" ({diagnosis})"))
}

/// What was found out about a file that does not decrypt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Diagnosis {
    /// The document has metadata other than the file's.
    OtherMetadata {
        /// Which document, from 1.
        document: usize,
    },
    /// The ciphertext opens at another place.
    MovedFrom {
        /// The keys that lead there.
        path: String,
    },
    /// Not one value of the file opens.
    NothingOpens,
    /// Encrypted values are as they were; there are others that could have been changed.
    PlainValues {
        /// How many.
        count: usize,
    },
    /// All values are encrypted and as they were.
    Order,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherMetadata { document } => write!(
                f,
                "document {document} has the metadata of another file than the first document"
            ),
            Self::MovedFrom { path } => write!(f, "it was encrypted as `{path}`"),
            Self::NothingOpens => f.write_str("no value of the file does"),
            Self::PlainValues { count } => write!(
                f,
                "what is encrypted was not changed; {count} values are not encrypted"
            ),
            Self::Order => f.write_str("every value that is there was not changed"),
        }
    }
}

impl Diagnosis {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::OtherMetadata { .. } => {
                "files were put together while encrypted: decrypt each, join them, and encrypt the result"
            }
            Self::MovedFrom { .. } => {
                "values and keys are renamed and moved in the decrypted file only: move it back, or set the value anew"
            }
            Self::NothingOpens => {
                "the values and the metadata are of different files: restore the file from history"
            }
            Self::PlainValues { .. } => {
                "an unencrypted value was edited, or lines were added, removed or put in another order: undo that, or check the values and encrypt anew"
            }
            Self::Order => {
                "lines were added, removed or put in another order: undo that, or check the values and encrypt anew"
            }
        }
    }
}

/// What is wrong with a file that was just made. It says nothing of what is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// It could not be read again.
    #[error("the new file could not be read again: {0}")]
    Read(
        /// Why.
        ReadError,
    ),
    /// It would say something else.
    #[error("the new file would not hold the values that it should")]
    Values,
    /// A comment could not be decrypted at its place, or would change which values are encrypted.
    #[error("a comment of the new file would not be read where it stands")]
    Comments,
    /// The metadata would be other.
    #[error("the new file would not hold the metadata that it should")]
    Metadata,
}

impl CheckError {
    /// What the user can do about it.
    pub const HINT: &'static str = "nothing was written; write the file in a plainer form (blocks instead of brackets, no anchors), and report the form that failed";
}

/// Why a file cannot be written with its new values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A value that the format has no way to write.
    #[error("{at}: {format} cannot hold {what}")]
    Value {
        /// Where.
        at: Position,
        /// The format.
        format: FileFormat,
        /// What.
        what: &'static str,
    },
    /// Changes that want the same bytes.
    #[error(transparent)]
    Overlap(#[from] crate::splice::Overlap),
    /// The new file would not be read as it was meant.
    #[error(transparent)]
    Check(#[from] CheckError),
}

impl WriteError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Value { .. } => Some("write the file in another format, such as YAML"),
            Self::Overlap(_) => None,
            Self::Check(_) => Some(CheckError::HINT),
        }
    }
}

/// What the user should know though all went well.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// An alias stood for values that are now encrypted, each for its own place, so it was written out.
    AliasExpanded {
        /// Where it stood.
        at: Position,
    },
    /// An alias stands where the rules have values in the clear, for values that they have encrypted
    /// where the anchor is. It was written out.
    AliasInClear {
        /// Where it stood.
        at: Position,
    },
    /// Nothing in the file is encrypted.
    NothingEncrypted,
    /// A whole number has more digits than the format keeps.
    NumberRounded {
        /// Where it stands.
        at: Position,
    },
    /// The file could not be written in its own layout, so it is in that of the peer.
    NewLayout,
    /// A comment that the rules have encrypted is not, or not for its place. It stays as it is.
    PlainComment {
        /// Which.
        leaf: Leaf,
    },
    /// A value that the rules have in the clear looks encrypted. It stays as it is.
    StillEncrypted {
        /// Which.
        leaf: Leaf,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AliasExpanded { at } => write!(
                f,
                "line {}: an alias of encrypted values was replaced by the values",
                at.line
            ),
            Self::AliasInClear { at } => write!(
                f,
                "line {}: an alias of encrypted values stands where values are not encrypted: they are now there in the clear",
                at.line
            ),
            Self::NothingEncrypted => {
                f.write_str("nothing in the file is encrypted: its selector matches no value")
            }
            Self::NewLayout => f.write_str(
                "the layout of the file could not be kept: it is written in that of sops",
            ),
            Self::NumberRounded { at } => write!(
                f,
                "line {}: a whole number beyond 64 bits is kept as the nearest floating point number; in quotes it would be exact",
                at.line
            ),
            Self::PlainComment { leaf } => write!(f, "{leaf} is not encrypted"),
            Self::StillEncrypted { leaf } => write!(
                f,
                "{leaf} looks encrypted, but the selector of the file has it in the clear"
            ),
        }
    }
}

/// Whether a number as it is written is a whole one that only the nearest floating point number is
/// kept of.
pub(super) fn is_rounded(number: &str) -> bool {
    let digits = number.strip_prefix(['-', '+']).unwrap_or(number);
    digits.len() >= 19
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && number.parse::<i64>().is_err()
}
