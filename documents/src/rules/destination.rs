//! Destination rules.

use super::section::{Reader, Section};
use super::{CreationRule, RulesError, Slot, creation};
use crate::Position;
use crate::yaml::Node;

const KEYS: [&str; 11] = [
    "gcs_bucket",
    "gcs_prefix",
    "omit_extensions",
    "path_regex",
    "recreation_rule",
    "s3_bucket",
    "s3_prefix",
    "vault_address",
    "vault_kv_mount_name",
    "vault_kv_version",
    "vault_path",
];

/// Where a file is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DestinationRule {
    /// Where the rule is.
    pub at: Position,
    /// Where to.
    pub destination: Destination,
    /// What the published file is encrypted for instead, if the rule names keys.
    pub recreation: Option<CreationRule>,
    /// Whether the name is published without its extension.
    pub omit_extensions: bool,
}

/// A place where files are published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A bucket of Google Cloud Storage: the encrypted file.
    Gcs {
        /// The bucket.
        bucket: String,
        /// What stands before the file's name.
        prefix: String,
    },
    /// A bucket of S3: the encrypted file.
    S3 {
        /// The bucket.
        bucket: String,
        /// What stands before the file's name.
        prefix: String,
    },
    /// A key-value engine of Vault: the decrypted values.
    Vault {
        /// The server; `None`: that of `VAULT_ADDR`.
        address: Option<String>,
        /// The path in the engine, before the file's name, with a slash behind.
        path: String,
        /// Where the engine is mounted, with a slash behind.
        mount: String,
        /// Version of the engine, 1 or 2.
        version: u8,
    },
}

impl Destination {
    /// Where a file is published under a name. `vault` is the server that is meant when the rule names
    /// none.
    pub fn place(&self, name: &str, vault: &str) -> String {
        let path = self.path(name);
        match self {
            Self::Gcs { .. } => format!("gcs://{path}"),
            Self::S3 { .. } => format!("s3://{path}"),
            Self::Vault { address, .. } => {
                let server = address.as_deref().unwrap_or(vault);
                format!("{server}/v1/{path}")
            }
        }
    }

    /// The same without the service and the server.
    pub fn path(&self, name: &str) -> String {
        let object = self.object(name);
        match self {
            Self::Gcs { bucket, .. } | Self::S3 { bucket, .. } => format!("{bucket}/{object}"),
            Self::Vault { mount, version, .. } => {
                let data = if *version == 1 { "" } else { "data/" };
                format!("{mount}{data}{object}")
            }
        }
    }

    /// The name in the bucket, or the path in the engine.
    pub fn object(&self, name: &str) -> String {
        let (Self::Gcs { prefix, .. } | Self::S3 { prefix, .. } | Self::Vault { path: prefix, .. }) =
            self;
        format!("{prefix}{name}")
    }
}

/// Reads an item of `destination_rules`.
pub(super) fn read(
    reader: &mut Reader,
    node: Node<'_>,
) -> Result<Slot<DestinationRule>, RulesError> {
    let section = reader.section(node, "a destination rule")?;
    reader.warn_of_unknown(&section, &KEYS);
    let destination = destination(&section)?;
    let recreation = match section.get("recreation_rule") {
        Some(node) => {
            let inner = reader.section(node, "a recreation rule")?;
            reader.warn_of_unknown(&inner, &creation::KEYS);
            let rule = creation::rule(reader, &inner)?;
            let has_keys = |rule: &CreationRule| rule.groups.iter().any(|keys| !keys.is_empty());
            rule.map(|rule| Some(rule).filter(has_keys))
        }
        None => Ok(None),
    };
    let omit_extensions = section.flag("omit_extensions")?;
    Ok(Slot {
        path: creation::path(&section)?,
        rule: destination.and_then(|destination| {
            Ok(DestinationRule {
                at: section.node.position(),
                destination,
                recreation: recreation?,
                omit_extensions,
            })
        }),
    })
}

fn destination(section: &Section<'_>) -> Result<Result<Destination, RulesError>, RulesError> {
    let prefix = |key| Ok::<_, RulesError>(section.text(key)?.unwrap_or_default());
    let mut found = Vec::new();
    if let Some(bucket) = section.text("s3_bucket")? {
        let prefix = prefix("s3_prefix")?;
        found.push(("s3_bucket", Destination::S3 { bucket, prefix }));
    }
    if let Some(bucket) = section.text("gcs_bucket")? {
        let prefix = prefix("gcs_prefix")?;
        found.push(("gcs_bucket", Destination::Gcs { bucket, prefix }));
    }
    let version = section.number("vault_kv_version")?.unwrap_or(0);
    if let Some(path) = section.text("vault_path")? {
        let mount = section.text("vault_kv_mount_name")?;
        let mount = mount.as_deref().unwrap_or("secret");
        let destination = Destination::Vault {
            address: section.text("vault_address")?,
            path: with_slash(&path),
            mount: with_slash(mount),
            version: if version == 1 { 1 } else { 2 },
        };
        found.push(("vault_path", destination));
        if !(0..=2).contains(&version) {
            let node = section.get("vault_kv_version").unwrap_or(section.node);
            let at = node.position();
            return Ok(Err(RulesError::VaultVersion { at }));
        }
    }
    let at = section.node.position();
    if let [(first, _), (second, _), ..] = found.as_slice() {
        return Ok(Err(RulesError::Several { at, first, second }));
    }
    let destination = found.pop().map(|(_, destination)| destination);
    Ok(destination.ok_or(RulesError::NoDestination { at }))
}

fn with_slash(path: &str) -> String {
    let slash = if path.ends_with('/') { "" } else { "/" };
    format!("{path}{slash}")
}
