//! The master keys of a creation rule.

use std::collections::{BTreeMap, BTreeSet};

use signet_keys::sops::master_key::{KmsOptions, NotationError};
use signet_keys::sops::{KeyType, MasterKey};

use super::section::{Reader, Section};
use super::{RulesError, Warning, WarningKind};
use crate::Position;
use crate::yaml::Node;

/// Keys that stand in the rule itself, and their kinds, in the order in which the peer takes them.
pub(super) const FLAT: [(&str, KeyType); 7] = [
    ("age", KeyType::Age),
    ("pgp", KeyType::Pgp),
    ("kms", KeyType::Kms),
    ("gcp_kms", KeyType::GcpKms),
    ("hckms", KeyType::HcKms),
    ("azure_keyvault", KeyType::AzureKv),
    ("hc_vault_transit_uri", KeyType::HcVault),
];

const GROUP: [&str; 8] = [
    "age",
    "azure_keyvault",
    "gcp_kms",
    "hc_vault",
    "hckms",
    "kms",
    "merge",
    "pgp",
];

/// The groups of a rule, or what is wrong with one of its keys.
pub(super) type Groups = Result<Vec<Vec<MasterKey>>, RulesError>;

/// Reads the groups of a rule, and whether they are under `key_groups`. Without groups, the keys of the
/// rule itself are one, which may be empty.
pub(super) fn groups(
    reader: &mut Reader,
    rule: &Section<'_>,
) -> Result<(Groups, bool), RulesError> {
    let groups = rule.list("key_groups")?.unwrap_or_default();
    if groups.is_empty() {
        return Ok((flat(rule)?.map(|group| vec![group]), false));
    }
    for (key, _) in FLAT {
        if let Some(node) = rule.get(key) {
            reader.warnings.push(Warning {
                at: node.position(),
                kind: WarningKind::BesideGroups { key },
            });
        }
    }
    let mut found = Vec::new();
    let mut problem = None;
    for node in groups {
        let mut group = Group::default();
        group.read(reader, node, 0)?;
        found.push(group.keys);
        problem = problem.or(group.problem);
    }
    Ok((problem.map_or(Ok(found), Err), true))
}

/// The keys of the rule itself. Lists may be one text with commas.
fn flat(rule: &Section<'_>) -> Result<Result<Vec<MasterKey>, RulesError>, RulesError> {
    let options = KmsOptions {
        aws_profile: rule.text("aws_profile")?,
        ..KmsOptions::default()
    };
    let mut keys = Vec::new();
    let mut problem = None;
    for (key, kind) in FLAT {
        for (node, text) in rule.texts(key)? {
            match MasterKey::list(kind, text, &options) {
                Ok(found) => keys.extend(found),
                Err(cause) => problem = problem.or(Some(malformed(node.position(), key, cause))),
            }
        }
    }
    Ok(problem.map_or(Ok(keys), Err))
}

fn malformed(at: Position, key: &'static str, cause: NotationError) -> RulesError {
    RulesError::MasterKey { at, key, cause }
}

/// A group that is read. What is wrong with the notation of a key is kept until the rule is used.
#[derive(Default)]
struct Group {
    keys: Vec<MasterKey>,
    /// Their kinds and lines.
    seen: BTreeSet<(KeyType, String)>,
    problem: Option<RulesError>,
}

impl Group {
    /// Adds the keys of a group: first those that it merges, then its own. Each is there once.
    fn read(
        &mut self,
        reader: &mut Reader,
        node: Node<'_>,
        depth: usize,
    ) -> Result<(), RulesError> {
        reader.count(node, depth)?;
        let group = reader.section(node, "a key group")?;
        reader.warn_of_unknown(&group, &GROUP);
        for merged in group.list("merge")?.unwrap_or_default() {
            self.read(reader, merged, depth + 1)?;
        }
        for (node, text) in texts(&group, "age")? {
            let keys = MasterKey::list(KeyType::Age, text, &KmsOptions::default());
            self.add("age", node, keys);
        }
        for (node, text) in texts(&group, "pgp")? {
            self.add("pgp", node, MasterKey::pgp(text).map(|key| vec![key]));
        }
        for node in group.list("kms")?.unwrap_or_default() {
            let key = kms(reader, node)?;
            self.add("kms", node, key.map(|key| vec![key]));
        }
        for node in group.list("gcp_kms")?.unwrap_or_default() {
            let entry = reader.section(node, "a key under `gcp_kms`")?;
            reader.warn_of_unknown(&entry, &["resource_id"]);
            let id = entry.text("resource_id")?.unwrap_or_default();
            self.add("gcp_kms", node, MasterKey::gcp(&id).map(|key| vec![key]));
        }
        for node in group.list("hckms")?.unwrap_or_default() {
            let entry = reader.section(node, "a key under `hckms`")?;
            reader.warn_of_unknown(&entry, &["key_id"]);
            let id = entry.text("key_id")?.unwrap_or_default();
            self.add("hckms", node, MasterKey::huawei(&id).map(|key| vec![key]));
        }
        for node in group.list("azure_keyvault")?.unwrap_or_default() {
            let key = azure(reader, node)?;
            self.add("azure_keyvault", node, key.map(|key| vec![key]));
        }
        for (node, text) in texts(&group, "hc_vault")? {
            let key = MasterKey::one(KeyType::HcVault, text, &KmsOptions::default());
            self.add("hc_vault", node, key.map(|key| vec![key]));
        }
        Ok(())
    }

    fn add(
        &mut self,
        key: &'static str,
        node: Node<'_>,
        found: Result<Vec<MasterKey>, NotationError>,
    ) {
        match found {
            Ok(found) => {
                for key in found {
                    if self.seen.insert((key.key_type(), key.to_string())) {
                        self.keys.push(key);
                    }
                }
            }
            Err(_) if self.problem.is_some() => {}
            Err(cause) => self.problem = Some(malformed(node.position(), key, cause)),
        }
    }
}

/// Unlike in a rule itself, one text does not stand for a list.
fn texts<'a>(group: &Section<'a>, key: &str) -> Result<Vec<(Node<'a>, &'a str)>, RulesError> {
    group.list(key)?;
    group.texts(key)
}

type Key = Result<MasterKey, NotationError>;

fn kms(reader: &mut Reader, node: Node<'_>) -> Result<Key, RulesError> {
    let entry = reader.section(node, "a key under `kms`")?;
    reader.warn_of_unknown(&entry, &["arn", "aws_profile", "context", "role"]);
    let mut context = BTreeMap::new();
    if let Some(node) = entry.get("context") {
        for pair in node.entries() {
            reader.count(pair.key, 0)?;
            let name = pair.key.text();
            let value = pair.value.text().filter(|_| !pair.value.is_null());
            let (Some(name), Some(value)) = (name, value) else {
                return Err(entry.mistyped(pair.value, "context", "a mapping of texts"));
            };
            context.insert(name.to_owned(), value.to_owned());
        }
        if !node.is_mapping() {
            return Err(entry.mistyped(node, "context", "a mapping of texts"));
        }
    }
    let arn = entry.text("arn")?;
    Ok(match arn {
        Some(arn) => Ok(MasterKey::Kms {
            arn,
            role: entry.text("role")?,
            context,
            aws_profile: entry.text("aws_profile")?,
        }),
        None => Err(NotationError::Missing {
            what: "`arn` of the AWS key",
        }),
    })
}

fn azure(reader: &mut Reader, node: Node<'_>) -> Result<Key, RulesError> {
    let entry = reader.section(node, "a key under `azure_keyvault`")?;
    reader.warn_of_unknown(&entry, &["key", "vaultUrl", "version"]);
    let version = entry.text("version")?;
    let missing = |what| NotationError::Missing { what };
    let vault_url = entry.text("vaultUrl")?;
    let name = entry.text("key")?;
    Ok((|| {
        Ok(MasterKey::AzureKv {
            vault_url: vault_url.ok_or_else(|| missing("`vaultUrl` of the Azure key"))?,
            name: name.ok_or_else(|| missing("`key` of the Azure key"))?,
            version,
        })
    })())
}
