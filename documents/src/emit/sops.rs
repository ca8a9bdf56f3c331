//! A tree in the layout of `sops`, in any format: what `--output-type`, `--layout=sops`, `--extract`
//! and `exec-file` write.

mod encrypted;

use signet_keys::Plaintext;
use signet_keys::sops::Kind;

use super::{sops_dotenv, sops_ini, sops_json, sops_yaml};
use crate::sops::{
    FileFormat,
    tree::{Branch, ListItem, Tree, TreeValue},
};

pub use encrypted::encrypted;

/// How text formats are laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// YAML.
    pub yaml: sops_yaml::Layout,
    /// JSON, and the JSON that encrypted binary files are.
    pub json: sops_json::Layout,
}

/// Why a tree cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// dotenv.
    #[error(transparent)]
    Dotenv(#[from] sops_dotenv::Complex),
    /// INI.
    #[error(transparent)]
    Ini(#[from] sops_ini::IniEmitError),
    /// JSON.
    #[error(transparent)]
    Json(#[from] sops_json::NotFinite),
    /// JSON has texts alone.
    #[error("a value that is no text cannot be written as JSON")]
    NotText,
    /// A binary file is the value of `data`.
    #[error("error emitting binary store: no binary data found in tree")]
    NoData,
    /// The value of `data` is something else than text.
    #[error("error emitting binary store: 'data' key in tree does not have a string value")]
    DataNotText,
    /// A binary file has no parts.
    #[error("Binary files are not structured and extracting a single value is not possible")]
    BinaryPart,
    /// A part of a dotenv file that is no text.
    #[error("the dotenv store only supports emitting strings")]
    DotenvPart,
    /// A format of one document, and more than one or none.
    #[error("{format} files hold one document, and the file has {documents}")]
    Documents {
        /// The format.
        format: FileFormat,
        /// How many there are.
        documents: usize,
    },
}

/// A whole file.
///
/// # Errors
/// What the format has no place for. As with the peer, JSON, dotenv and INI take the first of several
/// documents: see [`loses_documents`].
pub fn file(tree: &Tree, format: FileFormat, layout: &Layout) -> Result<Plaintext, EmitError> {
    let none = EmitError::Documents {
        format,
        documents: 0,
    };
    let first = tree.documents.first();
    let text = match format {
        FileFormat::Yaml => sops_yaml::file(tree, layout.yaml),
        FileFormat::Json => sops_json::file(first.ok_or(none)?, &layout.json)?,
        FileFormat::Dotenv => sops_dotenv::file(first.ok_or(none)?)?,
        FileFormat::Ini => sops_ini::file(first.ok_or(none)?)?,
        FileFormat::Binary => return binary(tree),
    };
    Ok(Plaintext::new(text.as_bytes().to_vec()))
}

/// All values as one JSON object on one line. Where documents have a key in common, the last one counts.
///
/// # Errors
/// What JSON has no place for.
pub fn object(tree: &Tree) -> Result<Plaintext, EmitError> {
    let items = tree.documents.iter().flat_map(|branch| &branch.items);
    let all = TreeValue::Map(Branch {
        items: items.cloned().collect(),
    });
    if !is_text(&all) {
        return Err(EmitError::NotText);
    }
    let text = sops_json::part(&all, &sops_json::Layout::compact())?;
    Ok(Plaintext::new(text.as_bytes().to_vec()))
}

fn is_text(value: &TreeValue) -> bool {
    match value {
        TreeValue::Null => true,
        TreeValue::Scalar(value) => std::str::from_utf8(value.plaintext().expose()).is_ok(),
        TreeValue::Map(branch) => branch.entries().all(|(_, value)| is_text(value)),
        TreeValue::List(items) => items.iter().all(|item| match item {
            ListItem::Comment(_) => true,
            ListItem::Value(value) => is_text(value),
        }),
    }
}

/// Whether documents of the tree would be lost in this format.
pub fn loses_documents(tree: &Tree, format: FileFormat) -> bool {
    format != FileFormat::Yaml && tree.documents.len() > 1
}

/// A part of a file, as `--extract` prints it: text as it is, a map as a file, other values as the
/// format writes them.
pub fn part(
    value: &TreeValue,
    format: FileFormat,
    layout: &Layout,
) -> Result<Plaintext, EmitError> {
    let text = match value {
        TreeValue::Scalar(value) if value.kind() == Kind::Str => {
            return Ok(value.plaintext().clone());
        }
        TreeValue::Map(branch) => {
            let documents = vec![branch.clone()];
            return file(&Tree { documents }, format, layout);
        }
        value => match format {
            FileFormat::Yaml => sops_yaml::part(value),
            FileFormat::Json => sops_json::part(value, &layout.json)?,
            FileFormat::Ini => sops_json::part(value, &sops_json::Layout::compact())?,
            FileFormat::Dotenv => return Err(EmitError::DotenvPart),
            FileFormat::Binary => return Err(EmitError::BinaryPart),
        },
    };
    Ok(Plaintext::new(text.as_bytes().to_vec()))
}

fn binary(tree: &Tree) -> Result<Plaintext, EmitError> {
    let [document] = tree.documents.as_slice() else {
        return Err(EmitError::Documents {
            format: FileFormat::Binary,
            documents: tree.documents.len(),
        });
    };
    data(document)
}

fn data(document: &Branch) -> Result<Plaintext, EmitError> {
    match document.get("data") {
        Some(TreeValue::Scalar(value)) if value.kind() == Kind::Str => {
            Ok(value.plaintext().clone())
        }
        Some(_) => Err(EmitError::DataNotText),
        None => Err(EmitError::NoData),
    }
}

#[cfg(test)]
mod tests;
