#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn found(json: &str, path: &str) -> Option<String> {
    get(json, path).ok().map(|found| found.raw().to_owned())
}

/// The answers are of `github.com/tidwall/gjson` 1.18.0; another test asks it again.
#[test]
fn paths_lead_where_they_lead_in_gjson() {
    let recorded = include_str!("../../../tests/fixtures/gjson.json");
    let recorded: Value = serde_json::from_str(recorded).unwrap();
    let cases = recorded["cases"].as_array().unwrap();
    assert!(cases.len() > 350);
    for case in cases {
        let document = case["document"].as_str().unwrap();
        let json = recorded["documents"][document].as_str().unwrap();
        let path = case["path"].as_str().unwrap();
        let (raw, text) = (case["raw"].as_str(), case["text"].as_str());
        let ours = get(json, path).ok();
        let ours_raw = ours.as_ref().map(Found::raw);
        assert_eq!(ours_raw, raw, "{path} in {document}");
        if let Some(text) = text {
            assert_eq!(*ours.unwrap().text(), *text, "{path} in {document}");
        }
    }
}

#[test]
fn issue_1362_numbers_keep_their_text() {
    for number in ["12345678", "9007199254740993", "1.50", "1e3", "-0", "0.10"] {
        let json = format!(r#"{{"n":{number},"l":[{number}]}}"#);
        assert_eq!(found(&json, "n").as_deref(), Some(number));
        assert_eq!(found(&json, "l.@reverse.0").as_deref(), Some(number));
    }
}

#[test]
fn what_is_no_json_has_no_paths() {
    for text in [
        "",
        "text",
        "{",
        r#"{"a":1"#,
        r#"{"a":1}{"b":2}"#,
        "{'a':1}",
        "[1,]",
    ] {
        assert_eq!(get(text, "a").err(), Some(GetError::NotJson), "{text}");
    }
    assert_eq!(found("{\"a\":1}\n{\"a\":2}", "..1.a").as_deref(), Some("2"));
}

#[test]
fn half_a_surrogate_pair_is_a_replacement_character() {
    let text = |json: &str| get(json, "0").unwrap().text().to_string();
    assert_eq!(text(r#"["\ud83d\ude00"]"#), "\u{1f600}");
    assert_eq!(text(r#"["\ud83d"]"#), "\u{fffd}");
    assert_eq!(text(r#"["\ude00x"]"#), "\u{fffd}x");
    assert_eq!(text(r#"["\ud83d\u0041"]"#), "\u{fffd}");
}

#[test]
fn a_path_that_would_copy_without_end_is_refused() {
    let doubled = ["[@this,@this]"; 64].join("|");
    assert_eq!(get("[1]", &doubled).err(), Some(GetError::TooMuch));
    let nested = "[".repeat(5000) + &"]".repeat(5000);
    assert_eq!(get("[1]", &nested).err(), Some(GetError::TooMuch));
    let long = "a.".repeat(10_000);
    assert_eq!(get("{}", &long).err(), Some(GetError::TooMuch));
    let piped = "@this|".repeat(2000) + "0";
    assert_eq!(found("[1]", &piped).as_deref(), Some("1"));
    let queries = "#(".repeat(3000) + &")".repeat(3000);
    assert!(get("[[[1]]]", &queries).is_err());
    let stars = format!("{}b", "*a".repeat(2000));
    let key = "a".repeat(20_000);
    let object = format!(r#"{{"{key}":1}}"#);
    assert!(get(&object, &stars).is_err());
}

#[test]
fn neither_deep_json_nor_a_deep_path_into_it_exhausts_the_stack() {
    let deep = "[".repeat(120) + "1" + &"]".repeat(120);
    assert_eq!(found(&deep, &["0"; 120].join(".")).as_deref(), Some("1"));
    assert_eq!(found(&deep, "@dig:120").as_deref(), Some("[]"));
    let deeper = "[".repeat(200) + &"]".repeat(200);
    assert_eq!(get(&deeper, "0").err(), Some(GetError::NotJson));
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ -~é\u{1f600}\n]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c.*é\"]{1,3}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Every value by its path, with what means something in a path escaped.
fn walk(value: &Value, path: &str, check: &mut impl FnMut(&str, &Value)) {
    let below = |step: &str| match path {
        "" => step.to_owned(),
        path => format!("{path}.{step}"),
    };
    match value {
        Value::Array(elements) => elements.iter().enumerate().for_each(|(index, element)| {
            walk(element, &below(&index.to_string()), check);
        }),
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            let escape = |c: char| {
                let backslash = if c.is_alphanumeric() { "" } else { "\\" };
                format!("{backslash}{c}")
            };
            walk(
                member,
                &below(&key.chars().map(escape).collect::<String>()),
                check,
            );
        }),
        _ => {}
    }
    if !path.is_empty() {
        check(path, value);
    }
}

proptest! {
    #[test]
    fn every_value_is_found_by_its_path(value in json()) {
        let text = value.to_string();
        let mut wrong = None;
        walk(&value, "", &mut |path, value| {
            let same = found(&text, path).and_then(|raw| serde_json::from_str(&raw).ok());
            if same.as_ref() != Some(value) {
                wrong = Some(path.to_owned());
            }
        });
        prop_assert_eq!(wrong, None, "{}", text);
    }

    #[test]
    fn what_is_found_is_json_and_nothing_panics(value in json(), path in "[a-c0-2#@(){}\\[\\].|*\\\\\"!:=<]{0,12}|(@(keys|values|reverse|flatten|join|group|tostr|fromstr|ugly|pretty|dig:a)[.|]?|[a0#][.|]){0,4}") {
        if let Some(raw) = found(&value.to_string(), &path) {
            prop_assert!(serde_json::from_str::<Value>(&raw).is_ok(), "{} -> {}", path, raw);
        }
    }
}
