//! Which key may have been meant.

/// Names that people write for others, and in tutorials.
const OTHER_NAMES: [(&str, &[&str]); 18] = [
    ("age_recipients", &["age"]),
    ("aws_kms", &["kms"]),
    ("azure", &["azure_keyvault"]),
    ("azure_keyvault_uris", &["azure_keyvault"]),
    ("azure_kv", &["azure_keyvault"]),
    ("fp", &["pgp"]),
    ("gcp", &["gcp_kms"]),
    ("gpg", &["pgp"]),
    ("hc_vault", &["hc_vault_transit_uri", "hc_vault"]),
    ("hc_vault_transit", &["hc_vault_transit_uri", "hc_vault"]),
    ("hc_vault_transit_uri", &["hc_vault"]),
    ("hc_vault_uris", &["hc_vault_transit_uri", "hc_vault"]),
    ("name", &["key"]),
    ("path", &["path_regex"]),
    ("profile", &["aws_profile"]),
    ("recipients", &["age"]),
    ("reencryption_rule", &["recreation_rule"]),
    ("vault", &["hc_vault_transit_uri", "hc_vault"]),
];

/// The key among `known` that `key` is probably meant to be.
pub(super) fn likely(key: &str, known: &[&'static str]) -> Option<&'static str> {
    let plain = |key: &str| key.replace('-', "_").to_ascii_lowercase();
    let written = plain(key);
    let same = |name: &&&'static str| plain(name) == written;
    if let Some(name) = known.iter().find(same) {
        return Some(name);
    }
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == written);
    let mut meant = other.into_iter().flat_map(|(_, names)| *names);
    if let Some(name) = meant.find_map(|name| known.iter().find(|known| *known == name)) {
        return Some(name);
    }
    let near = known
        .iter()
        .map(|name| (distance(&written, &plain(name)), name));
    let (steps, name) = near.min_by_key(|(steps, _)| *steps)?;
    (steps <= name.len() / 4 + 1 && steps < name.len()).then_some(*name)
}

/// How many letters to add, take away or change.
fn distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 64;
    if a.len() > LONGEST {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: [&str; 6] = [
        "path_regex",
        "encrypted_regex",
        "hc_vault_transit_uri",
        "azure_keyvault",
        "age",
        "pgp",
    ];

    #[test]
    fn typing_errors_and_names_from_elsewhere_are_known() {
        for (written, meant) in [
            ("hc_vault_uris", "hc_vault_transit_uri"),
            ("encrypted-regex", "encrypted_regex"),
            ("encryptedRegex", "encrypted_regex"),
            ("encryted_regex", "encrypted_regex"),
            ("pathregex", "path_regex"),
            ("azure_kv", "azure_keyvault"),
            ("AGE", "age"),
        ] {
            assert_eq!(likely(written, &RULE), Some(meant), "{written}");
        }
    }

    #[test]
    fn what_is_like_nothing_is_like_nothing() {
        for written in ["comment", "x", "", "description", &"a".repeat(100_000)] {
            assert_eq!(likely(written, &RULE), None, "{written}");
        }
    }
}
