//! Changing single values of a file in the clear.
//!
//! YAML and JSON are edited in place where the path has keys alone. Lists, and the formats of lines, go
//! through the tree, and come out in the layout of sops.

use signet_documents::edit::Editor;
use signet_documents::emit::sops::{self as emit, EmitError};
use signet_documents::sops::tree::{PathPart, Tree};
use signet_documents::sops::{self, Decrypted, FileFormat};
use signet_documents::yaml::{Document, Node, Stream};
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use crate::Hint;

use super::{EncryptError, KeysError, OpenError, PlainFile, SecretFile};

mod json;
mod parts;

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
    decrypted: &Decrypted,
    path: &[PathPart],
    value: &serde_json::Value,
) -> Result<Option<PlainFile>, ChangeError> {
    let new = json::tree_value(value);
    let mut tree = decrypted.tree.clone();
    if parts::get(&tree, path).is_some_and(|old| *old == new) {
        return Ok(None);
    }
    parts::set(&mut tree, path, new)?;
    let edited = in_place(secret, decrypted, path, |editor, root, keys| {
        editor.set(root, keys, value).is_ok()
    });
    finish(secret, edited, &tree).map(Some)
}

/// The file without what is at a path of its first document.
pub fn unset(
    secret: &SecretFile,
    decrypted: &Decrypted,
    path: &[PathPart],
) -> Result<PlainFile, ChangeError> {
    let mut tree = decrypted.tree.clone();
    parts::unset(&mut tree, path)?;
    let edited = in_place(secret, decrypted, path, |editor, root, keys| {
        editor.remove(root, keys).is_ok()
    });
    finish(secret, edited, &tree)
}

/// The text with an edit made, if it can be made in place.
fn in_place<'t>(
    secret: &SecretFile,
    decrypted: &Decrypted,
    path: &'t [PathPart],
    edit: impl for<'d> FnOnce(&mut Editor<'d>, Node<'d>, &[&'t str]) -> bool,
) -> Option<Zeroizing<Vec<u8>>> {
    if !matches!(secret.file.format(), FileFormat::Yaml | FileFormat::Json) {
        return None;
    }
    let keys: Option<Vec<_>> = path
        .iter()
        .map(|part| match part {
            PathPart::Key(key) => Some(key.as_str()),
            PathPart::Index(_) => None,
        })
        .collect();
    let text = signet_documents::source::decode(decrypted.text.expose()).ok()?;
    let stream = Stream::parse(text.as_str()).ok()?;
    let document: &Document = stream.documents().first()?;
    let mut editor = Editor::new(document);
    if !edit(&mut editor, document.root()?, &keys?) {
        return None;
    }
    let edited = Zeroizing::new(editor.apply().ok()?);
    Some(Zeroizing::new(text.encode(&edited)))
}

/// Reads what was edited. It must say what the tree says; else the tree is written out.
fn finish(
    secret: &SecretFile,
    edited: Option<Zeroizing<Vec<u8>>>,
    tree: &Tree,
) -> Result<PlainFile, ChangeError> {
    let format = secret.file.format();
    let read = |bytes| PlainFile::parse(&secret.input, format, bytes);
    if let Some(plain) = edited.and_then(|bytes| read(bytes).ok())
        && plain
            .file
            .tree()
            .is_ok_and(|found| parts::same(&found, tree))
    {
        return Ok(plain);
    }
    let text: Plaintext = emit::file(tree, format, &emit::Layout::default())?;
    Ok(read(Zeroizing::new(text.expose().to_vec()))?)
}
