//! Settings of a backend: the object `PushSecretMetadata` of an entry.

use serde_json::Value;

const API_VERSION: &str = "kubernetes.external-secrets.io/v1alpha1";
const KIND: &str = "PushSecretMetadata";

/// Why settings are none. They are not shown, as they may hold anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// Another kind of object.
    #[error("it must be of apiVersion {API_VERSION} and kind {KIND}")]
    Kind,
    /// A field that is none.
    #[error("it has the unknown field `{0}`; apiVersion, kind and spec are known")]
    Field(String),
}

/// The settings; null if there are none.
pub(super) fn read(metadata: Option<&Value>) -> Result<Value, OptionsError> {
    let Some(metadata) = metadata.filter(|metadata| !metadata.is_null()) else {
        return Ok(Value::Null);
    };
    if metadata["apiVersion"] != API_VERSION || metadata["kind"] != KIND {
        return Err(OptionsError::Kind);
    }
    let fields = metadata.as_object().into_iter().flatten();
    let known = ["apiVersion", "kind", "spec"];
    if let Some((unknown, _)) = fields
        .into_iter()
        .find(|(name, _)| !known.contains(&&***name))
    {
        return Err(OptionsError::Field(unknown.clone()));
    }
    Ok(metadata["spec"].clone())
}
