//! Metadata from any version's files.
//!
//! Typing is weak, because dotenv and INI files know only text: numbers and truth values may be texts,
//! texts may be numbers, one mapping may stand for a list of one. Null is as if the field were not
//! there.

mod fields;

use signet_keys::sops::{KeyType, LastModified, MasterKey, WrappedKey};

use self::fields::Fields;
use super::{KeyGroup, MetaTree, Metadata, MetadataError};
use crate::sops::selector::SelectorSpec;

pub(super) fn metadata(tree: &MetaTree) -> Result<Metadata, MetadataError> {
    let fields = Fields::of(tree, "sops".to_owned())?;
    let groups = groups(&fields)?;
    let threshold = fields.number("shamir_threshold")?;
    Ok(Metadata {
        groups,
        shamir_threshold: Some(threshold).filter(|number| *number != 0),
        last_modified: time(&fields, "lastmodified")?,
        mac: Some(fields.text("mac")?).filter(|mac| !mac.is_empty()),
        selector: selector(&fields)?,
        mac_only_encrypted: fields.flag("mac_only_encrypted")?,
        version: fields.text("version")?,
    })
}

/// The lists at the top, if there is a key in them; else the groups.
fn groups(fields: &Fields<'_>) -> Result<Vec<KeyGroup>, MetadataError> {
    let direct = group(fields)?;
    if !direct.keys.is_empty() {
        return Ok(vec![direct]);
    }
    let groups = fields.list("key_groups")?;
    if groups.is_empty() {
        return Err(MetadataError::NoKeys);
    }
    groups.iter().map(group).collect()
}

fn group(fields: &Fields<'_>) -> Result<KeyGroup, MetadataError> {
    let mut keys = Vec::new();
    for kind in KeyType::ALL {
        for entry in fields.list(kind.as_str())? {
            keys.push(wrapped(kind, &entry)?);
        }
    }
    Ok(KeyGroup { keys })
}

fn wrapped(kind: KeyType, entry: &Fields<'_>) -> Result<WrappedKey, MetadataError> {
    let key = match kind {
        KeyType::Age => MasterKey::Age {
            recipient: entry.text("recipient")?,
        },
        KeyType::AzureKv => MasterKey::AzureKv {
            vault_url: entry.text("vault_url")?,
            name: entry.text("name")?,
            version: entry.optional("version")?,
        },
        KeyType::GcpKms => MasterKey::GcpKms {
            resource_id: entry.text("resource_id")?,
        },
        KeyType::HcKms => MasterKey::HcKms {
            key_id: entry.text("key_id")?,
        },
        KeyType::HcVault => MasterKey::HcVault {
            vault_address: entry.text("vault_address")?,
            engine_path: entry.text("engine_path")?,
            key_name: entry.text("key_name")?,
        },
        KeyType::Kms => MasterKey::Kms {
            arn: entry.text("arn")?,
            role: entry.optional("role")?,
            context: entry.pairs("context")?,
            aws_profile: entry.optional("aws_profile")?,
        },
        KeyType::Pgp => MasterKey::Pgp {
            fingerprint: entry.text("fp")?,
        },
    };
    let created_at = match kind {
        KeyType::Age => None,
        _ => Some(time(entry, "created_at")?.to_string()),
    };
    Ok(WrappedKey {
        key,
        enc: entry.text("enc")?,
        created_at,
    })
}

/// An empty selector is none.
fn selector(fields: &Fields<'_>) -> Result<Option<SelectorSpec>, MetadataError> {
    let mut found: Option<SelectorSpec> = None;
    for field in SelectorSpec::FIELDS {
        let Some(text) = fields.optional(field)? else {
            continue;
        };
        if let Some(first) = &found {
            return Err(MetadataError::Selectors {
                first: first.field(),
                second: field,
            });
        }
        found = SelectorSpec::of_field(field, text);
    }
    Ok(found)
}

fn time(fields: &Fields<'_>, name: &str) -> Result<LastModified, MetadataError> {
    let text = fields.text(name)?;
    text.parse().map_err(|_| MetadataError::Time {
        field: fields.path(name),
    })
}
