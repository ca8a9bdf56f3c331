//! What is read from where.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rewrite::Rewrite;
use crate::external::refs::SourceRef;
use crate::external::{is_default, non_empty};
use crate::schema;

/// One item of the Secret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Data {
    /// Key of the item.
    #[schemars(schema_with = "schema::item_key")]
    pub secret_key: String,
    /// What to read.
    pub remote_ref: RemoteRef,
    /// Where to read it, when it is not in the store of the resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<SourceRef>,
}

/// A value in a store.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub struct RemoteRef {
    /// Name of the secret in the store.
    pub key: String,
    /// The part of it that is meant: a key, or a path into its JSON.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub property: Option<String>,
    /// The version that is meant; the newest when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub version: Option<String>,
    /// Whether the value or what is known about it is read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub metadata_policy: MetadataPolicy,
    /// How names that cannot be keys of a Secret are changed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub conversion_strategy: ConversionStrategy,
    /// How the value is encoded in the store.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decoding_strategy: DecodingStrategy,
    /// What happens when the value has a null byte in it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub null_byte_policy: NullBytePolicy,
}

/// Whether a value or what is known about it is read.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MetadataPolicy {
    /// The value.
    #[default]
    None,
    /// Tags, labels and dates.
    Fetch,
}

/// How names that cannot be keys of a Secret are changed.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConversionStrategy {
    /// Each character that may not be there becomes `_`.
    #[default]
    Default,
    /// Each becomes `_U` and its number.
    Unicode,
}

/// How a value is encoded in the store.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DecodingStrategy {
    /// In base64 of either kind if it looks like it, else not at all.
    Auto,
    /// In base64.
    Base64,
    /// In base64 for addresses.
    #[serde(rename = "Base64URL")]
    Base64Url,
    /// Not at all.
    #[default]
    None,
}

/// What happens when a value has a null byte in it.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NullBytePolicy {
    /// Nothing.
    #[default]
    Ignore,
    /// It is an error.
    Fail,
}

/// A source of several items.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = schema::rules(&RULES)))]
pub struct DataFrom {
    /// All properties of one secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extract: Option<RemoteRef>,
    /// All secrets that match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub find: Option<Find>,
    /// Changes to the keys, one after the other. Keys are not converted then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewrite: Vec<Rewrite>,
    /// A generator, or another store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_ref: Option<SourceRef>,
}

const RULES: [(&str, &str); 1] = [(
    "(has(self.extract) ? 1 : 0) + (has(self.find) ? 1 : 0) + (has(self.sourceRef) && has(self.sourceRef.generatorRef) ? 1 : 0) <= 1",
    "only one of extract, find and sourceRef.generatorRef may be set",
)];

/// Which secrets of a store are meant.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub struct Find {
    /// Where to begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Those with a name like this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<FindName>,
    /// Those with all of these tags.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// How names that cannot be keys of a Secret are changed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub conversion_strategy: ConversionStrategy,
    /// How the values are encoded in the store.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decoding_strategy: DecodingStrategy,
    /// What happens when a value has a null byte in it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub null_byte_policy: NullBytePolicy,
}

/// What a name is like.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub struct FindName {
    /// A regular expression that matches anywhere in it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub regexp: String,
}
