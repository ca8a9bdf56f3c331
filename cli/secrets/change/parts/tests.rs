#![allow(clippy::unwrap_used)]

use serde_json::{Value as Json, json};
use signet_documents::sops::tree::parse_path;
use signet_keys::sops::Kind;

use super::super::json::tree_value;
use super::*;

fn tree(json: &Json) -> Tree {
    let TreeValue::Map(branch) = tree_value(json) else {
        unreachable!("a document is a map");
    };
    Tree {
        documents: vec![branch],
    }
}

fn after_set(path: &str, value: &Json) -> Result<Tree, PartError> {
    let mut changed = tree(&json!({"a": "x", "l": [1, {"k": 2}], "m": {"k": "v"}}));
    set(&mut changed, &parse_path(path).unwrap(), tree_value(value))?;
    Ok(changed)
}

fn after_unset(path: &str) -> Result<Tree, PartError> {
    let mut changed = tree(&json!({"a": "x", "l": [1, {"k": 2}], "m": {"k": "v"}}));
    unset(&mut changed, &parse_path(path).unwrap())?;
    Ok(changed)
}

#[test]
fn a_value_is_set_where_the_path_leads_and_what_is_missing_is_made() {
    for (path, value, expected) in [
        (
            "[\"a\"]",
            json!("y"),
            json!({"a": "y", "l": [1, {"k": 2}], "m": {"k": "v"}}),
        ),
        (
            "[\"l\"][0]",
            json!(7),
            json!({"a": "x", "l": [7, {"k": 2}], "m": {"k": "v"}}),
        ),
        (
            "[\"l\"][1][\"k\"]",
            json!(7),
            json!({"a": "x", "l": [1, {"k": 7}], "m": {"k": "v"}}),
        ),
        (
            "[\"l\"][9]",
            json!(7),
            json!({"a": "x", "l": [1, {"k": 2}, 7], "m": {"k": "v"}}),
        ),
        (
            "[\"n\"][\"o\"][0]",
            json!(7),
            json!({"a": "x", "l": [1, {"k": 2}], "m": {"k": "v"}, "n": {"o": [7]}}),
        ),
        (
            "[\"a\"][\"b\"]",
            json!(7),
            json!({"a": {"b": 7}, "l": [1, {"k": 2}], "m": {"k": "v"}}),
        ),
    ] {
        assert_eq!(after_set(path, &value).unwrap(), tree(&expected), "{path}");
    }
}

#[test]
fn a_value_is_removed_and_nothing_else() {
    for (path, expected) in [
        ("[\"a\"]", json!({"l": [1, {"k": 2}], "m": {"k": "v"}})),
        (
            "[\"l\"][0]",
            json!({"a": "x", "l": [{"k": 2}], "m": {"k": "v"}}),
        ),
        (
            "[\"m\"][\"k\"]",
            json!({"a": "x", "l": [1, {"k": 2}], "m": {}}),
        ),
    ] {
        assert_eq!(after_unset(path).unwrap(), tree(&expected), "{path}");
    }
}

#[test]
fn a_path_that_leads_nowhere_is_told() {
    assert_eq!(
        after_unset("[\"z\"]").unwrap_err(),
        PartError::MissingKey("z".to_owned())
    );
    assert_eq!(
        after_unset("[\"l\"][7]").unwrap_err(),
        PartError::OutOfBounds(7)
    );
    assert_eq!(after_unset("").unwrap_err(), PartError::Empty);
    assert!(matches!(
        after_set("[\"l\"][\"k\"]", &json!(1)).unwrap_err(),
        PartError::WrongKind { .. }
    ));
}

#[test]
fn whole_numbers_of_json_stay_whole() {
    let kind = |json: Json| match tree_value(&json) {
        TreeValue::Scalar(value) => value.kind(),
        _ => unreachable!("a number is a single value"),
    };
    assert_eq!(kind(json!(9_007_199_254_740_993_i64)), Kind::Int);
    assert_eq!(kind(json!(1.5)), Kind::Float);
}
