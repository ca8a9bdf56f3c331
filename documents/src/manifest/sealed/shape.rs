//! What a `SealedSecret` looks like, apart from its text.

use serde_json::{Map, Value, json};
use signet_keys::sealed::Scope;

use super::{API_VERSION, KIND, SecretError, secret::Parts};

/// What the caller decides about the result. The default takes all from the manifest.
#[derive(Clone, Copy, Debug, Default)]
pub struct SealShape<'a> {
    /// The name that the result gets, instead of the one of the manifest.
    pub name: Option<&'a str>,
    /// The namespace that the result gets, instead of the one of the manifest.
    pub namespace: Option<&'a str>,
    /// The scope that the result gets, instead of what the annotations of the manifest say.
    pub scope: Option<Scope>,
    /// Whether a Secret without items is in order.
    pub allow_empty: bool,
}

/// Where a Secret is sealed for: what goes into the label of each item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Name of the Secret.
    pub name: String,
    /// Its namespace, if it is known.
    pub namespace: Option<String>,
    /// Its scope.
    pub scope: Scope,
}

impl SealShape<'_> {
    pub(super) fn target(&self, parts: &Parts) -> Result<Target, SecretError> {
        let given = |given: Option<&str>, own: &Option<String>| {
            given
                .map(str::to_owned)
                .or_else(|| own.clone())
                .filter(|text| !text.is_empty())
        };
        if parts.items.is_empty() && !self.allow_empty {
            return Err(SecretError::Empty { at: parts.at });
        }
        Ok(Target {
            name: given(self.name, &parts.name).ok_or(SecretError::MissingName { at: parts.at })?,
            namespace: given(self.namespace, &parts.namespace),
            scope: self
                .scope
                .unwrap_or_else(|| Scope::from_annotations(&parts.annotations)),
        })
    }
}

/// The object, its keys in the order in which they are written.
pub(super) fn sealed_secret(
    parts: &Parts,
    shape: &SealShape<'_>,
    target: &Target,
    ciphertexts: &[(String, String)],
) -> Value {
    let mut outer = identity(target);
    if let Some(annotation) = target.scope.annotation() {
        outer.insert("annotations".to_owned(), json!({ annotation: "true" }));
    }
    let items: Map<String, Value> = ciphertexts
        .iter()
        .map(|(key, ciphertext)| (key.clone(), Value::from(ciphertext.as_str())))
        .collect();
    json!({
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": outer,
        "spec": {
            "encryptedData": items,
            "template": template(parts, shape, target),
        },
    })
}

fn template(parts: &Parts, shape: &SealShape<'_>, target: &Target) -> Value {
    let mut metadata = parts.metadata.clone();
    if let Some(scope) = shape.scope {
        scope_annotations(&mut metadata, scope);
    }
    metadata.extend(identity(target));
    let mut template = Map::new();
    template.insert("metadata".to_owned(), Value::Object(metadata));
    if let Some(kind) = parts.kind.as_deref().filter(|kind| !kind.is_empty()) {
        template.insert("type".to_owned(), kind.into());
    }
    if let Some(immutable) = parts.immutable {
        template.insert("immutable".to_owned(), immutable.into());
    }
    Value::Object(template)
}

/// A scope that the caller gives replaces what the annotations of the manifest say; they stay in the
/// template, as `kubeseal` leaves them there.
fn scope_annotations(metadata: &mut Map<String, Value>, scope: Scope) {
    let annotations = metadata
        .entry("annotations")
        .or_insert_with(|| Value::Object(Map::new()));
    let Value::Object(annotations) = annotations else {
        return;
    };
    for each in [Scope::ClusterWide, Scope::NamespaceWide] {
        match each.annotation() {
            Some(annotation) if each == scope => {
                annotations.insert(annotation.to_owned(), "true".into());
            }
            Some(annotation) => {
                annotations.shift_remove(annotation);
            }
            None => {}
        }
    }
    if annotations.is_empty() {
        metadata.shift_remove("annotations");
    }
}

fn identity(target: &Target) -> Map<String, Value> {
    let mut identity = Map::new();
    identity.insert("name".to_owned(), target.name.as_str().into());
    if let Some(namespace) = &target.namespace {
        identity.insert("namespace".to_owned(), namespace.as_str().into());
    }
    identity
}
