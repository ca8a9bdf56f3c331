//! Recognising an object that needs no work, from its status and the Secret's metadata alone.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::json;
use sha2::{Digest, Sha256};
use signet_crds::constants::{annotation, condition, condition_status, reason};
use signet_crds::sealed_secret::{Applied, KeyUse, OwnedMetadata, SealedSecret, TargetMode};

use crate::attention;
use crate::policy::Policy;
use crate::unseal::Unsealed;

/// Whether the Secret is what the last attempt made of this very object, and the status says so: then
/// there is nothing to open, to write or to tell. `observed` is the metadata of the Secret.
///
/// A Secret that anybody wrote since has another resource version and is looked at; so is an object
/// whose scope annotation changed, although Kubernetes does not count that as a new generation.
pub fn unchanged(sealed: &SealedSecret, observed: Option<&ObjectMeta>, policy: &Policy) -> bool {
    let (Some(applied), Some(secret)) = (applied_to(sealed, policy), observed) else {
        return false;
    };
    is_settled(sealed) && is_left(applied, secret)
}

/// Whether this was applied to this very object and the Secret is as it was left, whatever the status
/// says. `observed` is the metadata of the Secret.
pub fn is_as_applied(
    sealed: &SealedSecret,
    applied: &Applied,
    observed: Option<&ObjectMeta>,
    policy: &Policy,
) -> bool {
    observed.is_some_and(|secret| is_left(applied, secret))
        && applied.digest == digest(sealed, policy)
}

fn is_left(applied: &Applied, secret: &ObjectMeta) -> bool {
    Some(&applied.secret_uid) == secret.uid.as_ref()
        && Some(&applied.secret_resource_version) == secret.resource_version.as_ref()
        && secret.deletion_timestamp.is_none()
}

/// What the status says was applied, if it was this very object under this policy.
pub fn applied_to<'a>(sealed: &'a SealedSecret, policy: &Policy) -> Option<&'a Applied> {
    let applied = sealed.status.as_ref()?.applied.as_ref()?;
    (applied.digest == digest(sealed, policy)).then_some(applied)
}

/// What to remember of an attempt that left the Secret with this metadata.
pub fn applied(
    sealed: &SealedSecret,
    unsealed: &Unsealed,
    mode: TargetMode,
    written: &ObjectMeta,
    policy: &Policy,
) -> Applied {
    Applied {
        digest: digest(sealed, policy),
        secret_uid: written.uid.clone().unwrap_or_default(),
        secret_resource_version: written.resource_version.clone().unwrap_or_default(),
        mode,
        keys: keys(unsealed),
        metadata: OwnedMetadata {
            labels: unsealed.secret.labels.keys().cloned().collect(),
            annotations: unsealed.secret.annotations.keys().cloned().collect(),
        },
    }
}

/// A digest of all that the Secret follows from, keys excepted: the ciphertext, the template, the
/// place, the annotations that bind or widen, and the policy. A plaintext goes into it nowhere, so
/// that short values cannot be guessed from it.
pub fn digest(sealed: &SealedSecret, policy: &Policy) -> String {
    let metadata = &sealed.metadata;
    let annotations = metadata.annotations.iter().flatten();
    let scope: Vec<_> = annotations
        .filter(|(name, _)| SCOPE.contains(&name.as_str()))
        .collect();
    let mut content = json!({
        "version": VERSION,
        "namespace": metadata.namespace,
        "name": metadata.name,
        "uid": metadata.uid,
        "scope": scope,
        "spec": sealed.spec,
        "acceptDeprecatedData": policy.accept_deprecated_v1_data,
        "defaultLabels": policy.default_labels,
    });
    // What is warned of is looked at again when it changes.
    let misspelt: Vec<_> = attention::misspelt(sealed).collect();
    if !misspelt.is_empty() {
        content["misspelt"] = json!(misspelt);
    }
    // One text for one content, in whatever order its fields were written.
    content.sort_all_objects();
    let hash = Sha256::digest(content.to_string());
    hash.iter().fold("sha256:".to_owned(), |text, byte| {
        format!("{text}{byte:02x}")
    })
}

const SCOPE: [&str; 2] = [annotation::CLUSTER_WIDE, annotation::NAMESPACE_WIDE];

/// To be raised when the same object comes to mean another Secret.
const VERSION: u32 = 1;

/// Whether the status tells of a finished attempt on this generation.
fn is_settled(sealed: &SealedSecret) -> bool {
    let Some(status) = &sealed.status else {
        return false;
    };
    let settled = [reason::UNSEALED, reason::DRIFTED];
    status.observed_generation == sealed.metadata.generation
        && status.condition(condition::SYNCED).is_some_and(|synced| {
            synced.status == condition_status::TRUE && settled.contains(&synced.reason.as_str())
        })
}

/// Names of items are listed up to so many bytes: the API server takes an object and its status up to
/// one and a half mebibytes together.
const LISTED: usize = 16 * 1024;

/// The keys, the most used first; their items are listed only where there are several keys, and not
/// more items than a status can hold.
fn keys(unsealed: &Unsealed) -> Vec<KeyUse> {
    let mut keys: Vec<KeyUse> = Vec::new();
    for (item, key) in &unsealed.opened_by {
        let fingerprint = key.to_string();
        match keys.iter_mut().find(|key| key.fingerprint == fingerprint) {
            Some(key) => key.items.push(item.clone()),
            None => keys.push(KeyUse {
                fingerprint,
                items: vec![item.clone()],
            }),
        }
    }
    if let [only] = &mut keys[..] {
        only.items.clear();
    }
    keys.sort_by_key(|key| std::cmp::Reverse(key.items.len()));
    let length: usize = keys
        .iter()
        .flat_map(|key| &key.items)
        .map(String::len)
        .sum();
    if length > LISTED {
        for key in &mut keys {
            key.items.clear();
        }
    }
    keys
}

#[cfg(test)]
mod tests;
