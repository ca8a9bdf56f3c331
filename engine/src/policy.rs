//! What the administrator decided for all objects.

use std::collections::BTreeMap;

/// Settings of the controller that change what becomes of a SealedSecret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether the deprecated form `spec.data`, one ciphertext for a whole Secret, is read.
    pub accept_deprecated_v1_data: bool,
    /// Labels that every Secret gets; the template of a SealedSecret wins (sealed-secrets#2059).
    pub default_labels: BTreeMap<String, String>,
    /// Namespace and name of the Secret that counts as a sealing key without the label, as the first
    /// versions made it. No SealedSecret may describe it.
    pub unlabelled_key: Option<(String, String)>,
    /// Whether changes that others make to a Secret are undone. An object's own annotation wins.
    pub drift_repair: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            accept_deprecated_v1_data: true,
            default_labels: BTreeMap::new(),
            unlabelled_key: None,
            drift_repair: true,
        }
    }
}
