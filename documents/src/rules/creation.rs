//! Creation rules.

use signet_keys::sops::MasterKey;
use signet_keys::sops::master_key::KmsContext;

use super::keys;
use super::section::{Reader, Section};
use super::{RulesError, Slot, Warning, WarningKind};
use crate::Position;
use crate::go_regex::GoRegex;
use crate::sops::metadata::{Split, SplitError};
use crate::sops::selector::{Selector, SelectorSpec};
use crate::yaml::Node;

pub(super) const KEYS: [&str; 18] = [
    "age",
    "aws_profile",
    "azure_keyvault",
    "encrypted_comment_regex",
    "encrypted_regex",
    "encrypted_suffix",
    "gcp_kms",
    "hc_vault_transit_uri",
    "hckms",
    "key_groups",
    "kms",
    "mac_only_encrypted",
    "path_regex",
    "pgp",
    "shamir_threshold",
    "unencrypted_comment_regex",
    "unencrypted_regex",
    "unencrypted_suffix",
];

/// What a new file gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreationRule {
    /// Where the rule is.
    pub at: Position,
    /// The keys, group by group. Keys of Azure may have no version yet: see
    /// [`MasterKey::is_unresolved`].
    pub groups: Vec<Vec<MasterKey>>,
    /// How many groups give the data key; `None`: all of them.
    pub shamir_threshold: Option<usize>,
    /// What is encrypted; `None`: [`SelectorSpec::default`].
    pub selector: Option<SelectorSpec>,
    /// Whether the checksum covers encrypted values only.
    pub mac_only_encrypted: bool,
    /// Whether the groups stand under `key_groups`, where keys of AWS have their own context.
    has_groups: bool,
}

impl CreationRule {
    /// The groups with an encryption context for those keys of AWS that cannot have one of their own
    /// in the rule.
    pub fn groups_with_context(&self, context: &KmsContext) -> Vec<Vec<MasterKey>> {
        let mut groups = self.groups.clone();
        if self.has_groups {
            return groups;
        }
        for key in groups.iter_mut().flatten() {
            if let MasterKey::Kms { context: own, .. } = key {
                own.clone_from(context);
            }
        }
        groups
    }

    /// How a data key is parted among the groups.
    ///
    /// # Errors
    /// Groups or a threshold that make no sense together.
    pub fn split(&self) -> Result<Split, SplitError> {
        Split::plan(self.groups.iter().map(Vec::len), self.shamir_threshold)
    }
}

/// Reads an item of `creation_rules`.
pub(super) fn read(reader: &mut Reader, node: Node<'_>) -> Result<Slot<CreationRule>, RulesError> {
    let section = reader.section(node, "a creation rule")?;
    reader.warn_of_unknown(&section, &KEYS);
    Ok(Slot {
        path: path(&section)?,
        rule: rule(reader, &section)?,
    })
}

/// Reads what a rule says, apart from its path.
pub(super) fn rule(
    reader: &mut Reader,
    section: &Section<'_>,
) -> Result<Result<CreationRule, RulesError>, RulesError> {
    let (groups, has_groups) = keys::groups(reader, section)?;
    let threshold = threshold(section)?;
    if let (Some(threshold), Ok(groups)) = (threshold, &groups)
        && !(2..=groups.len()).contains(&threshold)
    {
        let node = section.get("shamir_threshold").unwrap_or(section.node);
        reader.warnings.push(Warning {
            at: node.position(),
            kind: WarningKind::Threshold {
                threshold,
                groups: groups.len(),
            },
        });
    }
    let selector = selector(section)?;
    let mac_only_encrypted = section.flag("mac_only_encrypted")?;
    Ok(groups.and_then(|groups| {
        Ok(CreationRule {
            at: section.node.position(),
            groups,
            shamir_threshold: threshold,
            selector: selector?,
            mac_only_encrypted,
            has_groups,
        })
    }))
}

/// The files that a rule is for.
pub(super) fn path(
    section: &Section<'_>,
) -> Result<Option<Result<GoRegex, RulesError>>, RulesError> {
    let Some(text) = section.text("path_regex")? else {
        return Ok(None);
    };
    let node = section.get("path_regex").unwrap_or(section.node);
    Ok(Some(GoRegex::new(&text).map_err(|cause| {
        RulesError::Regex {
            at: node.position(),
            key: "path_regex",
            cause,
        }
    })))
}

/// Zero is as if it were not there.
fn threshold(section: &Section<'_>) -> Result<Option<usize>, RulesError> {
    let key = "shamir_threshold";
    let Some(number) = section.number(key)?.filter(|number| *number != 0) else {
        return Ok(None);
    };
    let node = section.get(key).unwrap_or(section.node);
    let number = usize::try_from(number);
    let number = number.map_err(|_| section.mistyped(node, key, "a number of key groups"))?;
    Ok(Some(number))
}

type Selected = Result<Option<SelectorSpec>, RulesError>;

/// The selector, which is compiled to know that it can be.
fn selector(section: &Section<'_>) -> Result<Selected, RulesError> {
    let mut found: Option<SelectorSpec> = None;
    for field in SelectorSpec::FIELDS {
        let Some(text) = section.text(field)? else {
            continue;
        };
        let at = section.get(field).unwrap_or(section.node).position();
        if let Some(first) = &found {
            return Ok(Err(RulesError::Several {
                at,
                first: first.field(),
                second: field,
            }));
        }
        found = SelectorSpec::of_field(field, text);
        if let Some(Err(error)) = found.as_ref().map(Selector::compile) {
            return Ok(Err(RulesError::Regex {
                at,
                key: error.field,
                cause: error.cause,
            }));
        }
    }
    Ok(Ok(found))
}
