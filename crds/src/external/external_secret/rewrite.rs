//! Changes to the keys of what was read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::external::is_default;

/// A change to the keys of what was read.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub enum Rewrite {
    /// By a regular expression.
    Regexp(RegexpRewrite),
    /// By a template.
    Transform(TransformRewrite),
    /// All into one.
    Merge(Merge),
}

/// Replaces what a regular expression matches.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct RegexpRewrite {
    /// The expression.
    pub source: String,
    /// What it is replaced by; `$1` is the first group.
    pub target: String,
}

/// Makes each key by a template.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TransformRewrite {
    /// The template; `.value` is the old key.
    pub template: String,
}

/// Takes the properties of all values together.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Merge {
    /// Key of the result. Needed by the strategy JSON, without meaning for Extract.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub into: String,
    /// Keys whose values count more, the last one most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub priority: Vec<String>,
    /// What happens when a key of `priority` is not there; Strict when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority_policy: PriorityPolicy,
    /// What happens when two values have the same property; Error when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub conflict_policy: ConflictPolicy,
    /// What is made of the properties; Extract when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strategy: MergeStrategy,
}

/// What happens when a key of `priority` is not there.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PriorityPolicy {
    /// It is an error.
    #[default]
    Strict,
    /// Nothing.
    IgnoreNotFound,
}

/// What happens when two values have the same property.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConflictPolicy {
    /// The one that counts more is taken.
    Ignore,
    /// It is an error.
    #[default]
    Error,
}

/// What is made of merged properties.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeStrategy {
    /// An item of the Secret each.
    #[default]
    Extract,
    /// One item with JSON in it.
    #[serde(rename = "JSON")]
    Json,
}
