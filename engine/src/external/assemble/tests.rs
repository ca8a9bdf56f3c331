#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use serde_json::{Value, json};

use super::*;
use crate::external::needs::Generated;
use crate::external::testing::{Simple, answers, external, gone, text};

fn assembled(spec: Value, answers: &Answers) -> Result<BTreeMap<String, String>, String> {
    let assembled = assemble(&external(spec), answers, &mut Simple);
    let assembled = assembled.map_err(|error| error.to_string())?;
    let text = |value: Plaintext| String::from_utf8(value.expose().to_vec()).unwrap();
    Ok(assembled
        .data
        .into_iter()
        .map(|(key, value)| (key, text(value)))
        .collect())
}

fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

/// A search that found these.
fn found(mut answers: Answers, values: &[(&str, &str)]) -> Answers {
    let spec = external(json!({"dataFrom": [{"find": {"name": {"regexp": "."}}}]}));
    let needs = needs::of(&spec).unwrap();
    let value = |(key, value): &(&str, &str)| ((*key).to_owned(), Fetched::Bytes(text(value)));
    let values = values.iter().map(value).collect();
    answers
        .finds
        .insert(needs.finds.first().unwrap().clone(), Ok(values));
    answers
}

fn find(rest: &Value) -> Value {
    let mut entry = json!({"find": {"name": {"regexp": "."}}});
    entry
        .as_object_mut()
        .unwrap()
        .extend(rest.as_object().unwrap().clone());
    json!({"dataFrom": [entry]})
}

#[test]
fn later_entries_count_more_and_data_most() {
    let answers = answers(&[
        ("one", r#"{"a":"1","b":"1","c":"1"}"#),
        ("two", r#"{"b":"2","c":"2"}"#),
        ("three", "3"),
    ]);
    let spec = json!({
        "data": [{"secretKey": "c", "remoteRef": {"key": "three"}}],
        "dataFrom": [{"extract": {"key": "one"}}, {"extract": {"key": "two"}}],
    });
    assert_eq!(
        assembled(spec, &answers).unwrap(),
        pairs(&[("a", "1"), ("b", "2"), ("c", "3")])
    );
}

#[test]
fn keys_are_converted_unless_they_are_rewritten() {
    let answers = found(Answers::default(), &[("/app/db", "1"), ("/app/x", "2")]);
    let converted = assembled(find(&json!({})), &answers).unwrap();
    assert_eq!(converted, pairs(&[("_app_db", "1"), ("_app_x", "2")]));
    let cut = json!({"rewrite": [{"regexp": {"source": "^/app/(.*)$", "target": "$1"}}]});
    assert_eq!(
        assembled(find(&cut), &answers).unwrap(),
        pairs(&[("db", "1"), ("x", "2")])
    );
    let half = json!({"rewrite": [{"regexp": {"source": "^/app", "target": ""}}]});
    let error = assembled(find(&half), &answers).unwrap_err();
    assert!(
        error.contains("`/db` cannot be a key of a Secret because of `/`"),
        "{error}"
    );
}

#[test]
fn rewrites_follow_on_each_other() {
    let answers = found(Answers::default(), &[("/app/db", "1")]);
    let rewrite = json!({"rewrite": [
        {"regexp": {"source": "/", "target": "_"}},
        {"transform": {"template": "x{{ .value }}"}},
        {"regexp": {"source": "^x_(?P<rest>.*)", "target": "${rest}_$0"}},
    ]});
    let out = assembled(find(&rewrite), &answers).unwrap();
    assert_eq!(out, pairs(&[("app_db_x_app_db", "1")]));
}

#[test]
fn keys_that_become_one_are_an_error_that_names_both() {
    let answers = found(Answers::default(), &[("a1", "1"), ("a2", "2")]);
    for rewrite in [
        json!({"regexp": {"source": "[0-9]", "target": ""}}),
        json!({"transform": {"template": "a"}}),
    ] {
        let error = assembled(find(&json!({"rewrite": [rewrite]})), &answers).unwrap_err();
        assert!(
            error.contains("rewrite[0]: `a1` and `a2` both become the key `a`"),
            "{error}"
        );
    }
}

#[test]
fn values_are_merged_by_priority() {
    let answers = found(
        Answers::default(),
        &[
            ("a", r#"{"k":"a","n":{"y":1.50,"x":"<"}}"#),
            ("b", r#"{"k":"b","z":null}"#),
        ],
    );
    let merge = |merge: Value| assembled(find(&json!({"rewrite": [{"merge": merge}]})), &answers);
    let conflict = merge(json!({})).unwrap_err();
    assert!(
        conflict.contains("`a` and `b` both have the property `k`"),
        "{conflict}"
    );
    let ignored = merge(json!({"conflictPolicy": "Ignore"})).unwrap();
    let expected = pairs(&[
        ("k", "b"),
        ("n", "{\"x\":\"\\u003c\",\"y\":1.50}"),
        ("z", ""),
    ]);
    assert_eq!(ignored, expected);
    let first = merge(json!({"conflictPolicy": "Ignore", "priority": ["a"]})).unwrap();
    assert_eq!(first["k"], "a");
    let nobody = merge(json!({"conflictPolicy": "Ignore", "priority": ["nope"]})).unwrap_err();
    assert!(nobody.contains("priority names `nope`"), "{nobody}");
    let going_on = json!({"conflictPolicy": "Ignore", "priority": ["nope"], "priorityPolicy": "IgnoreNotFound"});
    assert!(merge(going_on).is_ok());
    let json =
        merge(json!({"conflictPolicy": "Ignore", "strategy": "JSON", "into": "all"})).unwrap();
    assert_eq!(json["all"], r#"{"k":"b","n":{"x":"<","y":1.50},"z":null}"#);
    assert!(json.contains_key("a") && json.contains_key("b"));
    assert!(
        merge(json!({"conflictPolicy": "Ignore", "strategy": "JSON"}))
            .unwrap_err()
            .contains("needs `into`")
    );
}

#[test]
fn values_are_decoded_and_checked() {
    let answers = answers(&[
        ("b64", "aHVudGVyMg=="),
        ("obj", r#"{"a":"aHVudGVyMg==","b":"x!"}"#),
    ]);
    let item = |remote: Value| {
        assembled(
            json!({"data": [{"secretKey": "k", "remoteRef": remote}]}),
            &answers,
        )
    };
    assert_eq!(
        item(json!({"key": "b64", "decodingStrategy": "Base64"})).unwrap()["k"],
        "hunter2"
    );
    let both = json!({"dataFrom": [{"extract": {"key": "obj", "decodingStrategy": "Auto"}}]});
    assert_eq!(
        assembled(both, &answers).unwrap(),
        pairs(&[("a", "hunter2"), ("b", "x!")])
    );
    let strict = json!({"dataFrom": [{"extract": {"key": "obj", "decodingStrategy": "Base64"}}]});
    let error = assembled(strict, &answers).unwrap_err();
    assert_eq!(
        error,
        "dataFrom[0]: `obj` in SecretStore `vault`: `b`: it is not base64, as decodingStrategy Base64 has it"
    );
    let null = self::answers_with_null();
    let spec =
        json!({"data": [{"secretKey": "k", "remoteRef": {"key": "n", "nullBytePolicy": "Fail"}}]});
    assert!(
        assembled(spec, &null)
            .unwrap_err()
            .contains("null byte at position 1")
    );
}

fn answers_with_null() -> Answers {
    answers(&[("n", "a\0b")])
}

#[test]
fn generated_items_are_those_of_their_own_entry() {
    let generator = json!({"sourceRef": {"generatorRef": {"kind": "Password", "name": "p"}}});
    let renamed = json!({
        "sourceRef": {"generatorRef": {"kind": "Password", "name": "p"}},
        "rewrite": [{"regexp": {"source": "^", "target": "second_"}}],
    });
    let spec = json!({"dataFrom": [generator, renamed]});
    let needs: Vec<Generated> = needs::of(&external(spec.clone()))
        .unwrap()
        .generated
        .into_iter()
        .collect();
    assert_eq!(needs.len(), 2);
    let mut answers = Answers::default();
    for (index, value) in ["one", "two"].iter().enumerate() {
        let items = BTreeMap::from([("password".to_owned(), text(value))]);
        answers.generated.insert(index, Ok(items));
    }
    let out = assembled(spec, &answers).unwrap();
    assert_eq!(
        out,
        pairs(&[("password", "one"), ("second_password", "two")])
    );
}

#[test]
fn what_is_gone_is_an_error_or_is_gone_without() {
    let answers = gone(answers(&[("here", "1")]), "nope");
    let spec = |policy: &str| {
        json!({
            "target": {"deletionPolicy": policy},
            "data": [
                {"secretKey": "a", "remoteRef": {"key": "here"}},
                {"secretKey": "b", "remoteRef": {"key": "nope"}},
            ],
            "dataFrom": [{"extract": {"key": "nope"}}],
        })
    };
    let error = assembled(spec("Retain"), &answers).unwrap_err();
    assert!(
        error.starts_with("dataFrom[0]: `nope` in SecretStore `vault`: there is no such secret"),
        "{error}"
    );
    for policy in ["Merge", "Delete"] {
        let out = assemble(&external(spec(policy)), &answers, &mut Simple).unwrap();
        assert_eq!(out.data.keys().collect::<Vec<_>>(), ["a"]);
        let missing: Vec<_> = out.missing.iter().map(ToString::to_string).collect();
        assert_eq!(
            missing,
            [
                "`nope` in SecretStore `vault` of dataFrom[0]",
                "`nope` in SecretStore `vault` of data[1] (key `b`)",
            ]
        );
    }
}

#[test]
fn a_failure_or_a_missing_property_is_never_taken_for_a_secret_that_is_gone() {
    let mut answers = answers(&[("obj", "{}")]);
    let denied = Failure::Failed {
        message: "permission denied".to_owned(),
        transient: false,
        retry_after: None,
    };
    answers
        .reads
        .insert(crate::external::testing::read("denied"), Err(denied));
    for (remote, expected) in [
        (json!({"key": "denied"}), "permission denied"),
        (
            json!({"key": "obj", "property": "p"}),
            "it has no property `p`",
        ),
        (json!({"key": "unasked"}), "it was not asked for"),
    ] {
        let spec = json!({"target": {"deletionPolicy": "Delete"}, "data": [{"secretKey": "a", "remoteRef": remote}]});
        let error = assembled(spec, &answers).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn no_error_shows_a_value() {
    let answers = found(
        answers(&[("s", "hunter2")]),
        &[("a", "hunter2"), ("b", "[\"hunter2\"]")],
    );
    for spec in [
        json!({"data": [{"secretKey": "k", "remoteRef": {"key": "s", "property": "p"}}]}),
        json!({"data": [{"secretKey": "k", "remoteRef": {"key": "s", "decodingStrategy": "Base64URL"}}]}),
        json!({"dataFrom": [{"extract": {"key": "s"}}]}),
        find(&json!({"rewrite": [{"merge": {}}]})),
        find(&json!({"rewrite": [{"transform": {"template": "{{"}}]})),
        find(&json!({"rewrite": [{"regexp": {"source": "(", "target": ""}}]})),
    ] {
        let error = assemble(&external(spec), &answers, &mut Simple).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
    }
}
