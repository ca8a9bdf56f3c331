//! JSON to a value of a tree.

use serde_json::Value as Json;
use signet_documents::sops::tree::{Branch, ListItem, TreeItem, TreeValue};
use signet_keys::sops::Value;

/// The value that a JSON value stands for. Whole numbers stay whole.
pub(super) fn tree_value(json: &Json) -> TreeValue {
    match json {
        Json::Null => TreeValue::Null,
        Json::Bool(value) => TreeValue::Scalar(Value::bool(*value)),
        Json::Number(number) => TreeValue::Scalar(match number.as_i64() {
            Some(number) => Value::int(number),
            None => Value::float(number.as_f64().unwrap_or_default()),
        }),
        Json::String(text) => TreeValue::Scalar(Value::text(text.as_bytes())),
        Json::Array(items) => TreeValue::List(
            items
                .iter()
                .map(|item| ListItem::Value(tree_value(item)))
                .collect(),
        ),
        Json::Object(entries) => {
            let items = entries.iter().map(|(key, value)| TreeItem::Entry {
                key: key.clone(),
                value: tree_value(value),
            });
            TreeValue::Map(Branch {
                items: items.collect(),
            })
        }
    }
}
