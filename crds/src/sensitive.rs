//! Values of an object that may be secrets.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, de};

/// A value that is not shown: its `Debug` says that something is there and nothing else, and neither
/// does the error when it cannot be read.
///
/// It stands in objects that their owner wrote in clear text, such as the data of a fake store. What a
/// controller reads from a real one has a type of its own.
#[derive(Serialize, Clone, Default, PartialEq, Eq)]
#[serde(transparent)]
pub struct Sensitive<T>(pub T);

impl<T> Deref for Sensitive<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Sensitive<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<redacted>")
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Sensitive<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self).map_err(|_| {
            de::Error::custom("the value is of the wrong kind; quote numbers and true or false")
        })
    }
}

impl<T: JsonSchema> JsonSchema for Sensitive<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn neither_debug_nor_an_error_shows_the_value() {
        let value: Sensitive<String> = serde_json::from_value(json!("hunter2")).unwrap();
        assert_eq!(format!("{value:?}"), "<redacted>");
        assert_eq!(serde_json::to_value(&value).unwrap(), json!("hunter2"));
        for wrong in [json!({"a": 31337}), json!({"a": ["31337"]}), json!(31337)] {
            let refused = serde_json::from_value::<Sensitive<BTreeMap<String, String>>>(wrong);
            let error = refused.unwrap_err().to_string();
            assert!(!error.contains("31337"), "{error}");
        }
    }
}
