//! What the Secret looks like when it is more than the values.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::data::DecodingStrategy;
use crate::external::{is_default, non_empty};
use crate::schema;

/// The shape of a Secret. Texts in it are templates of Go.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = schema::rules(&RULES)))]
pub struct Template {
    /// Type of the Secret.
    #[serde(
        rename = "type",
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub type_: Option<String>,
    /// The language of the templates.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "v2"))]
    pub engine_version: EngineVersion,
    /// Labels, annotations and finalizers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub metadata: TemplateMetadata,
    /// Whether templates stand in place of the values or beside them.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "Replace"))]
    pub merge_policy: MergePolicy,
    /// Items of the Secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, String>,
    /// Templates that stand elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 256))]
    pub template_from: Vec<TemplateFrom>,
}

const RULES: [(&str, &str); 3] = [
    (
        "!has(self.type) || self.type != 'bootstrap.kubernetes.io/token'",
        "a Secret of type bootstrap.kubernetes.io/token would let its maker into the cluster",
    ),
    (
        "!has(self.type) || self.type != 'kubernetes.io/service-account-token' || !has(self.metadata) || !has(self.metadata.annotations) || !('kubernetes.io/service-account.name' in self.metadata.annotations)",
        "a Secret of type kubernetes.io/service-account-token may not name a ServiceAccount: Kubernetes would put its token there",
    ),
    (
        "!has(self.type) || self.type != 'kubernetes.io/service-account-token' || !has(self.templateFrom) || self.templateFrom.all(from, !has(from.target) || from.target.lowerAscii() != 'annotations')",
        "a Secret of type kubernetes.io/service-account-token may not get annotations from templateFrom: Kubernetes would put a token there",
    ),
];

/// The language of templates.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum EngineVersion {
    /// Go's text/template with Sprig and some more.
    #[default]
    V2,
}

/// Whether templates stand in place of the values or beside them.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergePolicy {
    /// In their place.
    #[default]
    Replace,
    /// Beside them; of two with the same key the template counts.
    Merge,
}

/// Metadata of the Secret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TemplateMetadata {
    /// Labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Finalizers. They are added and never taken away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<String>,
}

/// Templates that stand elsewhere.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TemplateFrom {
    /// In a ConfigMap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_map: Option<TemplateRef>,
    /// In a Secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<TemplateRef>,
    /// Here: a template of a YAML mapping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literal: Option<String>,
    /// Where the result goes: Data, Annotations or Labels, and for kinds other than Secret also a path
    /// such as `spec.rules[0].host`. Data when absent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 1024))]
    pub target: String,
    /// How the results are encoded.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values_decoding_strategy: DecodingStrategy,
}

impl TemplateFrom {
    /// Where the result goes.
    pub fn target(&self) -> TemplateTarget<'_> {
        match &*self.target {
            "" => TemplateTarget::Data,
            word if word.eq_ignore_ascii_case("data") => TemplateTarget::Data,
            word if word.eq_ignore_ascii_case("annotations") => TemplateTarget::Annotations,
            word if word.eq_ignore_ascii_case("labels") => TemplateTarget::Labels,
            path => TemplateTarget::Path(path),
        }
    }
}

/// Where the result of a template goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateTarget<'a> {
    /// Items.
    Data,
    /// Annotations.
    Annotations,
    /// Labels.
    Labels,
    /// A field of another kind of object.
    Path(&'a str),
}

/// Items of a ConfigMap or Secret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRef {
    /// Name of the object.
    #[schemars(schema_with = "schema::object_name")]
    pub name: String,
    /// The items.
    pub items: Vec<TemplateRefItem>,
}

/// An item of a ConfigMap or Secret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TemplateRefItem {
    /// Its key.
    #[schemars(schema_with = "schema::item_key")]
    pub key: String,
    /// What it is a template of; Values when absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub template_as: TemplateScope,
}

/// What a text is a template of.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TemplateScope {
    /// Of the value of the item.
    #[default]
    Values,
    /// Of a YAML mapping, keys and values.
    KeysAndValues,
}
