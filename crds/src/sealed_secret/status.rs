//! What the controller reports: the fields that clusters already have, and what was applied.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the last attempt came to.
#[derive(JsonSchema, Serialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("required" = []))]
pub struct SealedSecretStatus {
    /// The generation of the SealedSecret that the rest is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// `Synced` first, then `Ready`, and `Stalled` or `Reconciling` where one holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,

    /// What the Secret was last made of. With this an unchanged object is recognised without
    /// opening it. It tells nothing about plaintext.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied: Option<Applied>,
}

impl SealedSecretStatus {
    /// The first condition of a type.
    pub fn condition(&self, type_: &str) -> Option<&Condition> {
        self.conditions
            .iter()
            .find(|condition| condition.type_ == type_)
    }
}

/// One thing that holds, does not hold, or is unknown.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Its name: `Synced`, `Ready`, `Stalled` or `Reconciling`.
    #[serde(rename = "type")]
    pub type_: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// The generation that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// When it was last looked at for a new generation or changed in any field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_update_time: Option<Time>,
    /// When `status` last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_transition_time: Option<Time>,
    /// Cause in one word, for programs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Cause and remedy, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// What the Secret was last made of.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Applied {
    /// Digest of everything that the Secret follows from: ciphertext, template, annotations that
    /// matter, settings of the controller. Never of plaintext.
    pub digest: String,
    /// UID of the Secret as it was left.
    pub secret_uid: String,
    /// Resource version of the Secret as it was left.
    pub secret_resource_version: String,
    /// Whether the Secret belongs to the SealedSecret or is somebody else's.
    #[serde(default)]
    pub mode: TargetMode,
    /// Which sealing key opened which items: what is to be re-sealed before a key can go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<KeyUse>,
    /// Labels and annotations that were set on the Secret, to be taken off when the template drops
    /// them; those that others set stay.
    #[serde(default, skip_serializing_if = "OwnedMetadata::is_empty")]
    pub metadata: OwnedMetadata,
}

impl Applied {
    /// Fingerprint of the key that opened an item; `None` also where it is one of several and the
    /// items were too many to be listed.
    pub fn key_of(&self, item: &str) -> Option<&str> {
        let key = match &self.keys[..] {
            [only] if only.items.is_empty() => Some(only),
            keys => keys.iter().find(|key| key.items.iter().any(|i| i == item)),
        };
        key.map(|key| key.fingerprint.as_str())
    }
}

/// A sealing key and what it opened.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct KeyUse {
    /// `SHA256:…` of the public key in OpenSSH form.
    pub fingerprint: String,
    /// Names of the items; empty when this key opened all of them, or when there are several keys and
    /// more items than are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<String>,
}

/// Names of the metadata that was set on a Secret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct OwnedMetadata {
    /// Names of labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Names of annotations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<String>,
}

impl OwnedMetadata {
    /// Whether nothing was set.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.annotations.is_empty()
    }
}

/// How the Secret relates to the SealedSecret.
#[derive(JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetMode {
    /// The Secret is the SealedSecret's: owned by it, or left without an owner on request.
    #[default]
    Owned,
    /// The Secret is somebody else's, who let the SealedSecret add to it.
    Patched,
}
