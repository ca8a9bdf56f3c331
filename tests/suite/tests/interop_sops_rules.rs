//! Rules and selectors beside the real sops: which keys a new file gets, and which of its values are
//! encrypted.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use serde_json::{Value, json};
use signet_documents::sops::selector::{Level, Scope, Selector, SelectorSpec};

/// Runs sops in a folder, with nothing of the surroundings.
fn sops(folder: &tempfile::TempDir, args: &[&str]) -> Output {
    Command::new(signet_kit::tools().path("sops"))
        .args(args)
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", folder.path())
        .output()
        .unwrap()
}

fn encrypted(output: &Output) -> Option<Value> {
    let json = output.status.success().then_some(&output.stdout)?;
    Some(serde_json::from_slice(json).unwrap())
}

fn recipients(group: &Value) -> Vec<&Value> {
    let keys = group["age"].as_array().into_iter().flatten();
    keys.map(|key| &key["recipient"]).collect()
}

/// The crate's own test compares the same record with what it does itself.
#[test]
fn the_recorded_answers_to_rules_are_those_of_sops() {
    let cases = include_str!("../../../documents/tests/fixtures/sops/rules.json");
    let cases: Vec<Value> = serde_json::from_str(cases).unwrap();
    for case in cases {
        let folder = tempfile::tempdir().unwrap();
        let path = case["path"].as_str().unwrap();
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "a: 1\n").unwrap();
        let rules = case["rules"].as_str().unwrap();
        std::fs::write(folder.path().join(".sops.yaml"), rules).unwrap();
        let output = sops(&folder, &["encrypt", "--output-type", "json", path]);
        let Some(file) = encrypted(&output) else {
            assert_eq!(case["groups"], Value::Null, "{case}: {output:?}");
            continue;
        };
        let metadata = &file["sops"];
        let groups = match metadata["key_groups"].as_array() {
            Some(groups) => groups.iter().map(recipients).collect(),
            None => vec![recipients(metadata)],
        };
        assert_eq!(json!(groups), case["groups"], "{case}");
        let field = case["selector"][0].as_str().unwrap();
        assert_eq!(metadata[field], case["selector"][1], "{case}");
        let threshold = metadata["shamir_threshold"].as_u64().unwrap_or(0);
        assert_eq!(threshold, case["threshold"], "{case}");
        let only = metadata["mac_only_encrypted"].as_bool().unwrap_or(false);
        assert_eq!(only, case["mac_only_encrypted"], "{case}");
    }
}

/// Comments and values one after the other, each with a line of its own in what sops writes.
const DOCUMENT: &str = "\
# top
kind: a
# pub and enc
# after
data_enc:
  # inside
  plain_unencrypted: b
  deep: {data: c}
list:
- d
# pub in a list
- e
# after in a list
- f
# enc
other: g
last: h
# end
";

#[test]
fn selectors_encrypt_what_sops_encrypts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.yaml"), DOCUMENT).unwrap();
    let recipient = "age1k30enwh4thkg7hyp9nkfs6z23z35360zejsxz8kq2d7vg0x22fzsz7t3pg";
    for (field, text) in [
        ("encrypted_comment_regex", "enc"),
        ("encrypted_comment_regex", "pub|inside"),
        ("encrypted_comment_regex", "^ pub in a list$"),
        ("encrypted_regex", "^data"),
        ("encrypted_regex", "."),
        ("encrypted_regex", r"^\Qkind\E$|(?i)LAST"),
        ("encrypted_suffix", "_enc"),
        ("encrypted_suffix", "t"),
        ("unencrypted_comment_regex", "^ pub"),
        ("unencrypted_comment_regex", "^ inside|^ top"),
        ("unencrypted_regex", "^(data|list)$"),
        ("unencrypted_regex", "[[:^alpha:]]"),
        ("unencrypted_suffix", "_unencrypted"),
        ("unencrypted_suffix", "st"),
    ] {
        let spec = SelectorSpec::of_field(field, text.to_owned()).unwrap();
        let rules = json!({"creation_rules": [{"age": recipient, field: text}]});
        std::fs::write(folder.path().join(".sops.yaml"), rules.to_string()).unwrap();
        let output = sops(&folder, &["encrypt", "x.yaml"]);
        let file = String::from_utf8(output.stdout).unwrap();
        let body = file.split("\nsops:\n").next().unwrap();
        let theirs: Vec<bool> = body
            .lines()
            .filter(|line| !line.trim_end().ends_with(':'))
            .map(|line| line.contains("ENC["))
            .collect();
        let selector = Selector::compile(&spec).unwrap();
        assert_eq!(ours(&selector), theirs, "{field}: {text}\n{body}");
    }
}

/// The walk over [`DOCUMENT`].
fn ours(selector: &Selector) -> Vec<bool> {
    let mut root = selector.document();
    let value = |level: &mut Level<'_>, key| level.entry(key).is_encrypted();
    let mut all = vec![
        root.comment(" top"),
        value(&mut root, "kind"),
        root.comment(" pub and enc"),
        root.comment(" after"),
    ];
    let mut data = root.entry("data_enc").level();
    all.extend([
        data.comment(" inside"),
        value(&mut data, "plain_unencrypted"),
    ]);
    let mut deep = data.entry("deep").level();
    all.push(value(&mut deep, "data"));
    let list: Scope<'_> = root.entry("list");
    let mut list = list.level();
    all.extend([
        list.item().is_encrypted(),
        list.comment(" pub in a list"),
        list.item().is_encrypted(),
        list.comment(" after in a list"),
        list.item().is_encrypted(),
        root.comment(" enc"),
        value(&mut root, "other"),
        value(&mut root, "last"),
        root.comment(" end"),
    ]);
    all
}
