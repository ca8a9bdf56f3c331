//! A store whose values stand in the resource.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sensitive;
use crate::external::{is_default, non_empty};

/// A store whose values stand in the resource.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct FakeProvider {
    /// The values.
    pub data: Vec<FakeData>,
    /// What a check of the store comes to: `0` ready, `1` unknown, `2` wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_result: Option<i64>,
}

/// A value.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct FakeData {
    /// Its name.
    pub key: String,
    /// The value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub value: Sensitive<String>,
    /// Several values under one name, as `v1beta1` has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_map: Option<Sensitive<BTreeMap<String, String>>>,
    /// Its version.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub version: Option<String>,
}
