//! Other recipients for the same data key: values stay as they are.

use signet_documents::rules::CreationRule;
use signet_documents::sops::metadata::{KeyGroup, Metadata};
use signet_documents::sops::readers::{KeyDiff, PlannedEntry, Threshold, plan};
use signet_keys::sops::{DataKey, LastModified, MasterKey, WrappedKey};

use super::{ChangeError, KeysError, SecretFile, Services};

/// The file with its data key wrapped for the keys of its rule.
pub fn update(
    secret: &SecretFile,
    key: &DataKey,
    rule: &CreationRule,
    services: &Services,
    now: &LastModified,
) -> Result<Vec<u8>, ChangeError> {
    let threshold = Threshold::after(&secret.metadata, rule, None);
    let diff = KeyDiff::between(&secret.metadata, rule);
    let planned = plan(&secret.metadata, rule, &diff);
    let kept = |entry: &PlannedEntry| matches!(entry, PlannedEntry::Keep(_));
    let groups = if planned.iter().flatten().any(kept) {
        let groups = planned
            .into_iter()
            .map(|group| entries(group, key, services, now));
        groups.collect::<Result<_, _>>()?
    } else {
        services.wrap(key, &rule.groups, threshold, now)?
    };
    let metadata = Metadata {
        groups,
        shamir_threshold: threshold,
        ..secret.metadata.clone()
    };
    Ok(secret.file.with_metadata(&metadata)?)
}

/// A group some of whose entries stay: the others get the same as they have.
fn entries(
    group: Vec<PlannedEntry>,
    key: &DataKey,
    services: &Services,
    now: &LastModified,
) -> Result<KeyGroup, KeysError> {
    let missing: Vec<MasterKey> = group
        .iter()
        .filter_map(|entry| match entry {
            PlannedEntry::Wrap(key) => Some(key.clone()),
            PlannedEntry::Keep(_) => None,
        })
        .collect();
    let wrapped: Vec<WrappedKey> = if missing.is_empty() {
        Vec::new()
    } else {
        let groups = services.wrap(key, &[missing], None, now)?;
        groups.into_iter().flat_map(|group| group.keys).collect()
    };
    let mut wrapped = wrapped.into_iter();
    let keys = group.into_iter().filter_map(|entry| match entry {
        PlannedEntry::Keep(kept) => Some(kept),
        PlannedEntry::Wrap(_) => wrapped.next(),
    });
    Ok(KeyGroup {
        keys: keys.collect(),
    })
}
