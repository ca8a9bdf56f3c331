//! `ExternalSecret`: which values of which stores make up which Secret.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::refs::StoreRef;
use super::status::Condition;
use super::{assemble, is_default};
use crate::duration::GoDuration;
use crate::schema;

mod data;
mod rewrite;
mod target;
mod template;
pub(super) mod v1beta1;

pub use data::{
    ConversionStrategy, Data, DataFrom, DecodingStrategy, Find, FindName, MetadataPolicy,
    NullBytePolicy, RemoteRef,
};
pub use rewrite::{
    ConflictPolicy, Merge, MergeStrategy, PriorityPolicy, RegexpRewrite, Rewrite, TransformRewrite,
};
pub use target::{CreationPolicy, DeletionPolicy, Manifest, Target};
pub use template::{
    EngineVersion, MergePolicy, Template, TemplateFrom, TemplateMetadata, TemplateRef,
    TemplateRefItem, TemplateScope, TemplateTarget,
};

/// Which values of which stores make up which Secret, and when they are read.
#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "external-secrets.io",
    version = "v1",
    kind = "ExternalSecret",
    plural = "externalsecrets",
    singular = "externalsecret",
    shortname = "es",
    category = "external-secrets",
    namespaced,
    schema = "disabled",
    status = "ExternalSecretStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A Secret that is kept as external stores have it.",
    printcolumn = r#"{"name":"StoreType", "type":"string", "jsonPath":".spec.secretStoreRef.kind"}"#,
    printcolumn = r#"{"name":"Store", "type":"string", "jsonPath":".spec.secretStoreRef.name"}"#,
    printcolumn = r#"{"name":"Refresh Interval", "type":"string", "jsonPath":".spec.refreshInterval"}"#,
    printcolumn = r#"{"name":"Status", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].reason"}"#,
    printcolumn = r#"{"name":"Ready", "type":"string", "jsonPath":".status.conditions[?(@.type==\"Ready\")].status"}"#,
    printcolumn = r#"{"name":"Last Sync", "type":"date", "jsonPath":".status.refreshTime"}"#,
    selectable = ".spec.secretStoreRef.name",
    selectable = ".spec.secretStoreRef.kind",
    selectable = ".spec.target.name",
    selectable = ".spec.refreshInterval"
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = schema::rules(&RULES)))]
pub struct ExternalSecretSpec {
    /// The store of all entries that do not name their own source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_store_ref: Option<StoreRef>,
    /// The Secret to make.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = {"creationPolicy": "Owner", "deletionPolicy": "Retain"}))]
    pub target: Target,
    /// When the stores are read; Periodic when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_policy: Option<RefreshPolicy>,
    /// How long values stand before they are read again, such as `1h30m`. With `0` they are read once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-default" = "1h0m0s"))]
    pub refresh_interval: Option<GoDuration>,
    /// When periodic reading is allowed, or when it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync_windows: Option<SyncWindows>,
    /// Items of the Secret, each of one value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 4096))]
    pub data: Vec<Data>,
    /// Sources of several items each. Of two with the same key the later counts, and `data` over all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 4096))]
    pub data_from: Vec<DataFrom>,
}

const RULES: [(&str, &str); 2] = [
    (
        "(has(self.data) && size(self.data) > 0) || (has(self.dataFrom) && size(self.dataFrom) > 0)",
        "data or dataFrom must say what to read",
    ),
    // The API server gives a rule so much time that this one is good for a hundred keys of the longest
    // kind. Of longer lists a key that stands twice is named in the condition.
    (
        "!has(self.data) || size(self.data) > 100 || (has(self.target) && has(self.target.deletionPolicy) && self.target.deletionPolicy != 'Retain') || [self.data.map(entry, entry.secretKey)].all(keys, keys.all(key, keys.indexOf(key) == keys.lastIndexOf(key)))",
        "each secretKey may stand in data once, unless deletionPolicy is Delete or Merge",
    ),
];

/// How long values stand when the resource does not say.
const DEFAULT_REFRESH_INTERVAL: GoDuration = GoDuration::from_secs(3600);

impl ExternalSecretSpec {
    /// When the stores are read.
    pub fn refresh_policy(&self) -> RefreshPolicy {
        self.refresh_policy.unwrap_or_default()
    }

    /// How long values stand before they are read again; not above zero: for ever.
    pub fn refresh_interval(&self) -> GoDuration {
        self.refresh_interval.unwrap_or(DEFAULT_REFRESH_INTERVAL)
    }
}

/// When the stores are read.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefreshPolicy {
    /// Once.
    CreatedOnce,
    /// At the interval, and when the resource changes.
    #[default]
    Periodic,
    /// When the resource changes.
    OnChange,
}

/// When periodic reading is allowed, or when it is not.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SyncWindows {
    /// Whether it is allowed inside of the windows only, or outside only.
    pub kind: SyncWindowKind,
    /// The windows.
    pub windows: Vec<SyncWindow>,
}

/// What windows mean.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SyncWindowKind {
    /// Reading is allowed inside only.
    Allow,
    /// Reading is allowed outside only.
    Deny,
}

/// A window that opens again and again.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SyncWindow {
    /// When it opens, in UTC: five fields of cron, or a word such as `@daily` or `@every 6h`.
    pub schedule: String,
    /// How long it is open.
    pub duration: GoDuration,
}

/// What the last attempt came to.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ExternalSecretStatus {
    /// When the stores were last read and the target was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::nullable_time")]
    pub refresh_time: Option<Time>,
    /// The generation and a hash of the labels and annotations of what was last applied.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub synced_resource_version: String,
    /// The generation that the conditions are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// What holds and what does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// The Secret, where programs that bind services look for it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub binding: Binding,
}

/// The Secret that was made.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Binding {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// The CustomResourceDefinition, as `deploy/crds/` has it.
pub fn crd() -> CustomResourceDefinition {
    let schema = assemble::object::<ExternalSecretSpec, ExternalSecretStatus>(DESCRIPTION);
    let mut older = schema.clone();
    v1beta1::take_out_what_came_later(&mut older["properties"]["spec"]);
    assemble::crd::<ExternalSecret>(&schema, Some(&older))
}

const DESCRIPTION: &str = "A Secret that is kept as external stores have it.";

#[cfg(test)]
mod tests;
