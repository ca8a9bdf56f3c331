#![allow(clippy::unwrap_used)]

use super::*;
use crate::rules::{PathStyle, RulePath, Rules};
use crate::sops::metadata::MetaTree;
use crate::sops::selector::SelectorSpec;
use crate::yaml::Stream;

fn metadata(yaml: &str) -> Metadata {
    let text = format!("lastmodified: 2024-01-02T03:04:05Z\n{yaml}");
    let stream = Stream::parse(&text).unwrap();
    let root = stream.documents()[0].root().unwrap();
    Metadata::read(&MetaTree::of_node(root).unwrap()).unwrap()
}

fn rule(yaml: &str) -> CreationRule {
    let rules = Rules::parse(&format!("creation_rules: [{yaml}]")).unwrap();
    let path = RulePath::new("/", "/x", PathStyle::Unix);
    rules.creation_rule(&path).unwrap().unwrap().clone()
}

/// A group of age keys, as in a file.
fn group(keys: &[&str]) -> String {
    let keys = keys
        .iter()
        .map(|key| format!("{{recipient: age1{key}, enc: x}}"));
    format!("{{age: [{}]}}", keys.collect::<Vec<_>>().join(", "))
}

fn groups(keys: &[&[&str]], threshold: usize) -> Metadata {
    let groups: Vec<String> = keys.iter().map(|keys| group(keys)).collect();
    metadata(&format!(
        "key_groups: [{}]\nshamir_threshold: {threshold}",
        groups.join(", ")
    ))
}

fn lines(keys: &[MasterKey]) -> Vec<String> {
    keys.iter().map(MasterKey::to_string).collect()
}

fn standings(all: &[Access]) -> Vec<(String, Standing, bool)> {
    all.iter()
        .map(|access| (access.key.to_string(), access.standing, access.alone))
        .collect()
}

#[test]
fn keys_read_or_await_or_read_unruled() {
    let file = metadata(
        "age: [{recipient: age1a, enc: x}, {recipient: age1b, enc: x}]\npgp: [{fp: AB, created_at: 2024-01-02T03:04:05Z}]",
    );
    let rule = rule("{age: [age1c, age1a], pgp: AB}");
    assert_eq!(
        standings(&access(&file, Some(&rule))),
        [
            // Nothing is wrapped for it, but it gets the next data key.
            ("AB".into(), Standing::Reads, true),
            ("age1a".into(), Standing::Reads, true),
            ("age1b".into(), Standing::ReadsUnruled, true),
            ("age1c".into(), Standing::Awaits, true),
        ]
    );
    let without_rule = access(&file, None);
    assert!(
        without_rule
            .iter()
            .all(|access| access.standing == Standing::Reads)
    );
}

#[test]
fn with_groups_a_key_reads_alone_if_it_is_in_enough_of_them() {
    let file = groups(&[&["a", "b"], &["a"], &["c"]], 2);
    let all = access(&file, None);
    assert_eq!(
        standings(&all),
        [
            ("age1a".into(), Standing::Reads, true),
            ("age1b".into(), Standing::Reads, false),
            ("age1c".into(), Standing::Reads, false),
        ]
    );
    assert_eq!(all[0].groups, [0, 1]);
    let rule = rule("{key_groups: [{age: [age1d]}, {age: [age1e]}]}");
    assert!(
        access(&file, Some(&rule))
            .iter()
            .filter(|access| access.standing == Standing::Awaits)
            .all(|access| !access.alone)
    );
}

#[test]
fn a_key_of_azure_without_a_version_means_any() {
    let file = metadata(
        "azure_kv: [{vault_url: 'https://v', name: k, version: '1', enc: x, created_at: 2024-01-02T03:04:05Z}]",
    );
    let rule = rule("{azure_keyvault: 'https://v/keys/k'}");
    assert_eq!(access(&file, Some(&rule)).len(), 1);
    assert!(KeyDiff::between(&file, &rule).is_empty());
}

#[test]
fn keys_are_compared_group_by_group() {
    let file = groups(&[&["a", "b"], &["c"]], 2);
    let rule = rule(
        "{shamir_threshold: 2, key_groups: [{age: [age1b, age1x]}, {age: [age1c]}, {age: [age1d]}]}",
    );
    let diff = KeyDiff::between(&file, &rule);
    let groups: Vec<_> = diff
        .groups
        .iter()
        .map(|group| {
            (
                lines(&group.common),
                lines(&group.added),
                lines(&group.removed),
            )
        })
        .collect();
    let owned = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        groups,
        [
            (owned(&["age1b"]), owned(&["age1x"]), owned(&["age1a"])),
            (owned(&["age1c"]), vec![], vec![]),
            (vec![], owned(&["age1d"]), vec![]),
        ]
    );
    assert!(diff.needs_wrapping() && !diff.is_reordered());
}

#[test]
fn a_file_that_is_as_its_rule_says_differs_in_nothing() {
    let file = metadata("age: [{recipient: age1a, enc: x}]\nunencrypted_suffix: _unencrypted");
    assert!(KeyDiff::between(&file, &rule("{age: age1a}")).is_empty());
    assert!(KeyDiff::between(&file, &rule("{age: [age1a, age1a]}")).is_empty());
}

#[test]
fn issue_810_2269_a_changed_threshold_and_a_changed_order_are_seen() {
    let file = groups(&[&["a"], &["b"], &["c"]], 2);
    let three = "key_groups: [{age: [age1a]}, {age: [age1b]}, {age: [age1c]}]";
    let with = |threshold| rule(&format!("{{shamir_threshold: {threshold}, {three}}}"));
    let diff = KeyDiff::between(&file, &with(3));
    assert_eq!(diff.threshold, Some(Threshold { from: 2, to: 3 }));
    assert!(diff.needs_wrapping());
    assert_eq!(Threshold::after(&file, &with(3), None), Some(3));
    assert!(KeyDiff::between(&file, &with(2)).is_empty());

    let file = metadata(
        "age: [{recipient: age1a, enc: x}, {recipient: age1b, enc: x}]\npgp: [{fp: AB, enc: x, created_at: 2024-01-02T03:04:05Z}]",
    );
    let diff = KeyDiff::between(&file, &rule("{age: [age1b, age1a], pgp: AB}"));
    assert!(diff.is_reordered() && !diff.needs_wrapping() && !diff.is_empty());
    // A file has all keys of one kind together, whatever the rule says.
    assert!(KeyDiff::between(&file, &rule("{age: [age1a, age1b], pgp: AB}")).is_empty());
}

#[test]
fn a_rule_that_names_no_threshold_keeps_that_of_the_file_where_it_fits() {
    let file = groups(&[&["a"], &["b"], &["c"]], 3);
    let two = rule("{key_groups: [{age: [age1a]}, {age: [age1b]}]}");
    assert_eq!(Threshold::after(&file, &two, None), Some(2));
    assert_eq!(
        KeyDiff::between(&file, &two).threshold,
        Some(Threshold { from: 3, to: 2 })
    );
    assert_eq!(Threshold::after(&file, &rule("{age: age1a}"), None), None);
    let one = metadata("age: [{recipient: age1a, enc: x}]");
    assert_eq!(Threshold::after(&one, &two, None), Some(2));
    assert_eq!(
        KeyDiff::between(&one, &two).threshold,
        Some(Threshold { from: 1, to: 2 })
    );
    let four =
        rule("{key_groups: [{age: [age1a]}, {age: [age1b]}, {age: [age1c]}, {age: [age1d]}]}");
    assert_eq!(Threshold::after(&file, &four, None), Some(3));
    assert_eq!(Threshold::after(&file, &four, Some(2)), Some(2));
}

/// The peer goes on with the selector of the file and says nothing.
#[test]
fn issue_770_938_1153_1788_a_selector_that_the_rule_has_changed_is_seen() {
    let file = metadata("age: [{recipient: age1a, enc: x}]\nencrypted_regex: ^pw$");
    let rule = rule("{age: age1a, encrypted_regex: '^(pw|tok)$', mac_only_encrypted: true}");
    let diff = KeyDiff::between(&file, &rule);
    assert!(!diff.is_empty() && !diff.needs_wrapping());
    assert_eq!(diff.mac_only_encrypted, Some((false, true)));
    let drift = diff.selector.unwrap();
    assert_eq!(
        drift.rule,
        SelectorSpec::EncryptedRegex("^(pw|tok)$".into())
    );
    assert_eq!(drift.exposes(["tok"]), Ok(true));
    assert_eq!(drift.exposes(["pw"]), Ok(false));
    assert_eq!(drift.exposes(["note"]), Ok(false));
}

#[test]
fn a_selector_of_a_file_that_cannot_be_compiled_is_an_error_here_too() {
    let file = metadata("age: [{recipient: age1a, enc: x}]\nencrypted_regex: '('");
    let drift = SelectorDrift::between(&file, &rule("{age: age1a}")).unwrap();
    assert!(
        drift
            .exposes(["a"])
            .unwrap_err()
            .to_string()
            .contains("encrypted_regex")
    );
}

fn planned(file: &Metadata, rule: &CreationRule) -> Vec<Vec<String>> {
    let entry = |entry: &PlannedEntry| match entry {
        PlannedEntry::Keep(wrapped) => format!("keep {}", wrapped.key),
        PlannedEntry::Wrap(key) => format!("wrap {key}"),
    };
    let groups = plan(file, rule, &KeyDiff::between(file, rule));
    groups
        .iter()
        .map(|group| group.iter().map(entry).collect())
        .collect()
}

#[test]
fn an_update_of_one_group_wraps_for_new_keys_alone() {
    let file = metadata(
        "age: [{recipient: age1a, enc: x}, {recipient: age1b, enc: x}, {recipient: age1c, enc: ''}]",
    );
    let rule = rule("{age: [age1b, age1n, age1c]}");
    assert_eq!(
        planned(&file, &rule),
        [["keep age1b", "wrap age1n", "wrap age1c"]]
    );
}

#[test]
fn an_update_of_several_groups_wraps_all_unless_only_the_order_changes() {
    let file = groups(&[&["a", "b"], &["c"]], 2);
    let moved = rule("{key_groups: [{age: [age1b, age1a]}, {age: [age1c]}]}");
    assert_eq!(
        planned(&file, &moved),
        [vec!["keep age1b", "keep age1a"], vec!["keep age1c"]]
    );
    let other = rule("{key_groups: [{age: [age1a]}, {age: [age1c]}]}");
    assert_eq!(planned(&file, &other), [["wrap age1a"], ["wrap age1c"]]);
    let one = rule("{age: [age1a]}");
    assert_eq!(planned(&file, &one), [["wrap age1a"]]);
}
