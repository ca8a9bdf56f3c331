#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use signet_keys::sops::MasterKey;
use signet_keys::sops::master_key::KmsContext;

use super::*;
use crate::sops::metadata::Split;
use crate::sops::selector::SelectorSpec;

fn parse(text: &str) -> Rules {
    Rules::parse(text).unwrap()
}

fn below(path: &str) -> RulePath {
    RulePath::new("/repo", &format!("/repo/{path}"), PathStyle::Unix)
}

/// The rule of `x.yaml`.
fn rule(text: &str) -> CreationRule {
    let rules = parse(text);
    rules
        .creation_rule(&below("x.yaml"))
        .unwrap()
        .unwrap()
        .clone()
}

fn lines(groups: &[Vec<MasterKey>]) -> Vec<Vec<String>> {
    let group = |group: &Vec<MasterKey>| group.iter().map(MasterKey::to_string).collect();
    groups.iter().map(group).collect()
}

fn keys(text: &str) -> Vec<Vec<String>> {
    lines(&rule(text).groups)
}

fn warnings(text: &str) -> Vec<String> {
    parse(text)
        .warnings()
        .iter()
        .map(Warning::to_string)
        .collect()
}

fn problems(text: &str) -> Vec<String> {
    parse(text).problems().map(RulesError::to_string).collect()
}

/// What sops 3.13.3 did with `x.yaml`; recorded, and asked again by the suite.
#[test]
fn recorded_answers_of_the_peer_are_ours() {
    let cases = include_str!("../../tests/fixtures/sops/rules.json");
    let cases: serde_json::Value = serde_json::from_str(cases).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(cases.len() > 40);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let rules = Rules::parse(case["rules"].as_str().unwrap());
        let path = below(case["path"].as_str().unwrap());
        let found = rules
            .as_ref()
            .ok()
            .and_then(|rules| rules.creation_rule(&path).ok().flatten());
        let Some(expected) = case["groups"].as_array() else {
            // The peer fails before it encrypts, or for want of a key.
            let usable = found.filter(|rule| rule.split().is_ok());
            assert!(usable.is_none(), "{name}: {found:?}");
            continue;
        };
        let found = found.unwrap_or_else(|| panic!("{name}: {rules:?}"));
        let groups: Vec<Vec<&str>> = expected
            .iter()
            .map(|group| {
                group
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|key| key.as_str().unwrap())
                    .collect()
            })
            .collect();
        assert_eq!(lines(&found.groups), groups, "{name}");
        let selector = found.selector.clone().unwrap_or_default();
        assert_eq!(selector.field(), case["selector"][0], "{name}");
        assert_eq!(selector.text(), case["selector"][1], "{name}");
        assert_eq!(
            found.mac_only_encrypted, case["mac_only_encrypted"],
            "{name}"
        );
        let threshold = match found.split() {
            Ok(Split::Shares { threshold, .. }) => Some(threshold),
            _ => found.shamir_threshold,
        };
        assert_eq!(
            threshold.map_or(0, |threshold| threshold as u64),
            case["threshold"],
            "{name}"
        );
    }
}

#[test]
fn the_first_rule_that_matches_is_taken() {
    let rules = parse(
        "creation_rules:\n- {path_regex: ^prod/, age: age1p}\n- {path_regex: \\.yaml$, age: age1y}\n- age: age1z\n",
    );
    let key = |path: &str| {
        let rule = rules.creation_rule(&below(path)).unwrap().unwrap();
        lines(&rule.groups)[0][0].clone()
    };
    assert_eq!(key("prod/a.yaml"), "age1p");
    assert_eq!(key("a.yaml"), "age1y");
    assert_eq!(key("a.json"), "age1z");
}

#[test]
fn no_rules_are_no_file_and_none_that_matches_is_an_error() {
    for text in [
        "",
        "# x\n",
        "creation_rules:\n",
        "stores: {}\n",
        "keys: [&a age1a]\n",
    ] {
        assert_eq!(parse(text).creation_rule(&below("x")), Ok(None), "{text}");
    }
    for text in [
        "creation_rules: []",
        "creation_rules: [~]",
        "creation_rules: [{path_regex: y, age: age1a}]",
    ] {
        let error = parse(text).creation_rule(&below("x")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no matching creation rules found for `x`"
        );
        assert!(error.hint().unwrap().contains("relative to the folder"));
    }
}

#[test]
fn all_kinds_of_keys_stand_in_a_rule() {
    let text = "creation_rules:
- hc_vault_transit_uri: ['https://h:8200/v1/sops/keys/dev']
  azure_keyvault: https://v.vault.azure.net/keys/k/1, https://v.vault.azure.net/keys/k
  hckms: tr-west-1:u
  gcp_kms: projects/p/locations/l/keyRings/r/cryptoKeys/k
  kms: arn:aws:kms:eu-west-1:1:key/x+arn:aws:iam::1:role/r
  aws_profile: dev
  pgp: >-
    85D7 7543 B3D6 24B6,
    1022470DE3F0BC54BC6AB62DE05550BC07FB1A0A
  age: age1a
";
    assert_eq!(
        keys(text),
        [[
            "age1a",
            "85D77543B3D624B6",
            "1022470DE3F0BC54BC6AB62DE05550BC07FB1A0A",
            "arn:aws:kms:eu-west-1:1:key/x+arn:aws:iam::1:role/r||dev",
            "projects/p/locations/l/keyRings/r/cryptoKeys/k",
            "tr-west-1:u",
            "https://v.vault.azure.net/keys/k/1",
            "https://v.vault.azure.net/keys/k/",
            "https://h:8200/v1/sops/keys/dev",
        ]]
    );
    let unresolved = rule(text).groups[0]
        .iter()
        .filter(|key| key.is_unresolved())
        .count();
    assert_eq!(unresolved, 1);
}

#[test]
fn all_kinds_of_keys_stand_in_a_group() {
    let text = "creation_rules:
- shamir_threshold: 2
  key_groups:
  - hc_vault: ['https://h:8200/v1/sops/keys/dev']
    azure_keyvault: [{vaultUrl: 'https://v.vault.azure.net', key: k, version: 1}]
    hckms: [{key_id: 'tr-west-1:u'}]
    gcp_kms: [{resource_id: projects/p}]
    kms: [{arn: 'arn:x', role: r, context: {b: 2, a: x}, aws_profile: dev}]
    pgp: ['85D7 7543']
    age: ['age1a,age1b', age1a]
  - age: [age1c]
";
    assert_eq!(
        keys(text),
        [
            vec![
                "age1a",
                "age1b",
                "85D77543",
                "arn:x+r|a:x,b:2|dev",
                "projects/p",
                "tr-west-1:u",
                "https://v.vault.azure.net/keys/k/1",
                "https://h:8200/v1/sops/keys/dev",
            ],
            vec!["age1c"],
        ]
    );
    assert_eq!(
        rule(text).split(),
        Ok(Split::Shares {
            groups: 2,
            threshold: 2
        })
    );
}

#[test]
fn groups_merge_others_and_have_each_key_once() {
    let text = "
admins: &admins {age: [age1a], pgp: [AB]}
team: &team {merge: [*admins], age: [age1t]}
creation_rules:
- key_groups:
  - merge: [*team, *admins]
    age: [age1a, age1x]
";
    assert_eq!(keys(text), [["age1a", "AB", "age1t", "age1x"]]);
    assert_eq!(warnings(text), [""; 0]);
}

#[test]
fn anchors_and_merge_keys_share_what_rules_have_in_common() {
    let text = "
keys: [&alice age1a, &bob age1b]
common: &common {age: [*alice, *bob], encrypted_regex: ^a}
creation_rules:
- <<: *common
  encrypted_regex: ^b
";
    assert_eq!(keys(text), [["age1a", "age1b"]]);
    assert_eq!(
        rule(text).selector,
        Some(SelectorSpec::EncryptedRegex("^b".into()))
    );
    assert_eq!(warnings(text), [""; 0]);
}

#[test]
fn the_context_of_the_command_line_is_for_keys_in_the_rule_itself() {
    let context = KmsContext::from([("a".to_owned(), "x".to_owned())]);
    let flat = rule("creation_rules: [{kms: 'arn:x', age: age1a}]");
    assert_eq!(
        lines(&flat.groups_with_context(&context)),
        [["age1a", "arn:x|a:x"]]
    );
    let groups = rule("creation_rules: [{key_groups: [{kms: [{arn: 'arn:x'}]}]}]");
    assert_eq!(lines(&groups.groups_with_context(&context)), [["arn:x"]]);
}

#[test]
fn what_is_wrong_in_another_rule_does_not_stand_in_the_way() {
    let text = "creation_rules:
- {path_regex: ^x, age: age1a}
- {path_regex: '(', age: age1b}
- {path_regex: y, age: hunter2}
- {path_regex: z, age: age1a, encrypted_regex: '['}
- {path_regex: z, age: age1a, encrypted_regex: a, encrypted_suffix: b}
";
    assert_eq!(keys(text), [["age1a"]]);
    assert_eq!(
        problems(text),
        [
            "line 3, column 16: `path_regex`: `(` is not a regular expression: missing closing `)`",
            "line 4, column 24: `age`: not an age recipient: expected age1..., ssh-ed25519 ... or ssh-rsa ...",
            "line 5, column 48: `encrypted_regex`: `[` is not a regular expression: `[` has no closing bracket",
            "line 6, column 69: the rule has both `encrypted_regex` and `encrypted_suffix`: it may have one",
        ]
    );
    let error = parse(text).creation_rule(&below("y")).unwrap_err();
    assert!(error.to_string().starts_with("line 3, "), "{error}");
    assert!(error.hint().unwrap().contains("Go"));
}

#[test]
fn wrong_types_are_errors_with_a_place() {
    let error = |text: &str| Rules::parse(text).unwrap_err().to_string();
    for (text, expected) in [
        ("- a", "line 1, column 1: the file is not a mapping"),
        (
            "creation_rules: {age: x}",
            "line 1, column 17: `creation_rules` in the file is not a list",
        ),
        (
            "creation_rules: [x]",
            "line 1, column 18: a creation rule is not a mapping",
        ),
        (
            "creation_rules:\n- path_regex: [a]",
            "line 2, column 15: `path_regex` in a creation rule is not a text",
        ),
        (
            "creation_rules:\n- age: [[a]]",
            "line 2, column 9: `age` in a creation rule is not a text or a list of texts",
        ),
        (
            "creation_rules:\n- key_groups: [{age: x}]",
            "line 2, column 22: `age` in a key group is not a list",
        ),
        (
            "creation_rules:\n- shamir_threshold: two",
            "line 2, column 21: `shamir_threshold` in a creation rule is not a whole number",
        ),
        (
            "creation_rules:\n- shamir_threshold: -1",
            "line 2, column 21: `shamir_threshold` in a creation rule is not a number of key groups",
        ),
        (
            "creation_rules:\n- mac_only_encrypted: maybe",
            "line 2, column 23: `mac_only_encrypted` in a creation rule is not true or false",
        ),
        (
            "creation_rules:\n- age: a\n  age: b",
            "line 3, column 3: the key `age` stands already at line 2, column 3",
        ),
        (
            "creation_rules:\n- age: *a",
            "line 2, column 8: alias of an anchor that does not stand before it",
        ),
        (
            "stores: {yaml: {indent: x}}",
            "line 1, column 25: `indent` in a store is not a whole number",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn keys_that_mean_nothing_are_told_with_what_was_meant() {
    let text = "
x-note: free
creation-rules: []
creation_rules:
- age: age1a
  hc_vault_uris: https://h/v1/a/keys/b
  encrypted-regex: ^a
  note: x
  key_groups:
  - age: [age1a]
    azure_kv: []
    kms: [{arn: a, profile: x}]
destination_rules:
- s3_bucket: b
  reencryption_rule: {}
";
    assert_eq!(
        warnings(text),
        [
            "line 3, column 1: unknown key `creation-rules` in the file is ignored; did you mean `creation_rules`?",
            "line 5, column 8: `age` is ignored, because the rule has `key_groups`",
            "line 6, column 3: unknown key `hc_vault_uris` in a creation rule is ignored; did you mean `hc_vault_transit_uri`?",
            "line 7, column 3: unknown key `encrypted-regex` in a creation rule is ignored; did you mean `encrypted_regex`?",
            "line 8, column 3: unknown key `note` in a creation rule is ignored",
            "line 11, column 5: unknown key `azure_kv` in a key group is ignored; did you mean `azure_keyvault`?",
            "line 12, column 20: unknown key `profile` in a key under `kms` is ignored; did you mean `aws_profile`?",
            "line 15, column 3: unknown key `reencryption_rule` in a destination rule is ignored; did you mean `recreation_rule`?",
        ]
    );
}

#[test]
fn rules_that_cannot_be_as_meant_are_told() {
    assert_eq!(
        warnings("creation_rules:\n- age: age1a\n- age: age1b\n- path_regex: x\n"),
        [
            "line 3, column 3: the rule is never reached: one before it has no `path_regex`",
            "line 4, column 3: the rule is never reached: one before it has no `path_regex`",
        ]
    );
    assert_eq!(
        warnings("creation_rules: [{age: age1a, shamir_threshold: 2}]"),
        ["line 1, column 49: `shamir_threshold: 2` says nothing without several `key_groups`"]
    );
    let three =
        "creation_rules: [{shamir_threshold: 3, key_groups: [{age: [age1a]}, {age: [age1b]}]}]";
    assert!(warnings(three)[0].contains("from 2 to the number of key groups, 2"));
    assert!(rule(three).split().unwrap_err().hint().contains("2 to 2"));
}

#[test]
fn destinations_are_one_a_rule_and_tried_on_the_argument() {
    let text = "destination_rules:
- {path_regex: ^s3/, s3_bucket: b, s3_prefix: p/, recreation_rule: {age: age1a}, omit_extensions: true}
- {path_regex: ^gcs/, gcs_bucket: b, recreation_rule: {}}
- {path_regex: ^v1/, vault_path: a/, vault_kv_mount_name: kv/, vault_kv_version: 1, vault_address: 'https://h'}
- {path_regex: ^v2/, vault_path: a}
- {path_regex: ^two/, vault_path: a/, s3_bucket: b}
- {path_regex: ^v3/, vault_path: a/, vault_kv_version: 3}
- {path_regex: ^none/}
";
    let rules = parse(text);
    let destination = |path| {
        rules
            .destination_rule(path)
            .map(|rule| rule.destination.clone())
    };
    let s3 = rules.destination_rule("s3/x").unwrap();
    assert_eq!(lines(&s3.recreation.as_ref().unwrap().groups), [["age1a"]]);
    assert!(s3.omit_extensions);
    assert_eq!(
        s3.destination,
        Destination::S3 {
            bucket: "b".into(),
            prefix: "p/".into()
        }
    );
    let gcs = Destination::Gcs {
        bucket: "b".into(),
        prefix: String::new(),
    };
    assert_eq!(destination("gcs/x"), Ok(gcs));
    assert_eq!(rules.destination_rule("gcs/x").unwrap().recreation, None);
    let vault = |address: Option<&str>, mount: &str, version| Destination::Vault {
        address: address.map(str::to_owned),
        path: "a/".into(),
        mount: mount.into(),
        version,
    };
    assert_eq!(destination("v1/x"), Ok(vault(Some("https://h"), "kv/", 1)));
    assert_eq!(destination("v2/x"), Ok(vault(None, "secret/", 2)));
    for (path, place) in [
        ("s3/x", "s3://b/p/x.yaml"),
        ("gcs/x", "gcs://b/x.yaml"),
        ("v1/x", "https://h/v1/kv/a/x.yaml"),
        ("v2/x", "https://vault/v1/secret/data/a/x.yaml"),
    ] {
        let place_of = destination(path).unwrap().place("x.yaml", "https://vault");
        assert_eq!(place_of, place);
    }
    let error = |path| destination(path).unwrap_err().to_string();
    assert!(error("two/x").contains("both `s3_bucket` and `vault_path`"));
    assert!(error("v3/x").contains("`vault_kv_version` is 1 or 2"));
    assert!(error("none/x").contains("names no destination"));
    assert_eq!(
        error("x"),
        "no matching destination found in config for `x`"
    );
    // The peer would go on to the next rule.
    let rules = parse("destination_rules: [{path_regex: '(', s3_bucket: a}, {s3_bucket: b}]");
    assert!(matches!(
        rules.destination_rule("x"),
        Err(RulesError::Regex { .. })
    ));
}

#[test]
fn stores_have_the_defaults_of_the_peer() {
    assert_eq!(
        *parse("").stores(),
        Stores {
            yaml_indent: 0,
            json_indent: -1,
            json_binary_indent: -1
        }
    );
    let stores = *parse("stores: {yaml: {indent: 2}, json: {indent: 0}, json_binary: {}}").stores();
    assert_eq!(
        stores,
        Stores {
            yaml_indent: 2,
            json_indent: 0,
            json_binary_indent: -1
        }
    );
}

#[test]
fn groups_that_merge_themselves_are_refused() {
    for text in [
        "creation_rules:\n- key_groups:\n  - &g\n    age: [age1a]\n    merge: [*g, *g]\n",
        "a: &a\n  <<: *a\n  creation_rules: []\ncreation_rules: [*a]",
    ] {
        assert!(
            matches!(
                Rules::parse(text),
                Err(RulesError::TooLarge { .. } | RulesError::Yaml(_))
            ),
            "{text}"
        );
    }
}

#[test]
fn the_example_of_the_documentation_is_as_it_should_be() {
    let page = include_str!("../../../docs/sops-rules.md");
    let example = page
        .split("```")
        .nth(1)
        .unwrap()
        .strip_prefix("yaml")
        .unwrap();
    let rules = parse(example);
    assert_eq!((rules.warnings(), rules.problems().count()), (&[][..], 0));
    let groups = |path: &str| {
        let rule = rules.creation_rule(&below(path)).unwrap().unwrap();
        rule.split().unwrap();
        rule.groups.iter().map(Vec::len).collect::<Vec<_>>()
    };
    assert_eq!(groups("clusters/production/db.yaml"), [2]);
    assert_eq!(groups("vault/x.json"), [2, 1]);
    assert_eq!(groups("notes.txt"), [1]);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = Rules::parse(&text);
    }

    #[test]
    fn any_arrangement_of_known_words_is_read_or_refused(
        words in prop::collection::vec(prop::sample::select(vec![
            "creation_rules:", "\n- ", "\n  ", "\n    ", "\n    - ", "path_regex: ", "age: ", "kms: ", "pgp: ", "key_groups:",
            "merge: ", "&a ", "*a", "<<: ", "[", "]", "{", "}", ", ", "age1a", "'('", "destination_rules:", "s3_bucket: ", "x",
            "context: ", "stores:", "indent: ", "2", "azure_keyvault: ", "vaultUrl: ", "shamir_threshold: ", "~", "# c\n", "---\n",
        ]), 0..24),
    ) {
        if let Ok(rules) = Rules::parse(&words.concat()) {
            let _ = rules.creation_rule(&below("x"));
            let _ = rules.destination_rule("x");
            rules.warnings().iter().for_each(|warning| drop(warning.to_string()));
            rules.problems().for_each(|problem| drop((problem.to_string(), problem.hint(), problem.position())));
        }
    }
}
