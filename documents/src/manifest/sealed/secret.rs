//! A Secret manifest, read as strictly as the API server would.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use super::SecretError;
use crate::{
    Position,
    value::{key_name, to_json},
    yaml::Node,
};

/// Metadata that goes into the template, beside name and namespace. All else is set by the API
/// server, or belongs to the object that the Secret was copied from.
const KEPT_METADATA: [&str; 4] = ["generateName", "labels", "annotations", "finalizers"];

/// Annotations that repeat the whole Secret, values included.
const LAST_APPLIED: [&str; 2] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    "kubecfg.ksonnet.io/last-applied-configuration",
];

/// What matters of a Secret.
pub(super) struct Parts {
    pub(super) at: Position,
    pub(super) name: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) annotations: BTreeMap<String, String>,
    /// What goes into `spec.template.metadata` beside name and namespace.
    pub(super) metadata: Map<String, Value>,
    pub(super) kind: Option<String>,
    pub(super) immutable: Option<bool>,
    /// In order of first appearance.
    pub(super) items: Vec<Item>,
}

pub(super) struct Item {
    pub(super) key: String,
    pub(super) value: Plaintext,
}

pub(super) fn read(secret: Node<'_>) -> Result<Parts, SecretError> {
    let at = secret.position();
    if !secret.is_mapping() {
        return Err(SecretError::NotAnObject { at });
    }
    check_kind(secret)?;
    let mut object = match to_json(secret)? {
        Value::Object(object) => Object { secret, object },
        _ => return Err(SecretError::NotAnObject { at }),
    };
    let mut metadata = object.take_mapping("metadata")?;
    let name = object.string(&["metadata", "name"], metadata.shift_remove("name"))?;
    let namespace = metadata.shift_remove("namespace");
    let namespace = object.string(&["metadata", "namespace"], namespace)?;
    metadata.retain(|key, value| keeps_metadata(key) && !value.is_null());
    let mut annotations = BTreeMap::new();
    for field in ["labels", "annotations"] {
        let path = ["metadata", field];
        let entries = object.mapping(&path, metadata.shift_remove(field))?;
        let mut strings = object.strings(&path, entries)?;
        strings.retain(|(key, _)| !is_last_applied(key));
        if field == "annotations" {
            annotations.extend(strings.iter().cloned());
        }
        if !strings.is_empty() {
            let entries = strings.into_iter().map(|(key, text)| (key, text.into()));
            metadata.insert(field.to_owned(), Value::Object(entries.collect()));
        }
    }
    let kind = object.object.shift_remove("type");
    let kind = object.string(&["type"], kind)?;
    Ok(Parts {
        at,
        name,
        namespace,
        annotations,
        metadata,
        kind,
        immutable: object.immutable()?,
        items: object.items()?,
    })
}

fn check_kind(secret: Node<'_>) -> Result<(), SecretError> {
    let text = |key| secret.get(key).and_then(Node::as_str);
    let kind = text("kind");
    if kind == Some("Secret") && text("apiVersion").is_none_or(|version| version == "v1") {
        return Ok(());
    }
    Err(SecretError::NotASecret {
        at: secret.position(),
        kind: kind.unwrap_or("resource without a kind").to_owned(),
    })
}

/// The JSON of a Secret beside the nodes that say where things stand.
struct Object<'a> {
    secret: Node<'a>,
    object: Map<String, Value>,
}

impl Object<'_> {
    fn immutable(&self) -> Result<Option<bool>, SecretError> {
        match self.object.get("immutable") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(immutable)) => Ok(Some(*immutable)),
            Some(_) => Err(SecretError::NotABoolean {
                at: self.position(&["immutable"]),
                field: "immutable".to_owned(),
            }),
        }
    }

    fn items(&mut self) -> Result<Vec<Item>, SecretError> {
        let mut items: Vec<Item> = Vec::new();
        for (key, value) in self.take_mapping("data")? {
            let path = ["data", key.as_str()];
            let text = match value {
                Value::Null => Zeroizing::default(),
                Value::String(text) => Zeroizing::new(text),
                other => return Err(self.not_a_string(&path, &other)),
            };
            let bytes = signet_keys::sealed::decode(&text).map_err(|_| SecretError::NotBase64 {
                at: self.position(&path),
                key: key.clone(),
            })?;
            let value = Plaintext::new(bytes);
            items.push(Item { key, value });
        }
        let entries = self.take_mapping("stringData")?;
        for (key, text) in self.strings(&["stringData"], entries)? {
            let value = Plaintext::new(text.into_bytes());
            match items.iter_mut().find(|item| item.key == key) {
                Some(item) => item.value = value,
                None => items.push(Item { key, value }),
            }
        }
        Ok(items)
    }

    /// A mapping of the object, or an empty one if there is none.
    fn take_mapping(&mut self, field: &str) -> Result<Map<String, Value>, SecretError> {
        let value = self.object.shift_remove(field);
        self.mapping(&[field], value)
    }

    fn mapping(
        &self,
        path: &[&str],
        value: Option<Value>,
    ) -> Result<Map<String, Value>, SecretError> {
        match value {
            None | Some(Value::Null) => Ok(Map::new()),
            Some(Value::Object(entries)) => Ok(entries),
            Some(_) => Err(SecretError::NotAMapping {
                at: self.position(path),
                field: path.join("."),
            }),
        }
    }

    /// The entries of a mapping, all strings.
    fn strings(
        &self,
        path: &[&str],
        entries: Map<String, Value>,
    ) -> Result<Vec<(String, String)>, SecretError> {
        entries
            .into_iter()
            .map(|(key, value)| {
                let path = [path, &[key.as_str()]].concat();
                let text = self.string(&path, Some(value))?.unwrap_or_default();
                Ok((key, text))
            })
            .collect()
    }

    /// A string. Numbers and booleans are taken, as by `kubeseal`, if they are read as they are
    /// written: `5432`, but not `007`, `1.50` or `yes`, which would silently become others.
    fn string(&self, path: &[&str], value: Option<Value>) -> Result<Option<String>, SecretError> {
        let written = || node_at(self.secret, path).and_then(Node::text);
        match value {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other @ (Value::Bool(_) | Value::Number(_)))
                if written() == Some(other.to_string().as_str()) =>
            {
                Ok(Some(other.to_string()))
            }
            Some(other) => Err(self.not_a_string(path, &other)),
        }
    }

    fn not_a_string(&self, path: &[&str], found: &Value) -> SecretError {
        SecretError::NotAString {
            at: self.position(path),
            field: path.join("."),
            found: name_of(found),
        }
    }

    fn position(&self, path: &[&str]) -> Position {
        node_at(self.secret, path).unwrap_or(self.secret).position()
    }
}

fn node_at<'a>(node: Node<'a>, path: &[&str]) -> Option<Node<'a>> {
    path.iter().try_fold(node, |node, key| {
        let named = |key: &str| {
            node.entries()
                .find(|entry| key_name(entry.key).as_deref() == Some(key))
                .map(|entry| entry.value)
        };
        node.get(key).or_else(|| named(key))
    })
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// Whether an entry of a Secret's metadata is kept in the template.
pub(super) fn keeps_metadata(key: &str) -> bool {
    KEPT_METADATA.contains(&key)
}

/// Whether an annotation repeats the Secret.
pub(super) fn is_last_applied(key: &str) -> bool {
    LAST_APPLIED.contains(&key)
}
