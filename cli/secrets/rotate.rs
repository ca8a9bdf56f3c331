//! A new data key, and all values under it.

use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::{Decrypted, Encrypted};
use signet_keys::sops::{Cipher, DataKey, LastModified, MasterKey};
use zeroize::Zeroizing;

use super::{ChangeError, KeysError, PlainFile, SecretFile, Services, newer};

/// Encrypts a file anew for these groups of keys.
pub fn rotate(
    secret: &SecretFile,
    decrypted: &Decrypted,
    groups: &[Vec<MasterKey>],
    services: &Services,
    now: &LastModified,
) -> Result<Encrypted, ChangeError> {
    let key = DataKey::generate().map_err(KeysError::from)?;
    let threshold = secret.metadata.shamir_threshold;
    let metadata = Metadata {
        groups: services.wrap(&key, groups, threshold, now)?,
        shamir_threshold: threshold.or((groups.len() > 1).then_some(groups.len())),
        version: newer(&secret.metadata.version),
        ..secret.metadata.clone()
    };
    let text = Zeroizing::new(decrypted.text.expose().to_vec());
    let plain = PlainFile::parse(&secret.input, secret.file.format(), text)?;
    let cipher = Cipher::new(&key);
    Ok(super::encrypt::encrypt_under(
        &plain,
        &metadata,
        &cipher,
        Some(&mut decrypted.kept.for_new_key()),
        now,
    )?)
}

/// The keys of a file, group by group.
pub fn keys_of(metadata: &Metadata) -> Vec<Vec<MasterKey>> {
    let groups = metadata.groups.iter();
    groups
        .map(|group| {
            group
                .keys
                .iter()
                .map(|wrapped| wrapped.key.clone())
                .collect()
        })
        .collect()
}

/// Adds keys to the first group where no group has them, and removes others from all.
pub fn change_keys(groups: &mut Vec<Vec<MasterKey>>, add: &[MasterKey], remove: &[MasterKey]) {
    if groups.is_empty() {
        groups.push(Vec::new());
    }
    for key in add {
        if !groups.iter().flatten().any(|there| there == key) {
            groups[0].push(key.clone());
        }
    }
    for group in groups {
        group.retain(|key| !remove.contains(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(recipient: &str) -> MasterKey {
        MasterKey::Age {
            recipient: recipient.to_owned(),
        }
    }

    #[test]
    fn keys_are_added_to_the_first_group_once_and_removed_from_all() {
        let mut groups = vec![vec![key("a")], vec![key("b"), key("c")]];
        change_keys(&mut groups, &[key("b"), key("d")], &[key("c"), key("a")]);
        assert_eq!(groups, [vec![key("d")], vec![key("b")]]);
    }
}
