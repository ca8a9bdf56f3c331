//! Decoding that cannot fail: what has the wrong kind is left out and noted by its path.
//!
//! The notes name fields and the kind of value that was expected, never the value: someone who puts
//! a password in the wrong place must not find it in an event.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{SealedSecretSpec, SealedSecretStatus, SecretTemplate, TemplateMetadata};

/// A field whose value has the wrong kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Names of the fields on the way, from `spec` on.
    pub path: Vec<String>,
    /// What should be there, such as "text".
    pub expected: &'static str,
}

impl Unreadable {
    /// The item of `encryptedData` that this is about.
    pub fn item(&self) -> Option<&str> {
        match &self.path[..] {
            [spec, field, item] if spec == "spec" && field == "encryptedData" => Some(item),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for SealedSecretSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut reader = Reader::default();
        let mut fields = reader.fields(&["spec"], Some(Value::deserialize(deserializer)?));
        let spec = Self {
            encrypted_data: reader
                .texts(&["spec", "encryptedData"], fields.remove("encryptedData")),
            data: reader.text(&["spec", "data"], fields.remove("data")),
            template: reader.template(fields.remove("template")),
            unreadable: Vec::new(),
        };
        reader.unreadable.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self {
            unreadable: reader.unreadable,
            ..spec
        })
    }
}

/// A status that cannot be read is one that was never written: the next attempt writes it anew.
impl<'de> Deserialize<'de> for SealedSecretStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = match Value::deserialize(deserializer)? {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        Ok(Self {
            observed_generation: fields.remove("observedGeneration").and_then(|v| v.as_i64()),
            conditions: match fields.remove("conditions") {
                Some(Value::Array(conditions)) => conditions
                    .into_iter()
                    .filter_map(|c| serde_json::from_value(c).ok())
                    .collect(),
                _ => Vec::new(),
            },
            applied: fields
                .remove("applied")
                .and_then(|v| serde_json::from_value(v).ok()),
        })
    }
}

const TEXT: &str = "text; quote numbers and true or false";

#[derive(Default)]
struct Reader {
    unreadable: Vec<Unreadable>,
}

impl Reader {
    fn template(&mut self, value: Option<Value>) -> SecretTemplate {
        let path = ["spec", "template"];
        let mut fields = self.fields(&path, value);
        SecretTemplate {
            metadata: self.metadata(fields.remove("metadata")),
            type_: self.text(&["spec", "template", "type"], fields.remove("type")),
            immutable: self.boolean(
                &["spec", "template", "immutable"],
                fields.remove("immutable").as_ref(),
            ),
            data: self.template_data(fields.remove("data")),
            unknown: fields.into_iter().collect(),
        }
    }

    fn metadata(&mut self, value: Option<Value>) -> TemplateMetadata {
        let path = ["spec", "template", "metadata"];
        let mut fields = self.fields(&path, value);
        let under = |name| [path[0], path[1], path[2], name];
        TemplateMetadata {
            name: self.text(&under("name"), fields.remove("name")),
            namespace: self.text(&under("namespace"), fields.remove("namespace")),
            labels: self.texts(&under("labels"), fields.remove("labels")),
            annotations: self.texts(&under("annotations"), fields.remove("annotations")),
            finalizers: self.list(&under("finalizers"), fields.remove("finalizers")),
            unknown: fields.into_iter().collect(),
        }
    }

    fn template_data(&mut self, value: Option<Value>) -> BTreeMap<String, Option<String>> {
        let path = ["spec", "template", "data"];
        let mut data = BTreeMap::new();
        for (key, value) in self.fields(&path, value) {
            match value {
                Value::Null => drop(data.insert(key, None)),
                Value::String(text) => drop(data.insert(key, Some(text))),
                _ => self.note(&path, Some(key), TEXT),
            }
        }
        data
    }

    fn texts(&mut self, path: &[&str], value: Option<Value>) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for (key, value) in self.fields(path, value) {
            match value {
                Value::String(text) => drop(texts.insert(key, text)),
                _ => self.note(path, Some(key), TEXT),
            }
        }
        texts
    }

    fn list(&mut self, path: &[&str], value: Option<Value>) -> Vec<String> {
        match value.map(serde_json::from_value) {
            None => Vec::new(),
            Some(Ok(list)) => Option::unwrap_or_default(list),
            Some(Err(_)) => {
                self.note(path, None, "a list of texts");
                Vec::new()
            }
        }
    }

    fn fields(&mut self, path: &[&str], value: Option<Value>) -> Map<String, Value> {
        match value {
            Some(Value::Object(fields)) => fields,
            None | Some(Value::Null) => Map::new(),
            Some(_) => {
                self.note(path, None, "a mapping");
                Map::new()
            }
        }
    }

    fn text(&mut self, path: &[&str], value: Option<Value>) -> Option<String> {
        match value {
            Some(Value::String(text)) => Some(text),
            None | Some(Value::Null) => None,
            Some(_) => {
                self.note(path, None, TEXT);
                None
            }
        }
    }

    fn boolean(&mut self, path: &[&str], value: Option<&Value>) -> Option<bool> {
        match value {
            Some(Value::Bool(value)) => Some(*value),
            None | Some(Value::Null) => None,
            Some(_) => {
                self.note(path, None, "true or false");
                None
            }
        }
    }

    fn note(&mut self, path: &[&str], key: Option<String>, expected: &'static str) {
        let path = path.iter().map(ToString::to_string).chain(key).collect();
        self.unreadable.push(Unreadable { path, expected });
    }
}
