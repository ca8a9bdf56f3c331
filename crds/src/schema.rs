//! From a Rust type to the schema of a CustomResourceDefinition.
//!
//! The API server takes "structural" schemas only: no `$ref`, no alternatives that name properties, no
//! `null` as a type. Two more things are ours: a default is written only where the type says so with
//! `x-default` (what serde fills in is the program's business and not the object's), and none stands
//! inside the items of a list, where it makes tools that compare manifests see a change for ever.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// Names of Kubernetes objects.
const OBJECT_NAME: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
/// Names of namespaces.
const NAMESPACE_NAME: &str = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
/// Keys of Secrets and ConfigMaps.
const ITEM_KEY: &str = "^[-._a-zA-Z0-9]+$";

/// The structural schema of a type.
pub fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().into();
    structural(&mut schema);
    schema
}

/// The name of an object.
pub fn object_name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1, "maxLength": 253, "pattern": OBJECT_NAME })
}

/// The name of a namespace.
pub fn namespace_name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1, "maxLength": 63, "pattern": NAMESPACE_NAME })
}

/// Names of namespaces.
pub fn namespace_names(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": namespace_name(generator) })
}

/// The key of an item of a Secret or a `ConfigMap`.
pub fn item_key(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1, "maxLength": 253, "pattern": ITEM_KEY })
}

/// Bytes, in base64.
pub fn bytes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "byte" })
}

/// A number or a text.
pub fn int_or_string(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [{ "type": "integer" }, { "type": "string" }],
        "x-kubernetes-int-or-string": true,
    })
}

/// Any value, kept as it is.
pub fn any(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
}

/// Any mapping, kept as it is.
pub fn any_object() -> Value {
    json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
}

/// `metav1.LabelSelector`, without its pages of text.
pub fn label_selector(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "x-kubernetes-map-type": "atomic",
        "properties": {
            "matchLabels": { "type": "object", "additionalProperties": { "type": "string" } },
            "matchExpressions": {
                "type": "array",
                "x-kubernetes-list-type": "atomic",
                "items": {
                    "type": "object",
                    "required": ["key", "operator"],
                    "properties": {
                        "key": { "type": "string" },
                        "operator": { "type": "string" },
                        "values": {
                            "type": "array",
                            "x-kubernetes-list-type": "atomic",
                            "items": { "type": "string" },
                        },
                    },
                },
            },
        },
    })
}

/// Label selectors, any of which may match.
pub fn label_selectors(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": label_selector(generator) })
}

/// A point in time.
pub fn time(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "date-time" })
}

/// A point in time that may also be `null`, as other controllers write it.
pub fn nullable_time(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "date-time", "nullable": true })
}

/// `x-kubernetes-validations`: each an expression that must hold, and what is said when it does not.
pub fn rules(rules: &[(&str, &str)]) -> Value {
    rules
        .iter()
        .map(|(rule, message)| json!({ "rule": rule, "message": message }))
        .collect()
}

fn structural(schema: &mut Value) {
    if *schema == Value::Bool(true) {
        *schema = any(&mut SchemaGenerator::default()).into();
    }
    let Value::Object(schema) = schema else {
        return;
    };
    for noise in ["title", "default", "$schema"] {
        schema.remove(noise);
    }
    take_null_out(schema);
    merge_alternatives(schema);
    if let Some(default) = schema.remove("x-default") {
        schema.insert("default".to_owned(), default);
    }
    if let Some(constant) = schema.remove("const") {
        schema.insert("enum".to_owned(), json!([constant]));
    }
    // Formats of Rust, which the API server does not know.
    if schema
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(|f| f.starts_with("uint"))
    {
        schema.remove("format");
    }
    // It may not stand beside `properties`, and unknown fields are dropped without it.
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.remove("additionalProperties");
    }
    if let Some(Value::Array(required)) = schema.get("required")
        && required.is_empty()
    {
        schema.remove("required");
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(structural);
    }
    for below in ["items", "additionalProperties"] {
        if let Some(below) = schema.get_mut(below) {
            structural(below);
        }
    }
}

/// An `Option` is a property that may be absent, and not one that may be `null`.
fn take_null_out(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = &mut types[..] {
            let one = one.take();
            schema.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(mut alternatives)) = schema.remove("anyOf") else {
        return;
    };
    alternatives.retain(|alternative| alternative.get("type") != Some(&json!("null")));
    match &mut alternatives[..] {
        [Value::Object(one)] => {
            for (keyword, value) in std::mem::take(one) {
                schema.entry(keyword).or_insert(value);
            }
        }
        _ => drop(schema.insert("anyOf".to_owned(), alternatives.into())),
    }
}

/// The variants of a Rust enum: either constants, or mappings with one property of which exactly one
/// is there.
fn merge_alternatives(schema: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = schema.remove("oneOf") else {
        return;
    };
    let mut values = Vec::new();
    let mut properties = Map::new();
    for alternative in alternatives {
        let Value::Object(mut alternative) = alternative else {
            continue;
        };
        values.extend(alternative.remove("const"));
        if let Some(Value::Array(several)) = alternative.remove("enum") {
            values.extend(several);
        }
        if let Some(Value::Object(mut variant)) = alternative.remove("properties") {
            let description = alternative.remove("description");
            if let (Some(description), Some(Value::Object(only))) =
                (description, variant.values_mut().next())
            {
                only.insert("description".to_owned(), description);
            }
            properties.append(&mut variant);
        }
    }
    if values.is_empty() {
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), properties.into());
        schema.insert("minProperties".to_owned(), json!(1));
        schema.insert("maxProperties".to_owned(), json!(1));
    } else {
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), values.into());
    }
}
