//! Which values go where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PushStoreRef;
use crate::Sensitive;
use crate::external::external_secret::{RegexpRewrite, TransformRewrite};
use crate::external::{is_default, non_empty};
use crate::schema;

/// A value.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct PushData {
    /// Which value, and where it goes.
    #[serde(rename = "match")]
    pub match_: PushMatch,
    /// Settings for the store: an object of the kind `PushSecretMetadata`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::any")]
    pub metadata: Option<Sensitive<Value>>,
    /// What happens to the key; nothing when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub conversion_strategy: PushConversion,
}

/// Which value, and where it goes.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct PushMatch {
    /// Key of the value; all values together when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub secret_key: Option<String>,
    /// Where it goes.
    pub remote_ref: PushRemoteRef,
}

/// A place in a store.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub struct PushRemoteRef {
    /// Name of the secret.
    pub remote_key: String,
    /// The part of it that is written; all of it when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub property: Option<String>,
}

/// What happens to keys.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PushConversion {
    /// Nothing.
    #[default]
    None,
    /// `_U` and a number become the character again.
    ReverseUnicode,
}

/// All values whose keys match.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = schema::rules(&RULES)))]
pub struct PushDataTo {
    /// The store, one of those that the resource names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store_ref: Option<PushStoreRef>,
    /// One secret for all values, as JSON.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub remote_key: Option<String>,
    /// Which keys; all when absent.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_: Option<KeyMatch>,
    /// Changes to the keys, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 256))]
    pub rewrite: Vec<PushRewrite>,
    /// Settings for the store: an object of the kind `PushSecretMetadata`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::any")]
    pub metadata: Option<Sensitive<Value>>,
    /// What happens to the keys; nothing when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub conversion_strategy: PushConversion,
}

const RULES: [(&str, &str); 2] = [
    (
        "has(self.storeRef) && (has(self.storeRef.name) || has(self.storeRef.labelSelector))",
        "storeRef must name a store or select some by label",
    ),
    (
        "!has(self.remoteKey) || size(self.remoteKey) == 0 || !has(self.rewrite) || size(self.rewrite) == 0",
        "remoteKey makes one secret of all values, so that rewrite has nothing to rename",
    ),
];

/// Which keys.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct KeyMatch {
    /// A regular expression that matches anywhere in them; all when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub regexp: Option<String>,
}

/// A change to keys.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub enum PushRewrite {
    /// By a regular expression.
    Regexp(RegexpRewrite),
    /// By a template.
    Transform(TransformRewrite),
}
