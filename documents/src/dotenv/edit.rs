//! Setting and removing one key, all else unchanged.

use zeroize::Zeroizing;

use super::{Dotenv, DotenvError, Line, LineKind, text};
use crate::splice::{self, Splice};

/// Why a key is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// The text is no dotenv file.
    #[error(transparent)]
    Dotenv(#[from] DotenvError),
    /// The key would be read as something else.
    #[error(
        "`{key}` cannot be a key of a dotenv file: it begins with `#`, or has a `=` or a line break"
    )]
    Key {
        /// The key.
        key: String,
    },
}

/// The file with a key that has this value: where the key stands first, or on a line of its own at
/// the end.
pub fn set(source: &str, key: &str, value: &str) -> Result<Zeroizing<String>, SetError> {
    if key.starts_with('#') || key.contains(['=', '\n']) {
        let key = key.to_owned();
        return Err(SetError::Key { key });
    }
    let parsed = Dotenv::parse(source)?;
    let value = text(value);
    let standing = parsed.lines().iter().find_map(|line| match &line.kind {
        LineKind::Entry { key: range, value } if source[range.clone()] == *key => Some(value),
        _ => None,
    });
    let splice = if let Some(range) = standing {
        Splice::new(range.clone(), value)
    } else {
        let line_break = if source.is_empty() || source.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        Splice::insert(source.len(), format!("{line_break}{key}={value}\n"))
    };
    Ok(applied(source, vec![splice]))
}

/// The file without a key; `None` if it has none of this name.
pub fn remove(source: &str, key: &str) -> Result<Option<Zeroizing<String>>, DotenvError> {
    let parsed = Dotenv::parse(source)?;
    let of_key = |line: &&Line| matches!(&line.kind, LineKind::Entry { key: range, .. } if source[range.clone()] == *key);
    let lines = parsed.lines().iter().filter(of_key);
    let whole = |line: &Line| line.range.start..source.len().min(line.range.end + 1);
    let splices: Vec<Splice> = lines.map(|line| Splice::delete(whole(line))).collect();
    Ok((!splices.is_empty()).then(|| applied(source, splices)))
}

/// The splices are of different lines, so none wants the bytes of another.
fn applied(source: &str, splices: Vec<Splice>) -> Zeroizing<String> {
    Zeroizing::new(splice::apply(source, splices).unwrap_or_else(|_| source.to_owned()))
}
