//! Keys and values from YAML.

use std::collections::BTreeMap;

use serde_json::Value;
use signet_documents::value;
use signet_documents::yaml::{Document, Stream};
use signet_keys::Plaintext;

/// Why a text is not keys and values. The text may be secret, so that not even its parser says more than
/// where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    /// It is not text.
    #[error("it gives what is not text")]
    NotText,
    /// It is not YAML.
    #[error("it gives no valid YAML; quote values with `toJson` or `quote`")]
    NotYaml,
    /// It is several documents, a list or a text.
    #[error("it gives no YAML mapping")]
    NotAMapping,
    /// A value is itself a list or a mapping.
    #[error("the value of `{0}` is not a text; write it with `toJson | quote` or as a block")]
    Nested(String),
}

/// Reads a mapping of texts. Numbers and truth values are texts too, and numbers keep theirs.
pub(super) fn read(rendered: &Plaintext) -> Result<BTreeMap<String, Plaintext>, MappingError> {
    let text = std::str::from_utf8(rendered.expose()).map_err(|_| MappingError::NotText)?;
    let stream = Stream::parse(text).map_err(|_| MappingError::NotYaml)?;
    let mut roots = stream.documents().iter().filter_map(Document::root);
    let Some(root) = roots.next() else {
        return Ok(BTreeMap::new());
    };
    if roots.next().is_some() {
        return Err(MappingError::NotAMapping);
    }
    let mapping = match value::to_json(root).map_err(|_| MappingError::NotYaml)? {
        Value::Object(mapping) => mapping,
        Value::Null => return Ok(BTreeMap::new()),
        _ => return Err(MappingError::NotAMapping),
    };
    let mut out = BTreeMap::new();
    for (key, value) in mapping {
        let text = match value {
            Value::String(text) => text,
            Value::Bool(value) => value.to_string(),
            Value::Null => String::new(),
            Value::Number(number) => {
                let node = root.get(&key).and_then(|node| node.resolved().text());
                node.map_or_else(|| number.to_string(), str::to_owned)
            }
            Value::Array(_) | Value::Object(_) => return Err(MappingError::Nested(key)),
        };
        out.insert(key, Plaintext::new(text.into_bytes()));
    }
    Ok(out)
}
