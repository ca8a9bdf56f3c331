#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::yaml::Stream;

fn parts<'p>(path: &'p [&'p str]) -> Vec<Part<'p>> {
    let part = |part: &&'p str| part.parse().map_or(Part::Key(part), Part::Index);
    path.iter().map(part).collect()
}

fn edited(text: &str, edit: impl Fn(&mut Editor<'_>) -> Result<(), EditError>) -> String {
    let stream = Stream::parse(text).unwrap();
    let mut editor = Editor::new(&stream.documents()[0]);
    edit(&mut editor).unwrap();
    editor.apply().unwrap()
}

fn put(text: &str, path: &[&str], value: &Value) -> String {
    let edited = edited(text, |editor| {
        editor.put(editor.document.root().unwrap(), &parts(path), value)
    });
    let stream = Stream::parse(&edited).unwrap();
    let mut node = stream.documents()[0].root().unwrap();
    for part in parts(path) {
        node = match part {
            Part::Key(key) => node.get(key).unwrap(),
            Part::Index(index) => node.items().nth(index).unwrap().node,
        };
    }
    assert_eq!(value::to_json(node).unwrap(), *value, "{edited}");
    edited
}

fn take(text: &str, path: &[&str]) -> String {
    edited(text, |editor| {
        editor.take(editor.document.root().unwrap(), &parts(path))
    })
}

const USERS: &str = "# who\nusers:\n  # the first\n  - name: ann   # a\n    pw: \"x\"\n\n  # the second\n  -   name: bob\n  # end\nz: 1\n";

#[test]
fn an_item_is_put_behind_the_last_and_nothing_else_moves() {
    for (text, expected) in [
        (
            "a:\n- x # c\n# d\nb: 1\n",
            "a:\n- x # c\n- new\n# d\nb: 1\n",
        ),
        (
            "a:\n    -   \"x\"\n\n\nb: 1\n",
            "a:\n    -   \"x\"\n    - new\n\n\nb: 1\n",
        ),
        ("a: [x]\n", "a: [x, new]\n"),
        ("a: [ x, ] # c\n", "a: [ x, new, ] # c\n"),
        ("a: [\n  x, # c\n]\n", "a: [\n  x, # c\n  new,\n]\n"),
        ("a: [\n  x # c\n]\n", "a: [\n  x, # c\n  new\n]\n"),
        ("a:\n- x\r\nb: 1\n", "a:\n- x\n- new\r\nb: 1\n"),
        ("a:\n- |\n  x", "a:\n- |-\n  x\n- new"),
        ("{\"a\": [\"x\"]}", "{\"a\": [\"x\",\"new\"]}"),
        (
            "{\n\t\"a\": [\n\t\t\"x\"\n\t]\n}\n",
            "{\n\t\"a\": [\n\t\t\"x\",\n\t\t\"new\"\n\t]\n}\n",
        ),
    ] {
        assert_eq!(put(text, &["a", "1"], &json!("new")), expected);
    }
    assert_eq!(
        put(
            "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n",
            &["a", "c"],
            &json!([2])
        ),
        "{\n\t\"a\": {\n\t\t\"b\": 1,\n\t\t\"c\": [\n\t\t\t2\n\t\t]\n\t}\n}\n"
    );
    let eve = json!({"name": "eve", "roles": ["r"]});
    assert_eq!(
        put(USERS, &["users", "2"], &eve),
        USERS.replace("bob\n", "bob\n  - name: eve\n    roles:\n    - r\n")
    );
}

#[test]
fn an_item_is_taken_with_its_comments_and_nothing_else_moves() {
    assert_eq!(
        take(USERS, &["users", "0"]),
        "# who\nusers:\n\n  # the second\n  -   name: bob\n  # end\nz: 1\n"
    );
    assert_eq!(
        take(USERS, &["users", "1"]),
        "# who\nusers:\n  # the first\n  - name: ann   # a\n    pw: \"x\"\n\n  # end\nz: 1\n"
    );
    for (text, index, expected) in [
        ("a: [x, y ,z]\n", "0", "a: [y ,z]\n"),
        ("a: [x, y ,z]\n", "1", "a: [x, z]\n"),
        ("a: [x, y ,z]\n", "2", "a: [x, y]\n"),
        ("a: [x] # c\n", "0", "a: [] # c\n"),
        ("a:\n- x\nb: 1\n", "0", "a: []\nb: 1\n"),
        ("a:\n- - 1\n  - 2\n- 3\n", "0", "a:\n- 3\n"),
    ] {
        assert_eq!(take(text, &["a", index]), expected);
    }
}

#[test]
fn of_a_value_that_is_replaced_what_stays_the_same_keeps_its_bytes() {
    let users = |names: &[&str]| {
        let users = names.iter().map(|name| match *name {
            "ann" => json!({"name": "ann", "pw": "x"}),
            name => json!({"name": name}),
        });
        Value::Array(users.collect())
    };
    for (names, expected) in [
        (
            &["eve", "ann", "bob"][..],
            USERS.replace("  # the first", "  - name: eve\n  # the first"),
        ),
        (
            &["ann", "eve", "bob"],
            USERS.replace("\"x\"\n", "\"x\"\n  - name: eve\n"),
        ),
        (&["ann", "eve"], USERS.replace("bob", "eve")),
        (
            &["bob"],
            "# who\nusers:\n\n  # the second\n  -   name: bob\n  # end\nz: 1\n".into(),
        ),
    ] {
        assert_eq!(put(USERS, &["users"], &users(names)), expected);
    }
    assert_eq!(
        put(
            "m:\n  a: 1 # one\n  # two\n  b: 'x'\n",
            &["m"],
            &json!({"c": 3, "a": 1})
        ),
        "m:\n  a: 1 # one\n  c: 3\n"
    );
    assert_eq!(
        put("m: 1 # c\n", &["m"], &json!([1, {"a": 2}])),
        "m: # c\n- 1\n- a: 2\n"
    );
    assert_eq!(
        put("m:\n- 1\n# c\nn: 2\n", &["m"], &json!({"a": 2})),
        "m:\n  a: 2\n# c\nn: 2\n"
    );
}

#[test]
fn what_an_alias_refers_to_gains_and_loses_nothing() {
    let stream = Stream::parse("a: &x [1, 2]\nb: *x\n").unwrap();
    let document = &stream.documents()[0];
    let root = document.root().unwrap();
    let path = parts(&["a", "2"]);
    let error = Editor::new(document)
        .put(root, &path, &json!(3))
        .unwrap_err();
    assert!(matches!(error, EditError::Referenced { .. }));
    let error = Editor::new(document)
        .take(root, &parts(&["a", "0"]))
        .unwrap_err();
    assert!(matches!(error, EditError::Referenced { .. }));
    let error = Editor::new(document)
        .take(root, &parts(&["b", "0"]))
        .unwrap_err();
    assert!(matches!(error, EditError::ThroughAlias { .. }));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0..4_u8).prop_map(Value::from),
        "[a-c ]{0,3}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec(("[a-d]", inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_becomes_any_other(old in value(), new in value(), style in 0..3_u8) {
        let top = json!({"first": 1, "v": old, "last": [1]});
        let text = match style {
            0 => crate::emit::kubernetes_yaml(&top),
            1 => top.to_string(),
            _ => serde_json::to_string_pretty(&top).unwrap(),
        };
        let edited = put(&text, &["v"], &new);
        let stream = Stream::parse(&edited).unwrap();
        let root = stream.documents()[0].root().unwrap();
        prop_assert_eq!(value::to_json(root).unwrap(), json!({"first": 1, "v": new, "last": [1]}));
    }
}
