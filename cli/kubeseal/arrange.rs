//! Reads a value by a schema: checks it, and puts it in the form and order in which `kubeseal`
//! prints it.
//!
//! Names of fields match in any case, as for Go's decoder. Nulls are as good as absent.

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use serde_json::{Map, Value};
use signet_documents::emit::kubernetes_yaml;

use super::schema::{Field, Omit, Shape};

/// What becomes of fields that the schema does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// They are left out.
    Drop,
    /// They come last.
    Keep,
}

/// A value that is not of its shape. It is named by its path and never shown.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} must be {expected}, not {found}")]
pub(super) struct ShapeError {
    path: String,
    expected: &'static str,
    found: &'static str,
}

/// Reads a structure.
pub(super) fn arrange(
    value: &Value,
    fields: &[Field],
    unknown: Unknown,
) -> Result<Map<String, Value>, ShapeError> {
    Arranger { unknown }.structure(value, fields, "the document")
}

struct Arranger {
    unknown: Unknown,
}

impl Arranger {
    fn structure(
        &self,
        value: &Value,
        fields: &[Field],
        path: &str,
    ) -> Result<Map<String, Value>, ShapeError> {
        let empty = Map::new();
        let map = match value {
            Value::Null => &empty,
            Value::Object(map) => map,
            other => return Err(mismatch(path, "a mapping", other)),
        };
        let mut arranged = Map::new();
        for field in fields {
            let given = find(map, field.name).unwrap_or(&Value::Null);
            let path = join(path, field.name);
            let value = self.value(given, &field.shape, &path)?;
            let left_out = match field.omit {
                Omit::Empty => is_empty(&value),
                Omit::Absent => given.is_null(),
                Omit::Never => false,
            };
            if !left_out {
                arranged.insert(field.name.to_owned(), value);
            }
        }
        if self.unknown == Unknown::Keep {
            let known = |name: &str| {
                fields
                    .iter()
                    .any(|field| field.name.eq_ignore_ascii_case(name))
            };
            for (name, value) in map.iter().filter(|(name, _)| !known(name)) {
                arranged.insert(name.clone(), value.clone());
            }
        }
        Ok(arranged)
    }

    fn value(&self, value: &Value, shape: &Shape, path: &str) -> Result<Value, ShapeError> {
        match shape {
            Shape::Any => Ok(value.clone()),
            Shape::TextOrNull if value.is_null() => Ok(Value::Null),
            Shape::Text | Shape::TextOrNull => text(value, path).map(Value::String),
            Shape::Base64 => match value {
                Value::Null => Ok(Value::String(String::new())),
                Value::String(_) => Ok(value.clone()),
                other => Err(mismatch(path, "text in base64", other)),
            },
            Shape::Integer => match value {
                Value::Null => Ok(Value::from(0)),
                Value::Number(number) if number.is_i64() => Ok(value.clone()),
                other => Err(mismatch(path, "a whole number", other)),
            },
            Shape::Boolean => match value {
                Value::Null | Value::Bool(_) => Ok(value.clone()),
                other => Err(mismatch(path, "true or false", other)),
            },
            Shape::Time => time(value, path),
            Shape::Struct(fields) => self.structure(value, fields, path).map(Value::Object),
            Shape::Map(shape) => self.map(value, shape, path),
            Shape::List(shape) => match value {
                Value::Null => Ok(Value::Array(Vec::new())),
                Value::Array(items) => items
                    .iter()
                    .map(|item| self.value(item, shape, path))
                    .collect::<Result<_, _>>()
                    .map(Value::Array),
                other => Err(mismatch(path, "a list", other)),
            },
            Shape::LenientTexts => Ok(lenient_texts(value)),
        }
    }

    /// Sorted by name.
    fn map(&self, value: &Value, shape: &Shape, path: &str) -> Result<Value, ShapeError> {
        let map = match value {
            Value::Null => return Ok(Value::Object(Map::new())),
            Value::Object(map) => map,
            other => return Err(mismatch(path, "a mapping", other)),
        };
        let mut arranged = Map::new();
        for (name, item) in sorted(map) {
            let item = self.value(item, shape, &join(path, name))?;
            arranged.insert(name.clone(), item);
        }
        Ok(Value::Object(arranged))
    }
}

/// A field by its name, in any case if there is none of exactly this.
fn find<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    map.get(name).or_else(|| {
        map.iter()
            .find(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    })
}

fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(name, _)| *name);
    entries
}

/// What is not text becomes an empty one. The cluster keeps such an object too and says so in its
/// status, so it must not be refused here.
fn lenient_texts(value: &Value) -> Value {
    let empty = Map::new();
    let map = value.as_object().unwrap_or(&empty);
    let texts = sorted(map).into_iter().map(|(name, item)| {
        let text = item.as_str().unwrap_or_default();
        (name.clone(), Value::String(text.to_owned()))
    });
    Value::Object(texts.collect())
}

fn text(value: &Value, path: &str) -> Result<String, ShapeError> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Bool(boolean) => Ok(boolean.to_string()),
        // Numbers are written alike in both: shortest digits, an exponent where they are many.
        Value::Number(_) => Ok(kubernetes_yaml(value).trim_end().to_owned()),
        other => Err(mismatch(path, "text", other)),
    }
}

/// In UTC and whole seconds.
fn time(value: &Value, path: &str) -> Result<Value, ShapeError> {
    let expected = "a time such as 2026-01-31T12:00:00Z";
    let text = match value {
        Value::Null => return Ok(Value::Null),
        Value::String(text) => text,
        other => return Err(mismatch(path, expected, other)),
    };
    let time: Timestamp = text.parse().map_err(|_| mismatch(path, expected, value))?;
    let printed = DateTimePrinter::new()
        .precision(Some(0))
        .timestamp_to_string(&time);
    Ok(Value::String(printed))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(boolean) => !boolean,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
    }
}

fn join(path: &str, name: &str) -> String {
    if path == "the document" {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn mismatch(path: &str, expected: &'static str, found: &Value) -> ShapeError {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    };
    ShapeError {
        path: path.to_owned(),
        expected,
        found: if found == "text" && expected.starts_with("a time") {
            "other text"
        } else {
            found
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;
    use crate::kubeseal::schema::{SEALED_SECRET, SECRET};

    fn secret(value: &Value) -> Value {
        Value::Object(arrange(value, SECRET, Unknown::Drop).unwrap())
    }

    #[test]
    fn fields_come_in_the_order_of_the_types_and_maps_sorted() {
        let arranged = secret(&json!({
            "type": "Opaque",
            "metadata": {"labels": {"b": "2", "a": "1"}, "name": "x", "unknown": 1},
            "kind": "Secret",
        }));
        assert_eq!(
            arranged.to_string(),
            r#"{"kind":"Secret","metadata":{"name":"x","labels":{"a":"1","b":"2"}},"type":"Opaque"}"#
        );
    }

    #[test]
    fn names_of_fields_match_in_any_case() {
        let arranged = secret(&json!({"Metadata": {"NAME": "x"}}));
        assert_eq!(arranged["metadata"]["name"], "x");
    }

    #[test]
    fn numbers_and_booleans_are_text_where_text_is_expected() {
        let values = json!({"stringData": {"a": 5, "b": 1.5, "c": true, "d": null}});
        let arranged = secret(&values);
        assert_eq!(
            arranged["stringData"],
            json!({"a": "5", "b": "1.5", "c": "true", "d": ""})
        );
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_named_and_not_shown() {
        let refused = |value: &Value| {
            let error = arrange(value, SECRET, Unknown::Drop).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            refused(&json!({"data": {"pin": 1234}})),
            "data.pin must be text in base64, not a number"
        );
        assert_eq!(
            refused(&json!({"metadata": {"creationTimestamp": "canary"}})),
            "metadata.creationTimestamp must be a time such as 2026-01-31T12:00:00Z, not other text"
        );
    }

    #[test]
    fn times_are_utc_and_null_ones_are_left_out() {
        let arranged = secret(&json!({"metadata": {
            "creationTimestamp": "2020-01-01T01:30:00.5+01:00",
            "deletionTimestamp": null,
        }}));
        assert_eq!(
            arranged["metadata"],
            json!({"creationTimestamp": "2020-01-01T00:30:00Z"})
        );
    }

    #[test]
    fn a_sealed_secret_keeps_what_we_do_not_know() {
        let sealed = json!({"spec": {"encryptedData": {"a": 1}, "foo": "bar"}});
        let arranged = arrange(&sealed, SEALED_SECRET, Unknown::Keep).unwrap();
        assert_eq!(
            Value::Object(arranged),
            json!({
                "metadata": {},
                "spec": {
                    "template": {"metadata": {}},
                    "encryptedData": {"a": ""},
                    "foo": "bar",
                },
            })
        );
    }
}
