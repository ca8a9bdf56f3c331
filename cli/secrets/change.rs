//! Changing single values of a file in the clear.
//!
//! The text is edited in place. Where that cannot be done, as for what an alias refers to, the whole tree
//! is written out in the layout of sops. So is a YAML file that is in that layout.

use signet_documents::emit::sops::{self as emit, EmitError};
use signet_documents::sops::tree::{PathPart, Tree};
use signet_documents::sops::{self, Decrypted, FileFormat};
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use crate::Hint;

use super::{EncryptError, KeysError, OpenError, PlainFile, SecretFile};

mod in_place;
mod json;
mod parts;

use in_place::Edit;
pub use parts::PartError;

/// Why a file was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The format has no place for the new value.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// It was not encrypted anew.
    #[error(transparent)]
    Encrypt(#[from] EncryptError),
    /// There is no data key, or it was not wrapped.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// What came out is no file.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The path leads nowhere.
    #[error(transparent)]
    Part(#[from] PartError),
    /// The metadata cannot be written.
    #[error(transparent)]
    Write(#[from] sops::WriteError),
}

impl Hint for ChangeError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Emit(_) | Self::Part(_) => None,
            Self::Encrypt(error) => error.hint(),
            Self::Keys(error) => error.hint(),
            Self::Open(error) => error.hint(),
            Self::Write(error) => error.hint().map(str::to_owned),
        }
    }
}

/// The file with a value at a path of its first document; nothing if it has that value already. What is
/// missing on the way is made.
pub fn set(
    secret: &SecretFile,
    decrypted: &mut Decrypted,
    path: &[PathPart],
    value: &serde_json::Value,
) -> Result<Option<PlainFile>, ChangeError> {
    let new = json::tree_value(value);
    let mut tree = decrypted.tree.clone();
    if parts::get(&tree, path).is_some_and(|old| *old == new) {
        return Ok(None);
    }
    parts::set(&mut tree, path, new)?;
    if let (FileFormat::Dotenv, [PathPart::Key(key)], Some(text)) =
        (secret.file.format(), path, value.as_str())
    {
        decrypted.kept.mean(key, text);
    }
    finish(secret, decrypted, path, Edit::Set(value), &tree).map(Some)
}

/// The file without what is at a path of its first document.
pub fn unset(
    secret: &SecretFile,
    decrypted: &mut Decrypted,
    path: &[PathPart],
) -> Result<PlainFile, ChangeError> {
    let mut tree = decrypted.tree.clone();
    parts::unset(&mut tree, path)?;
    finish(secret, decrypted, path, Edit::Unset, &tree)
}

/// Edits the text and reads it again. It must say what the tree says; else the tree is written out, as it
/// is if that is how the file was written.
fn finish(
    secret: &SecretFile,
    decrypted: &mut Decrypted,
    path: &[PathPart],
    edit: Edit<'_>,
    tree: &Tree,
) -> Result<PlainFile, ChangeError> {
    let format = secret.file.format();
    let read = |bytes| PlainFile::parse(&secret.input, format, bytes);
    let says_it = |plain: &PlainFile| {
        let found = plain.file.tree();
        found.is_ok_and(|found| parts::same(&found, &tree.said_in(format)))
    };
    if is_laid_out_by_sops(decrypted, format) {
        decrypted.kept.write_as_sops();
    } else {
        let edited = parts::without_comments(&decrypted.tree, path)
            .and_then(|path| in_place::edited(format, decrypted.text.expose(), &path, edit));
        let plain = edited.and_then(|bytes| read(bytes).ok());
        if let Some(plain) = plain.filter(says_it) {
            return Ok(plain);
        }
    }
    let text: Plaintext = emit::file(tree, format, &emit::Layout::default())?;
    Ok(read(Zeroizing::new(text.expose().to_vec()))?)
}

/// Whether a YAML file is, byte for byte, as sops writes it. Then it stays so: what is new in it is
/// written as the rest is.
fn is_laid_out_by_sops(decrypted: &Decrypted, format: FileFormat) -> bool {
    format == FileFormat::Yaml
        && emit::file(&decrypted.tree, format, &emit::Layout::default())
            .is_ok_and(|text| text == decrypted.text)
}
