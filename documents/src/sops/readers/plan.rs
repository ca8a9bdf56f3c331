//! The entries that a file has after its keys were updated.

use signet_keys::sops::{MasterKey, WrappedKey};

use super::{KeyDiff, is_meant};
use crate::rules::CreationRule;
use crate::sops::metadata::{KeyGroup, Metadata};

/// An entry of an updated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedEntry {
    /// It stays as it is, and its bytes with it.
    Keep(WrappedKey),
    /// The data key, or the group's share of it, is to be wrapped.
    Wrap(MasterKey),
}

/// The entries after an update, group by group in the order of the rule. With one group before and after
/// the data key stays the same, so those that are there stay; the peer wraps all anew. A share is
/// another one whenever the data key is split again, so with several groups all are wrapped, unless
/// only the order changes: then nobody's private key is needed.
pub fn plan(file: &Metadata, rule: &CreationRule, diff: &KeyDiff) -> Vec<Vec<PlannedEntry>> {
    let one_group = file.groups.len() == 1 && rule.groups.len() == 1;
    let keep = one_group || !diff.needs_wrapping();
    let groups = rule.groups.iter().enumerate();
    let groups = groups.map(|(number, keys)| {
        let there = file.groups.get(number).filter(|_| keep);
        keys.iter().map(|key| entry(key, there)).collect()
    });
    groups.collect()
}

fn entry(key: &MasterKey, there: Option<&KeyGroup>) -> PlannedEntry {
    let mut entries = there.into_iter().flat_map(|group| &group.keys);
    let kept = entries.find(|wrapped| is_meant(key, &wrapped.key) && !wrapped.enc.is_empty());
    match kept {
        Some(wrapped) => PlannedEntry::Keep(wrapped.clone()),
        None => PlannedEntry::Wrap(key.clone()),
    }
}
