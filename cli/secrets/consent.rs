//! What a file has that its rules do not know: somebody may have put it there, so that whoever holds a
//! key gives the secrets to a stranger with the next change.

use signet_documents::rules::CreationRule;
use signet_documents::sops::metadata::Metadata;
use signet_documents::sops::readers::{SelectorDrift, Standing, access};

use crate::{Context, Failure};

/// What is strange about a file, one line each.
pub fn strange(metadata: &Metadata, rule: &CreationRule) -> Vec<String> {
    let strangers = access(metadata, Some(rule)).into_iter();
    let strangers = strangers.filter(|access| access.standing == Standing::ReadsUnruled);
    let mut told: Vec<_> = strangers
        .map(|access| {
            let kind = access.key.type_name();
            format!(
                "{kind} `{}` can read it and is not in the rules",
                access.key
            )
        })
        .collect();
    // A binary file has one value, and says nothing of what is encrypted.
    let drift = metadata.selector.as_ref();
    if let Some(drift) = drift.and_then(|_| SelectorDrift::between(metadata, rule)) {
        told.push(format!(
            "its values are chosen by `{}: {}`, by the rules it would be `{}: {}`",
            drift.file.field(),
            drift.file.text(),
            drift.rule.field(),
            drift.rule.text()
        ));
    }
    if metadata.mac_only_encrypted && !rule.mac_only_encrypted {
        told.push(
            "its checksum covers encrypted values alone, by the rules it would cover all"
                .to_owned(),
        );
    }
    told
}

/// Shows what is strange and asks whether to go on; `accepted` has said so already.
pub fn ask(
    file: &str,
    strange: &[String],
    accepted: bool,
    context: &mut Context,
) -> Result<(), Failure> {
    if strange.is_empty() {
        return Ok(());
    }
    for line in strange {
        context.ui.warn(&context.env, format!("`{file}`: {line}"));
    }
    let terminals = context.ui.terminals();
    let agreed = accepted
        || terminals.stdin
            && terminals.stderr
            && context
                .ui
                .agrees("Write the file all the same?")
                .unwrap_or(false);
    if agreed {
        return Ok(());
    }
    Err(refused(file))
}

/// The failure of a file that nobody has agreed to.
pub fn refused(file: &str) -> Failure {
    Failure::new(format!("`{file}` is not what its rules say, so it was not written")).with_hint(
        "look at its history; then bring it in line with `signet updatekeys`, or agree with `--accept`",
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use signet_documents::rules::{PathStyle, RulePath, Rules};
    use signet_documents::sops::metadata::KeyGroup;
    use signet_documents::sops::selector::SelectorSpec;
    use signet_keys::sops::{LastModified, MasterKey, WrappedKey};

    use super::*;

    fn metadata(keys: &[&str], selector: SelectorSpec) -> Metadata {
        let now: LastModified = "2026-01-31T12:00:00Z".parse().unwrap();
        let wrapped =
            |name: &&str| WrappedKey::new(MasterKey::age(name).unwrap(), "x".to_owned(), &now);
        Metadata {
            groups: vec![KeyGroup {
                keys: keys.iter().map(wrapped).collect(),
            }],
            shamir_threshold: None,
            last_modified: now.clone(),
            mac: None,
            selector: Some(selector),
            mac_only_encrypted: false,
            version: String::new(),
        }
    }

    fn rule(text: &str) -> CreationRule {
        let rules = Rules::parse(&format!("creation_rules: [{{{text}}}]")).unwrap();
        let path = RulePath::new("/", "/a.yaml", PathStyle::Unix);
        rules.creation_rule(&path).unwrap().unwrap().clone()
    }

    #[test]
    fn a_recipient_that_the_rules_do_not_know_is_told() {
        let strange_for = |keys: &[&str]| {
            let metadata = metadata(keys, SelectorSpec::default());
            strange(&metadata, &rule("age: 'age1a,age1b'"))
        };
        assert_eq!(
            strange_for(&["age1a", "age1evil"]),
            ["age `age1evil` can read it and is not in the rules"]
        );
        assert!(strange_for(&["age1a"]).is_empty());
    }

    #[test]
    fn issue_770_938_1153_1788_a_selector_that_is_not_the_rules_is_told() {
        let metadata = metadata(&["age1a"], SelectorSpec::EncryptedRegex("^pw$".to_owned()));
        let told = strange(
            &metadata,
            &rule("age: age1a, encrypted_regex: '^(pw|tok)$'"),
        );
        assert_eq!(
            told,
            [
                "its values are chosen by `encrypted_regex: ^pw$`, by the rules it would be \
                 `encrypted_regex: ^(pw|tok)$`"
            ]
        );
    }
}
