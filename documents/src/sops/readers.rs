//! Who can read a file, who should by the rules, and what has to change so that those are the same.
//!
//! Nothing is decrypted for it: whom a data key is wrapped for is written in the metadata.

mod diff;
mod drift;
mod plan;

use signet_keys::sops::MasterKey;

use super::metadata::Metadata;
use crate::rules::CreationRule;

pub use diff::{GroupDiff, KeyDiff, Threshold};
pub use drift::SelectorDrift;
pub use plan::{PlannedEntry, plan};

/// A key and what it can do with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The key.
    pub key: MasterKey,
    /// What it can and may do.
    pub standing: Standing,
    /// The groups that it is in, from 0: those of the file, or, if it cannot read it, those of the
    /// rule.
    pub groups: Vec<usize>,
    /// Whether it needs no key of another group.
    pub alone: bool,
}

/// What a key can do with a file and what the rules say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It reads, and should. Without a rule all that read are so.
    Reads,
    /// It reads, and should not any more: the rule does not name it. What was in the file while it
    /// could read is known to it, so taking it out calls for new secrets, not only for a new data key.
    ReadsUnruled,
    /// It should read and cannot yet.
    Awaits,
}

/// What each key can do with a file: first those of the file, then those of the rule that are not there
/// yet, each once.
pub fn access(file: &Metadata, rule: Option<&CreationRule>) -> Vec<Access> {
    let mut all: Vec<Access> = Vec::new();
    for (group, keys) in file.groups.iter().enumerate() {
        // An entry with nothing wrapped opens nothing yet, and gets the next data key all the same.
        for wrapped in &keys.keys {
            let ruled = rule.is_none_or(|rule| names(rule, &wrapped.key));
            let standing = if ruled {
                Standing::Reads
            } else {
                Standing::ReadsUnruled
            };
            add(&mut all, &wrapped.key, standing, group);
        }
    }
    let groups = rule.map(|rule| rule.groups.as_slice()).unwrap_or_default();
    let read = all.len();
    for (group, keys) in groups.iter().enumerate() {
        for key in keys {
            if !all[..read].iter().any(|access| is_meant(key, &access.key)) {
                add(&mut all, key, Standing::Awaits, group);
            }
        }
    }
    let required_by_rule = rule.map_or(1, required);
    for access in &mut all {
        let required = match access.standing {
            Standing::Reads | Standing::ReadsUnruled => file.required_groups(),
            Standing::Awaits => required_by_rule,
        };
        access.alone = access.groups.len() >= required;
    }
    all
}

fn add(all: &mut Vec<Access>, key: &MasterKey, standing: Standing, group: usize) {
    let there = all
        .iter_mut()
        .find(|access| access.standing == standing && access.key == *key);
    match there {
        Some(access) if access.groups.contains(&group) => {}
        Some(access) => access.groups.push(group),
        None => all.push(Access {
            key: key.clone(),
            standing,
            groups: vec![group],
            alone: false,
        }),
    }
}

fn names(rule: &CreationRule, key: &MasterKey) -> bool {
    let mut keys = rule.groups.iter().flatten();
    keys.any(|ruled| is_meant(ruled, key))
}

/// Whether a key of a rule means a key of a file. A key of Azure without a version means any version.
fn is_meant(ruled: &MasterKey, key: &MasterKey) -> bool {
    match (ruled, key) {
        (
            MasterKey::AzureKv {
                vault_url,
                name,
                version: None,
            },
            MasterKey::AzureKv {
                vault_url: other_url,
                name: other_name,
                ..
            },
        ) => vault_url == other_url && name == other_name,
        _ => ruled == key,
    }
}

/// How many groups a file of the rule asks for.
fn required(rule: &CreationRule) -> usize {
    match rule.groups.len() {
        0 | 1 => 1,
        groups => rule.shamir_threshold.unwrap_or(groups),
    }
}

#[cfg(test)]
mod tests;
