//! What `updatekeys` has to do.

use std::collections::BTreeSet;

use signet_keys::sops::MasterKey;

use super::{SelectorDrift, is_meant, required};
use crate::rules::CreationRule;
use crate::sops::metadata::Metadata;

/// How the keys and settings of a file differ from those of its rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDiff {
    /// Group by group, compared by their numbers: the number is a part of a group's share.
    pub groups: Vec<GroupDiff>,
    /// How many groups must give their share, if that changes.
    pub threshold: Option<Threshold>,
    /// The selectors, if they differ. Updating keys does not change them.
    pub selector: Option<SelectorDrift>,
    /// `mac_only_encrypted` of the file and of the rule, if they differ. Updating keys does not change
    /// it.
    pub mac_only_encrypted: Option<(bool, bool)>,
}

/// How one group differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupDiff {
    /// In both, as the rule has them.
    pub common: Vec<MasterKey>,
    /// In the rule alone.
    pub added: Vec<MasterKey>,
    /// In the file alone.
    pub removed: Vec<MasterKey>,
    /// Whether the keys are the same and stand in another order, in which they are tried.
    pub reordered: bool,
}

/// How many groups must give their share, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// In the file.
    pub from: usize,
    /// By the rule.
    pub to: usize,
}

impl KeyDiff {
    /// Compares a file with its rule, whose keys of Azure the caller has given their versions.
    pub fn between(file: &Metadata, rule: &CreationRule) -> Self {
        let numbers = 0..file.groups.len().max(rule.groups.len());
        let groups = numbers.map(|number| {
            let file = file.groups.get(number).into_iter();
            let file: Vec<&MasterKey> = file
                .flat_map(|group| &group.keys)
                .map(|key| &key.key)
                .collect();
            let rule = rule.groups.get(number).map(Vec::as_slice);
            GroupDiff::between(&file, rule.unwrap_or_default())
        });
        let from = file.required_groups();
        let to = match rule_threshold(file, rule, None) {
            Some(threshold) => threshold,
            None => required(rule),
        };
        let macs = (file.mac_only_encrypted, rule.mac_only_encrypted);
        Self {
            groups: groups.collect(),
            threshold: (from != to).then_some(Threshold { from, to }),
            selector: SelectorDrift::between(file, rule),
            mac_only_encrypted: (macs.0 != macs.1).then_some(macs),
        }
    }

    /// Whether the data key has to be wrapped anew: other keys, or another threshold.
    pub fn needs_wrapping(&self) -> bool {
        let keys = |group: &GroupDiff| !group.added.is_empty() || !group.removed.is_empty();
        self.threshold.is_some() || self.groups.iter().any(keys)
    }

    /// Whether the keys of some group stand in another order, so that the entries have to be moved.
    pub fn is_reordered(&self) -> bool {
        self.groups.iter().any(|group| group.reordered)
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        !self.needs_wrapping()
            && !self.is_reordered()
            && self.selector.is_none()
            && self.mac_only_encrypted.is_none()
    }
}

impl GroupDiff {
    fn between(file: &[&MasterKey], rule: &[MasterKey]) -> Self {
        let line = |key: &MasterKey| (key.key_type(), key.to_string());
        let in_file: BTreeSet<_> = file.iter().map(|key| line(key)).collect();
        let there = |key: &MasterKey| {
            in_file.contains(&line(key))
                || key.is_unresolved() && file.iter().any(|other| is_meant(key, other))
        };
        let (common, added): (Vec<_>, Vec<_>) = rule.iter().cloned().partition(there);
        let in_rule: BTreeSet<_> = rule.iter().map(line).collect();
        let removed = file.iter().filter(|key| {
            let ruled = in_rule.contains(&line(key))
                || rule
                    .iter()
                    .any(|ruled| ruled.is_unresolved() && is_meant(ruled, key));
            !ruled
        });
        let removed: Vec<_> = removed.map(|key| (*key).clone()).collect();
        let reordered = added.is_empty() && removed.is_empty() && {
            // A file has keys of one kind together, so only their order among themselves counts.
            let mut wanted: Vec<&MasterKey> = common.iter().collect();
            wanted.sort_by_key(|key| key.key_type());
            let mut is = file.iter();
            wanted.len() == file.len()
                && wanted
                    .iter()
                    .any(|key| !is.next().is_some_and(|other| is_meant(key, other)))
        };
        Self {
            common,
            added,
            removed,
            reordered,
        }
    }
}

impl Threshold {
    /// The `shamir_threshold` of a file after its keys were updated. What the caller `asks` for comes
    /// first, then the rule, then the file as far as there are groups enough; with one group there is
    /// none.
    pub fn after(file: &Metadata, rule: &CreationRule, asks: Option<usize>) -> Option<usize> {
        match rule.groups.len() {
            0 | 1 => None,
            groups => Some(rule_threshold(file, rule, asks).unwrap_or(groups)),
        }
    }
}

/// The threshold that something names, if there are several groups.
fn rule_threshold(file: &Metadata, rule: &CreationRule, asks: Option<usize>) -> Option<usize> {
    let groups = rule.groups.len();
    let kept = || file.shamir_threshold.filter(|_| file.groups.len() > 1);
    let named = asks.or(rule.shamir_threshold);
    let threshold = named.or_else(|| kept().map(|threshold| threshold.min(groups)));
    threshold.filter(|_| groups > 1)
}
