//! The `SealedSecret` as `kubeseal` builds and prints it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use signet_crds::constants::annotation;
use signet_documents::manifest::Resource;
use signet_documents::value::{ConvertError, to_json};
use signet_keys::sealed::Scope;

use crate::Hint;
use crate::manifest::{Manifest, Place};

use super::arrange::{ShapeError, Unknown, arrange};
use super::schema::SEALED_SECRET;

/// A `SealedSecret`, its fields in the peer's order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sealed(Map<String, Value>);

/// Why a document is no `SealedSecret`.
#[derive(Debug, thiserror::Error)]
pub(super) enum SealedError {
    /// It has no JSON form.
    #[error("{0}")]
    Convert(ConvertError),
    /// It is another kind of object.
    #[error("{place} is {kind}, not a SealedSecret")]
    Kind { place: Place, kind: String },
    /// A field is not what it must be.
    #[error("{place}: {source}")]
    Shape { place: Place, source: ShapeError },
}

impl Hint for SealedError {}

impl Sealed {
    /// A new one, not arranged yet. `metadata` is the Secret's, cleaned.
    pub(super) fn new(
        metadata: &Map<String, Value>,
        type_: &str,
        immutable: Option<bool>,
        items: &BTreeMap<String, String>,
    ) -> Self {
        let scope = scope_of(metadata);
        let mut outer = Map::new();
        for field in ["name", "namespace"] {
            if let Some(value) = metadata.get(field) {
                outer.insert(field.to_owned(), value.clone());
            }
        }
        if let Some(name) = scope.annotation() {
            outer.insert("annotations".to_owned(), json!({ name: "true" }));
        }
        let mut fields = Map::new();
        fields.insert("kind".to_owned(), KIND.into());
        fields.insert("apiVersion".to_owned(), API_VERSION.into());
        fields.insert("metadata".to_owned(), outer.into());
        let spec = json!({
            "template": { "metadata": metadata, "type": type_, "immutable": immutable },
            "encryptedData": items,
        });
        fields.insert("spec".to_owned(), spec);
        Self(fields)
    }

    /// Reads one of a file. Fields that nobody knows are kept.
    pub(super) fn read(manifest: &Manifest, resource: &Resource<'_>) -> Result<Self, SealedError> {
        let value = to_json(resource.node).map_err(SealedError::Convert)?;
        let place = || manifest.place(resource);
        if !resource.is(API_VERSION, KIND) {
            let kind = match (resource.kind(), resource.api_version()) {
                (Some(kind), Some(version)) if kind == KIND => format!("a {kind} of {version}"),
                (Some(kind), _) if kind != KIND => format!("a {kind}"),
                _ => "without kind or apiVersion".to_owned(),
            };
            return Err(SealedError::Kind {
                place: place(),
                kind,
            });
        }
        let fields =
            arrange(&value, SEALED_SECRET, Unknown::Keep).map_err(|source| SealedError::Shape {
                place: place(),
                source,
            })?;
        Ok(Self(fields))
    }

    /// As JSON, to print or to send.
    pub(super) fn to_value(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// `metadata.name`
    pub(super) fn name(&self) -> &str {
        self.metadata_text("name")
    }

    /// `metadata.namespace`
    pub(super) fn namespace(&self) -> &str {
        self.metadata_text("namespace")
    }

    fn metadata_text(&self, field: &str) -> &str {
        let text = self.value(&["metadata", field]).and_then(Value::as_str);
        text.unwrap_or_default()
    }

    /// The scope under which the cluster opens it: that of the outer annotations.
    pub(super) fn scope(&self) -> Scope {
        let metadata = self.value(&["metadata"]).and_then(Value::as_object);
        metadata.map_or(Scope::Strict, scope_of)
    }

    /// The entries of the mapping at a path; none when there is no mapping.
    pub(super) fn entries(&self, path: &[&str]) -> impl Iterator<Item = (&String, &Value)> {
        let mapping = self.value(path).and_then(Value::as_object);
        mapping.into_iter().flatten()
    }

    /// The value at a path.
    pub(super) fn value(&self, path: &[&str]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        let value = self.0.get(*first)?;
        rest.iter().try_fold(value, |value, key| value.get(key))
    }

    /// Whether it has the deprecated form, one ciphertext for the whole Secret.
    pub(super) fn is_deprecated_form(&self) -> bool {
        self.value(&["spec", "data"]).is_some_and(Value::is_string)
    }

    /// Sets the value at a path; mappings that are missing on the way are made.
    pub(super) fn set(&mut self, path: &[&str], value: Value) {
        let mut at = &mut self.0;
        let Some((last, way)) = path.split_last() else {
            return;
        };
        for key in way {
            let next = at.entry(*key).or_insert_with(|| Value::Object(Map::new()));
            if !next.is_object() {
                *next = Value::Object(Map::new());
            }
            let Value::Object(map) = next else { return };
            at = map;
        }
        at.insert((*last).to_owned(), value);
    }

    /// The same as read back from its own text: maps sorted, fields in order.
    pub(super) fn arranged(&self) -> Result<Self, ShapeError> {
        arrange(&self.to_value(), SEALED_SECRET, Unknown::Keep).map(Self)
    }

    /// Without what the API server writes into it.
    pub(super) fn without_server_fields(mut self) -> Self {
        if let Some(Value::Object(metadata)) = self.0.get_mut("metadata") {
            for field in ["generation", "creationTimestamp", "deletionTimestamp"] {
                metadata.shift_remove(field);
            }
        }
        self.0.shift_remove("status");
        self
    }
}

/// Path of all but the metadata.
pub(super) const SPEC: &[&str] = &["spec"];
/// Path of the sealed items.
pub(super) const ITEMS: &[&str] = &["spec", "encryptedData"];
/// Path of the template's metadata.
pub(super) const TEMPLATE_METADATA: &[&str] = &["spec", "template", "metadata"];
/// Path of the template's labels.
pub(super) const TEMPLATE_LABELS: &[&str] = &["spec", "template", "metadata", "labels"];
/// Path of the template's annotations.
pub(super) const TEMPLATE_ANNOTATIONS: &[&str] = &["spec", "template", "metadata", "annotations"];

const KIND: &str = "SealedSecret";
const API_VERSION: &str = "bitnami.com/v1alpha1";

/// The scope that annotations ask for.
pub(super) fn scope_of(metadata: &Map<String, Value>) -> Scope {
    let annotations = metadata
        .get("annotations")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect();
    Scope::from_annotations(&annotations)
}

/// Makes the annotations ask for this scope and no other.
pub(super) fn set_scope(metadata: &mut Map<String, Value>, scope: Scope) {
    let mut annotations: BTreeMap<String, Value> = metadata
        .get("annotations")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    annotations.remove(annotation::CLUSTER_WIDE);
    annotations.remove(annotation::NAMESPACE_WIDE);
    if let Some(name) = scope.annotation() {
        annotations.insert(name.to_owned(), "true".into());
    }
    replace_annotations(metadata, annotations);
}

/// Puts annotations in their place among the fields of the metadata; none when they are empty.
pub(super) fn replace_annotations(
    metadata: &mut Map<String, Value>,
    annotations: BTreeMap<String, Value>,
) {
    if annotations.is_empty() {
        metadata.shift_remove("annotations");
    } else {
        // A new field would come last; `arrange` brings it to its place before it is printed.
        metadata.insert(
            "annotations".to_owned(),
            Value::Object(annotations.into_iter().collect()),
        );
    }
}
