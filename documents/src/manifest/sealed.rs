//! `SealedSecret` manifests: made of a `Secret` manifest, and edited item by item.
//!
//! What a Secret becomes is what `kubeseal` makes of it: `data` and `stringData` go to
//! `spec.encryptedData`, name, namespace and scope stay outside, the rest of the metadata and the
//! type go to `spec.template`; what the API server sets, and what would tell the values
//! (`last-applied` annotations), is left out. Unlike there, the text is kept where it can be:
//! comments, key order, quotes, indentation. Comments are copied as they are, so a value that
//! somebody wrote into a comment stays readable.

mod error;
mod item;
mod layout;
mod secret;
mod segment;
mod shape;

use serde_json::Value;

pub use error::{ItemError, SealError, SecretError};
pub use item::{API_VERSION, KIND, items, set_item, unset_item};
pub use shape::{SealShape, Target};

use signet_keys::Plaintext;

use crate::{
    edit::Layout as Habits,
    emit, lines,
    splice::{self, Splice},
    yaml::{Document, Format, Node},
};

/// A Secret that became a `SealedSecret`.
#[derive(Debug)]
pub struct Sealed {
    /// The object: what a reader sees in the new text. Nothing in it is secret.
    pub value: Value,
    /// Where it is sealed for.
    pub target: Target,
    /// Whether comments and order were kept. They are not if the Secret is written with anchors or
    /// aliases, or in flow style.
    pub layout_kept: bool,
    /// The new text in the place of the object's.
    pub splice: Splice,
}

/// Seals one Secret: a document, or an item of a list. `encrypt` is given where the Secret belongs,
/// the key of an item, and its value, and returns the item in base64.
///
/// # Errors
/// What is wrong with the Secret, or the error of `encrypt` with the key it was called for.
pub fn seal<E>(
    secret: Node<'_>,
    shape: &SealShape<'_>,
    mut encrypt: impl FnMut(&Target, &str, &Plaintext) -> Result<String, E>,
) -> Result<Sealed, SealError<E>> {
    let parts = secret::read(secret)?;
    let target = shape.target(&parts)?;
    let mut ciphertexts = Vec::with_capacity(parts.items.len());
    for item in &parts.items {
        let ciphertext = encrypt(&target, &item.key, &item.value);
        let ciphertext = ciphertext.map_err(|source| SealError::Encrypt {
            key: item.key.clone(),
            source,
        })?;
        ciphertexts.push((item.key.clone(), ciphertext));
    }
    let value = shape::sealed_secret(&parts, shape, &target, &ciphertexts);
    let kept = layout::sealed(secret, &value).filter(|splice| layout::says(secret, splice, &value));
    Ok(Sealed {
        layout_kept: kept.is_some(),
        splice: kept.unwrap_or_else(|| rewritten(secret, &value)),
        value,
        target,
    })
}

/// Seals a document that is one Secret: the text of [`Document::range`] with the Secret replaced.
///
/// # Errors
/// As [`seal`].
pub fn seal_document<E>(
    document: &Document,
    shape: &SealShape<'_>,
    encrypt: impl FnMut(&Target, &str, &Plaintext) -> Result<String, E>,
) -> Result<String, SealError<E>> {
    let root = document.root().ok_or(SecretError::NotAnObject {
        at: document.position(document.range().start),
    })?;
    let sealed = seal(root, shape, encrypt)?;
    let range = document.range();
    let text = document.text();
    let splice = Splice::new(
        sealed.splice.range.start - range.start..sealed.splice.range.end - range.start,
        sealed.splice.text,
    );
    // One splice inside of the document cannot overlap.
    Ok(splice::apply(text, vec![splice]).unwrap_or_default())
}

/// The object written anew where the old one stands.
fn rewritten(node: Node<'_>, value: &Value) -> Splice {
    let source = node.document().source();
    let start = node.full_range().start;
    let json = || {
        indented(
            node,
            &emit::kubernetes_json(value),
            lines::indent(source, start),
        )
    };
    if node.document().format() == Format::Json || node.is_in_flow() {
        return json();
    }
    let column = lines::column(source, node.range().start);
    let yaml = indented(node, &emit::kubernetes_yaml(value), column);
    // Kubernetes writes some line breaks as YAML 1.1 has them and 1.2 has not.
    if layout::says(node, &yaml, value) {
        yaml
    } else {
        json()
    }
}

fn indented(node: Node<'_>, text: &str, indent: usize) -> Splice {
    let line_break = Habits::of(node.document()).line_break;
    let separator = format!("{line_break}{:indent$}", "");
    Splice::new(node.full_range(), text.trim_end().replace('\n', &separator))
}

#[cfg(test)]
mod tests;
