//! The values of a file as variables of an environment.

use signet_documents::emit::sops_text;
use signet_documents::sops::tree::{Tree, TreeValue};
use zeroize::Zeroizing;

use crate::Hint;

/// Variables, in the order of the file. Wiped from memory when dropped.
pub type Variables = Vec<(String, Zeroizing<String>)>;

/// Why a value is no variable. It is named and never shown.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariableError {
    /// A list or mapping.
    #[error("cannot use complex value in environment; offending key {0}")]
    Complex(String),
    /// A name that no environment can hold.
    #[error("cannot use keys with '=' in environment: {0}")]
    Name(String),
    /// The value has a zero byte in it.
    #[error("cannot use a value with a zero byte in environment; offending key {0}")]
    Zero(String),
}

impl Hint for VariableError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Complex(_) => Some(
                "keep variables in a file without lists and mappings, or pass the whole as a file \
                 (`exec-file`)"
                    .to_owned(),
            ),
            Self::Name(_) | Self::Zero(_) => None,
        }
    }
}

/// The values at the top of the first document.
pub fn variables(tree: &Tree) -> Result<Variables, VariableError> {
    let Some(document) = tree.documents.first() else {
        return Ok(Variables::new());
    };
    document
        .entries()
        .map(|(name, value)| variable(name, value))
        .collect()
}

fn variable(name: &str, value: &TreeValue) -> Result<(String, Zeroizing<String>), VariableError> {
    let text = sops_text::text(value).ok_or_else(|| VariableError::Complex(name.to_owned()))?;
    if name.contains(['=', '\0']) || name.is_empty() {
        return Err(VariableError::Name(name.to_owned()));
    }
    if text.contains('\0') {
        return Err(VariableError::Zero(name.to_owned()));
    }
    Ok((name.to_owned(), text))
}
