//! dotenv in the layout of `sops`: a line for each key or comment, no empty lines.

use zeroize::Zeroizing;

use super::sops_text::{text, text_of};
use crate::dotenv;
use crate::sops::tree::{Branch, TreeItem};

/// A value is a list or map, for which a dotenv file has no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot use complex value in dotenv file; offending key {key}")]
pub struct Complex {
    /// The key.
    pub key: String,
}

/// A file.
pub fn file(branch: &Branch) -> Result<Zeroizing<String>, Complex> {
    let mut out = Zeroizing::new(String::new());
    for item in &branch.items {
        match item {
            TreeItem::Comment(comment) => {
                out.push('#');
                out.push_str(text_of(&comment.text));
            }
            TreeItem::Entry { key, value } => {
                let text = text(value).ok_or_else(|| Complex { key: key.clone() })?;
                out.push_str(key);
                out.push('=');
                out.push_str(&dotenv::text(&text));
            }
        }
        out.push('\n');
    }
    Ok(out)
}
