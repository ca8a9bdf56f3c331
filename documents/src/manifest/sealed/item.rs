//! The items of a `SealedSecret` in a file.

use serde_json::Value;

use super::ItemError;
use crate::{edit::Editor, splice::Splice, yaml::Node};

/// `apiVersion` of a `SealedSecret`.
pub const API_VERSION: &str = "bitnami.com/v1alpha1";
/// `kind` of a `SealedSecret`.
pub const KIND: &str = "SealedSecret";

const ENCRYPTED_DATA: &str = "encryptedData";

/// The items: key and base64 ciphertext, in order.
///
/// # Errors
/// The object is not a `SealedSecret`, or an item is not a string.
pub fn items(sealed: Node<'_>) -> Result<Vec<(&str, &str)>, ItemError> {
    check(sealed)?;
    let items = sealed.get("spec").and_then(|spec| spec.get(ENCRYPTED_DATA));
    items
        .into_iter()
        .flat_map(Node::entries)
        .map(|entry| {
            let key = entry.key.text().unwrap_or_default();
            match entry.value.as_str() {
                Some(ciphertext) => Ok((key, ciphertext)),
                None => Err(ItemError::NotAString {
                    at: entry.value.position(),
                    key: key.to_owned(),
                }),
            }
        })
        .collect()
}

/// Splices of the stream that set one item to a base64 ciphertext; `spec` and
/// `spec.encryptedData` are made if they are missing.
///
/// # Errors
/// The object is not a `SealedSecret`, or cannot be edited there.
pub fn set_item(sealed: Node<'_>, key: &str, ciphertext: &str) -> Result<Vec<Splice>, ItemError> {
    check(sealed)?;
    let mut editor = Editor::new(sealed.document());
    let path = ["spec", ENCRYPTED_DATA, key];
    editor.set(sealed, &path, &Value::from(ciphertext))?;
    Ok(editor.into_splices()?)
}

/// Splices of the stream that take one item out.
///
/// # Errors
/// The object is not a `SealedSecret`, has no such item, or cannot be edited there.
pub fn unset_item(sealed: Node<'_>, key: &str) -> Result<Vec<Splice>, ItemError> {
    if !items(sealed)?.iter().any(|(present, _)| *present == key) {
        return Err(ItemError::NoSuchItem {
            at: sealed.position(),
            key: key.to_owned(),
        });
    }
    let mut editor = Editor::new(sealed.document());
    editor.remove(sealed, &["spec", ENCRYPTED_DATA, key])?;
    Ok(editor.into_splices()?)
}

fn check(sealed: Node<'_>) -> Result<(), ItemError> {
    let text = |key| sealed.get(key).and_then(Node::as_str);
    let kind = text("kind");
    if kind == Some(KIND) && text("apiVersion") == Some(API_VERSION) {
        return Ok(());
    }
    Err(ItemError::NotASealedSecret {
        at: sealed.position(),
        kind: kind.unwrap_or("resource without a kind").to_owned(),
    })
}
