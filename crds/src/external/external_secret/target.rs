//! What is made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::template::Template;
use crate::external::{is_default, non_empty};
use crate::schema;

/// The Secret to make.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = schema::rules(&RULES)))]
pub struct Target {
    /// Its name; that of the resource when absent.
    #[serde(
        default,
        deserialize_with = "non_empty",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(schema_with = "schema::object_name")]
    pub name: Option<String>,
    /// Whose it is, and whether it is made when it is not there.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "Owner"))]
    pub creation_policy: CreationPolicy,
    /// What happens to it when nothing is left in the stores.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-default" = "Retain"))]
    pub deletion_policy: DeletionPolicy,
    /// What it looks like, when it is more than the values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// Another kind of object in place of a Secret. The controller has to be told to allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// Whether Kubernetes refuses later changes of its data.
    #[serde(default, skip_serializing_if = "is_default")]
    pub immutable: bool,
}

const RULES: [(&str, &str); 3] = [
    RULES_OF_SECRETS[0],
    RULES_OF_SECRETS[1],
    (
        "(has(self.manifest) && !(self.manifest.kind == 'Secret' && self.manifest.apiVersion == 'v1')) || !has(self.template) || !has(self.template.templateFrom) || self.template.templateFrom.all(from, !has(from.target) || from.target.lowerAscii() in ['', 'data', 'annotations', 'labels'])",
        RULES_OF_SECRETS[2].1,
    ),
];

/// Where there is no other kind of target.
pub(super) const RULES_OF_SECRETS: [(&str, &str); 3] = [
    (
        "!has(self.deletionPolicy) || self.deletionPolicy != 'Delete' || !has(self.creationPolicy) || !(self.creationPolicy in ['Merge', 'CreateOrMerge', 'None'])",
        "deletionPolicy Delete needs creationPolicy Owner: only a Secret of its own is deleted",
    ),
    (
        "!has(self.deletionPolicy) || self.deletionPolicy != 'Merge' || !has(self.creationPolicy) || self.creationPolicy != 'None'",
        "deletionPolicy Merge has nothing to take keys from with creationPolicy None",
    ),
    (
        "!has(self.template) || !has(self.template.templateFrom) || self.template.templateFrom.all(from, !has(from.target) || from.target.lowerAscii() in ['', 'data', 'annotations', 'labels'])",
        "templateFrom.target of a Secret is Data, Annotations or Labels",
    ),
];

impl Target {
    /// Name of the Secret that a resource of this name makes.
    pub fn name<'a>(&'a self, resource: &'a str) -> &'a str {
        self.name.as_deref().unwrap_or(resource)
    }
}

/// Whose the Secret is, and whether it is made when it is not there.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CreationPolicy {
    /// It is made, and goes with the ExternalSecret.
    #[default]
    Owner,
    /// It is made, and stays.
    Orphan,
    /// It is somebody else's: values are added to it.
    Merge,
    /// As Merge, and it is made when it is not there.
    CreateOrMerge,
    /// Nothing is written.
    None,
}

/// What happens to the Secret when nothing is left in the stores.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeletionPolicy {
    /// It is deleted.
    Delete,
    /// Its items that came from the stores are taken out.
    Merge,
    /// It stays as it is, and that something is missing is an error.
    #[default]
    Retain,
}

/// A kind of object.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Its API version, such as `v1` or `argoproj.io/v1alpha1`.
    #[schemars(length(min = 1))]
    pub api_version: String,
    /// Its kind, such as `ConfigMap`.
    #[schemars(length(min = 1))]
    pub kind: String,
}
