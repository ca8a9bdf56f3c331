//! Metadata as version 3.13 writes it.

use signet_keys::sops::{KeyType, MasterKey, WrappedKey};

use super::{KeyGroup, MetaTree, Metadata};

pub(super) fn metadata(metadata: &Metadata) -> MetaTree {
    let mut fields = vec![
        ("lastmodified", metadata.last_modified.as_str().into()),
        ("mac", metadata.mac.as_deref().unwrap_or_default().into()),
        ("version", metadata.version.as_str().into()),
    ];
    match metadata.groups.as_slice() {
        [] => {}
        [group] => fields.extend(lists(group, &[])),
        groups => {
            // Inside of groups the peer writes these two even if they are empty.
            let always = [KeyType::Age, KeyType::HcVault];
            let groups = groups
                .iter()
                .map(|group| MetaTree::sorted(lists(group, &always)));
            fields.push(("key_groups", MetaTree::List(groups.collect())));
        }
    }
    if let Some(selector) = &metadata.selector {
        fields.push((selector.field(), selector.text().into()));
    }
    if metadata.mac_only_encrypted {
        fields.push(("mac_only_encrypted", MetaTree::Bool(true)));
    }
    if let Some(threshold) = metadata.shamir_threshold {
        let threshold = i64::try_from(threshold).unwrap_or(i64::MAX);
        fields.push(("shamir_threshold", MetaTree::Int(threshold)));
    }
    MetaTree::sorted(fields)
}

fn lists(group: &KeyGroup, always: &[KeyType]) -> impl Iterator<Item = (&'static str, MetaTree)> {
    KeyType::ALL.into_iter().filter_map(move |kind| {
        let keys = group.keys.iter().filter(|key| key.key.key_type() == kind);
        let entries: Vec<_> = keys.map(entry).collect();
        let written = !entries.is_empty() || always.contains(&kind);
        written.then(|| (kind.as_str(), MetaTree::List(entries)))
    })
}

fn entry(wrapped: &WrappedKey) -> MetaTree {
    let mut fields = vec![("enc", wrapped.enc.as_str().into())];
    if let Some(time) = &wrapped.created_at {
        fields.push(("created_at", time.as_str().into()));
    }
    match &wrapped.key {
        MasterKey::Age { recipient } => fields.push(("recipient", recipient.as_str().into())),
        MasterKey::AzureKv {
            vault_url,
            name,
            version,
        } => fields.extend([
            ("vault_url", vault_url.as_str().into()),
            ("name", name.as_str().into()),
            ("version", version.as_deref().unwrap_or_default().into()),
        ]),
        MasterKey::GcpKms { resource_id } => {
            fields.push(("resource_id", resource_id.as_str().into()));
        }
        MasterKey::HcKms { key_id } => fields.push(("key_id", key_id.as_str().into())),
        MasterKey::HcVault {
            vault_address,
            engine_path,
            key_name,
        } => fields.extend([
            ("vault_address", vault_address.as_str().into()),
            ("engine_path", engine_path.as_str().into()),
            ("key_name", key_name.as_str().into()),
        ]),
        MasterKey::Kms {
            arn,
            role,
            context,
            aws_profile,
        } => {
            let profile = aws_profile.as_deref().unwrap_or_default();
            fields.extend([
                ("arn", arn.as_str().into()),
                ("aws_profile", profile.into()),
            ]);
            if let Some(role) = role {
                fields.push(("role", role.as_str().into()));
            }
            if !context.is_empty() {
                let pairs = context.iter();
                let pairs = pairs.map(|(name, value)| (name.clone(), value.as_str().into()));
                fields.push(("context", MetaTree::Map(pairs.collect())));
            }
        }
        MasterKey::Pgp { fingerprint } => fields.push(("fp", fingerprint.as_str().into())),
    }
    MetaTree::sorted(fields)
}
