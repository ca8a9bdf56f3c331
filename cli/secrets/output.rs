//! Which bytes come out: in the file's own layout, or laid out anew.

use signet_documents::emit::sops::{self as emit, EmitError};
use signet_documents::emit::{sops_json, sops_yaml};
use signet_documents::sops::tree::{PathPart, Tree, TreeValue};
use signet_documents::sops::{DecryptError, Decrypted, File, FileFormat, ReadError, WriteError};
use signet_keys::Plaintext;

use crate::Hint;

/// How output is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// As the input is, unless the format changes.
    #[default]
    Kept,
    /// As `sops` does it.
    Sops {
        /// Spaces for each level, if not the usual ones.
        indent: Option<i64>,
    },
}

/// Why something cannot be written out.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The format has no place for it.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The path leads nowhere.
    #[error("{0}")]
    Path(PathFailure),
    /// What was written cannot be read again.
    #[error("the output cannot be read back: {0}")]
    ReadBack(#[from] ReadError),
    /// The metadata cannot be read again.
    #[error("the output cannot be read back: {0}")]
    Metadata(#[from] DecryptError),
    /// The metadata cannot be put in.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Hint for OutputError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Emit(_) => Some("choose another format with `--output-type`".to_owned()),
            Self::Path(_) | Self::ReadBack(_) | Self::Metadata(_) => None,
            Self::Write(error) => error.hint().map(str::to_owned),
        }
    }
}

/// Where a path stops.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFailure {
    /// A list or map has no such part.
    #[error("component {0} not found")]
    Missing(String),
    /// A list is shorter.
    #[error("component [{0}] accesses out of bounds")]
    OutOfBounds(usize),
    /// A key of a list, an item of a map, or a part of a single value.
    #[error("component {part} does not lead into {what}")]
    WrongKind {
        /// The part.
        part: String,
        /// What it stands on.
        what: &'static str,
    },
    /// A file without documents.
    #[error("the file has no document")]
    NoDocument,
}

impl Layout {
    fn of_emitter(self) -> emit::Layout {
        let Self::Sops {
            indent: Some(indent),
        } = self
        else {
            return emit::Layout::default();
        };
        let spaces = usize::try_from(indent);
        emit::Layout {
            yaml: sops_yaml::Layout::with_indent(spaces.unwrap_or(0)),
            // A negative number stands for a tab.
            json: spaces.map_or_else(
                |_| sops_json::Layout::default(),
                sops_json::Layout::with_spaces,
            ),
        }
    }
}

/// Whether a decrypted file is given out as it is in its own text.
pub fn is_own_text(from: FileFormat, to: FileFormat, layout: Layout) -> bool {
    from == to && layout == Layout::Kept
}

/// A decrypted file in a format and layout.
pub fn decrypted(
    decrypted: Decrypted,
    from: FileFormat,
    to: FileFormat,
    layout: Layout,
) -> Result<Plaintext, OutputError> {
    if is_own_text(from, to, layout) {
        return Ok(decrypted.text);
    }
    Ok(emit::file(&decrypted.tree, to, &layout.of_emitter())?)
}

/// A file in the clear in a format and layout.
pub fn plain(tree: &Tree, to: FileFormat, layout: Layout) -> Result<Plaintext, OutputError> {
    Ok(emit::file(tree, to, &layout.of_emitter())?)
}

/// An encrypted file in a format and layout.
pub fn encrypted(
    bytes: Vec<u8>,
    from: FileFormat,
    to: FileFormat,
    layout: Layout,
) -> Result<Vec<u8>, OutputError> {
    // Binary files are JSON once they are encrypted.
    if from == to && layout == Layout::Kept {
        return Ok(bytes);
    }
    let file = File::parse(from, &bytes)?;
    let Some(metadata) = file.metadata()? else {
        return Ok(bytes);
    };
    let stored = |format| match format {
        FileFormat::Binary => FileFormat::Json,
        other => other,
    };
    let text = emit::file(&file.tree()?, stored(to), &layout.of_emitter())?;
    Ok(File::parse(stored(to), text.expose())?.with_metadata(&metadata)?)
}

/// One part of the first document.
pub fn part(
    tree: &Tree,
    path: &[PathPart],
    format: FileFormat,
    layout: Layout,
) -> Result<Plaintext, OutputError> {
    let document = tree
        .documents
        .first()
        .ok_or(OutputError::Path(PathFailure::NoDocument))?;
    let Some((first, rest)) = path.split_first() else {
        return plain(tree, format, layout);
    };
    let PathPart::Key(key) = first else {
        return Err(OutputError::Path(wrong_kind(first, "a mapping")));
    };
    let mut value = document
        .get(key)
        .ok_or_else(|| OutputError::Path(missing(key)))?;
    for part in rest {
        value = step(value, part).map_err(OutputError::Path)?;
    }
    Ok(emit::part(value, format, &layout.of_emitter())?)
}

fn step<'t>(value: &'t TreeValue, part: &PathPart) -> Result<&'t TreeValue, PathFailure> {
    use signet_documents::sops::tree::ListItem;
    match (value, part) {
        (TreeValue::Map(branch), PathPart::Key(key)) => branch.get(key).ok_or_else(|| missing(key)),
        (TreeValue::List(items), PathPart::Index(index)) => match items.get(*index) {
            Some(ListItem::Value(value)) => Ok(value),
            Some(ListItem::Comment(_)) => Err(wrong_kind(part, "a comment")),
            None => Err(PathFailure::OutOfBounds(*index)),
        },
        (TreeValue::Map(_), PathPart::Index(_)) => Err(wrong_kind(part, "a mapping")),
        (TreeValue::List(_), PathPart::Key(_)) => Err(wrong_kind(part, "a list")),
        (TreeValue::Null | TreeValue::Scalar(_), _) => Err(wrong_kind(part, "a single value")),
    }
}

fn missing(key: &str) -> PathFailure {
    PathFailure::Missing(format!("['{key}']"))
}

fn wrong_kind(part: &PathPart, what: &'static str) -> PathFailure {
    PathFailure::WrongKind {
        part: part.to_string(),
        what,
    }
}
