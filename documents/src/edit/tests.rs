#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::{EditError, Editor};
use crate::yaml::Stream;

enum Edit<'p> {
    Set(&'p [&'p str], Value),
    Remove(&'p [&'p str]),
    Rename(&'p [&'p str], &'p str),
}

use Edit::{Remove, Rename, Set};

fn try_edit(text: &str, edits: &[Edit<'_>]) -> Result<String, EditError> {
    let stream = Stream::parse(text).unwrap();
    let document = &stream.documents()[0];
    let root = document.root().unwrap();
    let mut editor = Editor::new(document);
    for edit in edits {
        match edit {
            Set(path, value) => editor.set(root, path, value)?,
            Remove(path) => editor.remove(root, path)?,
            Rename(path, key) => editor.rename(root, path, key)?,
        }
    }
    editor.apply()
}

#[track_caller]
fn check(text: &str, edits: &[Edit<'_>], expected: &str) {
    assert_eq!(try_edit(text, edits).unwrap(), expected);
}

#[test]
fn a_scalar_is_set_in_its_own_style() {
    check(
        "a: 1 # one\nb: 'x'\nc: \"y\"\nd:\n",
        &[
            Set(&["a"], json!(2)),
            Set(&["b"], json!("it's")),
            Set(&["c"], json!("z")),
            Set(&["d"], json!("w")),
        ],
        "a: 2 # one\nb: 'it''s'\nc: \"z\"\nd: w\n",
    );
}

#[test]
fn text_that_would_be_read_as_something_else_is_quoted() {
    check(
        "a: x\nb: [y]\nc: {d: z}\n",
        &[
            Set(&["a"], json!("yes")),
            Set(&["c", "d"], json!("a, b")),
            Set(&["c", "e"], json!("12")),
        ],
        "a: \"yes\"\nb: [y]\nc: {d: \"a, b\", e: \"12\"}\n",
    );
}

#[test]
fn a_block_scalar_gives_way_to_one_line() {
    check(
        "a: |-\n  x\n  y\n\n# about b\nb: 1\n",
        &[Set(&["a"], json!("z"))],
        "a: z\n\n# about b\nb: 1\n",
    );
}

#[test]
fn a_mapping_gives_way_to_a_scalar_and_back() {
    check(
        "a: # why\n  b: 1\n  c: 2\nd: 3\n",
        &[Set(&["a"], json!("x"))],
        "a: x # why\nd: 3\n",
    );
    check(
        "a: x # why\nd: 3\n",
        &[Set(&["a"], json!({"b": 1, "c": [1, {"e": 2, "f": 3}]}))],
        "a: # why\n  b: 1\n  c:\n  - 1\n  - e: 2\n    f: 3\nd: 3\n",
    );
}

#[test]
fn an_entry_goes_below_the_others_of_its_mapping() {
    check(
        "a:\n    b: 1 # one\n    # after b\n\nc: 2\n",
        &[Set(&["a", "x"], json!("z")), Set(&["a", "z"], json!(true))],
        "a:\n    b: 1 # one\n    x: z\n    z: true\n    # after b\n\nc: 2\n",
    );
}

#[test]
fn missing_mappings_are_made_with_the_indentation_of_the_document() {
    check(
        "a:\n    b: 1\n",
        &[
            Set(&["c", "d", "e"], json!("x")),
            Set(&["c", "f"], json!(1)),
        ],
        "a:\n    b: 1\nc:\n    d:\n        e: x\n    f: 1\n",
    );
}

#[test]
fn an_empty_mapping_becomes_a_block() {
    for (text, expected) in [
        (
            "a:\n  b: {} # none\nc: 1\n",
            "a:\n  b: # none\n    x: z\nc: 1\n",
        ),
        (
            "a:\n  b: # none\nc: 1\n",
            "a:\n  b: # none\n    x: z\nc: 1\n",
        ),
        ("a:\n  b: null\nc: 1\n", "a:\n  b:\n    x: z\nc: 1\n"),
        ("a:\n  b:", "a:\n  b:\n    x: z"),
        ("a: {b: {}}\n", "a: {b: {x: z}}\n"),
        ("a: {b: }\n", "a: {b: {x: z} }\n"),
    ] {
        check(text, &[Set(&["a", "b", "x"], json!("z"))], expected);
    }
}

#[test]
fn line_breaks_and_a_missing_last_one_are_kept() {
    check(
        "a: 1\r\nb:\r\n  c: 2\r\n",
        &[Set(&["b", "d"], json!(3)), Set(&["e"], json!(4))],
        "a: 1\r\nb:\r\n  c: 2\r\n  d: 3\r\ne: 4\r\n",
    );
    check("a: 1", &[Set(&["b"], json!(2))], "a: 1\nb: 2");
    check("a: 1\nb: 2", &[Remove(&["b"])], "a: 1");
    // What stands before the new entry keeps its value: it has no line break at its end.
    check("a: |\n  x", &[Set(&["b"], json!(2))], "a: |-\n  x\nb: 2");
}

#[test]
fn markers_and_other_documents_are_kept() {
    check(
        "# head\n---\na: 1\n...\n---\nb: 2\n",
        &[Set(&["c"], json!(3))],
        "# head\n---\na: 1\nc: 3\n...\n---\nb: 2\n",
    );
}

#[test]
fn json_stays_json() {
    check(
        "{\n  \"a\": {\n    \"b\": \"x\"\n  },\n  \"c\": {}\n}\n",
        &[
            Set(&["a", "b"], json!("z")),
            Set(&["a", "d"], json!("yes")),
            Set(&["c", "e"], json!("z")),
        ],
        "{\n  \"a\": {\n    \"b\": \"z\",\n    \"d\": \"yes\"\n  },\n  \"c\": {\n    \"e\": \"z\"\n  }\n}\n",
    );
    check(
        "{\"a\":{\"b\":1}}",
        &[Set(&["a", "c"], json!(2)), Set(&["d", "e"], json!("f"))],
        "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"e\":\"f\"}}",
    );
    check("{}", &[Set(&["a"], json!(1))], "{\"a\":1}");
}

#[test]
fn a_flow_mapping_takes_an_entry() {
    check(
        "a: {b: 1}\n",
        &[Set(&["a", "c"], json!(2))],
        "a: {b: 1, c: 2}\n",
    );
    check(
        "a: {b: 1,}\n",
        &[Set(&["a", "c"], json!(2))],
        "a: {b: 1, c: 2}\n",
    );
    check(
        "a: {\n  b: 1 # one\n}\n",
        &[Set(&["a", "c"], json!(2))],
        "a: {\n  b: 1, # one\n  c: 2\n}\n",
    );
    check(
        "a: {\"b\": 1}\n",
        &[Set(&["a", "c"], json!("d"))],
        "a: {\"b\": 1, \"c\": \"d\"}\n",
    );
}

#[test]
fn an_entry_goes_with_the_comments_that_speak_of_it() {
    check(
        "a: 1\n# about b\nb: 2 # two\n\n# about c\nc: 3\n",
        &[Remove(&["b"])],
        "a: 1\n\n# about c\nc: 3\n",
    );
    check(
        "# about the file\na: 1\nb: 2\n",
        &[Remove(&["a"])],
        "# about the file\nb: 2\n",
    );
    check(
        "a:\n- b: 1\n  # about c\n  c: 2\n",
        &[Remove(&["a"])],
        "{}\n",
    );
}

#[test]
fn an_entry_goes_below_a_line_that_goes() {
    check(
        "a:\n  b: 1\n  c: 2\n  # c\n  d: 3\n",
        &[
            Remove(&["a", "c"]),
            Remove(&["a", "d"]),
            Set(&["e"], json!(4)),
        ],
        "a:\n  b: 1\ne: 4\n",
    );
}

#[test]
fn the_last_entry_leaves_an_empty_mapping() {
    check(
        "a:\n  b: 1\nc: 2\n",
        &[Remove(&["a", "b"])],
        "a: {}\nc: 2\n",
    );
    check("a: {b: 1}\n", &[Remove(&["a", "b"])], "a: {}\n");
    check(
        "a:\n  b: 1\n  c: 2\n",
        &[Remove(&["a", "b"]), Remove(&["a", "c"])],
        "a: {}\n",
    );
    check(
        "a:\n  b: 1\n",
        &[Remove(&["a", "b"]), Set(&["a", "c"], json!(2))],
        "a:\n  c: 2\n",
    );
}

#[test]
fn entries_go_from_flow_and_json() {
    check("{a: 1, b: 2, c: 3}\n", &[Remove(&["b"])], "{a: 1, c: 3}\n");
    check(
        "{a: 1, b: 2, c: 3}\n",
        &[Remove(&["b"]), Remove(&["c"])],
        "{a: 1}\n",
    );
    check(
        "{a: 1, b: 2, c: 3}\n",
        &[Remove(&["a"]), Remove(&["b"])],
        "{c: 3}\n",
    );
    check(
        "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
        &[Remove(&["b"]), Set(&["c"], json!(3))],
        "{\n  \"a\": 1,\n  \"c\": 3\n}\n",
    );
}

#[test]
fn a_key_is_renamed_in_its_place() {
    check(
        "a: 1\n'b': 2 # two\n",
        &[Rename(&["b"], "c d")],
        "a: 1\n'c d': 2 # two\n",
    );
    assert!(matches!(
        try_edit("a: 1\nb: 2\n", &[Rename(&["b"], "a")]),
        Err(EditError::KeyExists { .. })
    ));
}

#[test]
fn nothing_is_changed_that_other_places_refer_to() {
    let text = "a: &x\n  b: 1\nc: *x\nd:\n  <<: *x\n";
    for edit in [
        Set(&["a"], json!(1)),
        Remove(&["a"]),
        Set(&["c", "b"], json!(2)),
    ] {
        let error = try_edit(text, &[edit]).unwrap_err();
        assert!(error.hint().is_some(), "{error}");
    }
    check(
        text,
        &[Set(&["c"], json!(1))],
        "a: &x\n  b: 1\nc: 1\nd:\n  <<: *x\n",
    );
}

#[test]
fn an_anchor_that_nothing_refers_to_goes_with_its_value() {
    for missing in ["&x", "!!str", "!!str &x", "&x !!str"] {
        let text = format!("a: {missing} # c\n");
        check(&text, &[Set(&["a"], json!("z"))], "a: z # c\n");
    }
    check("a: !!str &x y\n", &[Set(&["a"], json!("z"))], "a: z\n");
}

#[test]
fn what_is_not_there_is_named() {
    assert_eq!(
        try_edit("a: {b: 1}\n", &[Remove(&["a", "c"])]),
        Err(EditError::NotFound {
            path: "a.c".to_owned()
        })
    );
    assert!(matches!(
        try_edit("a: x\n", &[Set(&["a", "b"], json!(1))]),
        Err(EditError::NotAMapping { .. })
    ));
}

#[test]
fn line_breaks_of_every_kind_end_a_line() {
    check(
        "a: 1\rb: 2\r",
        &[Set(&["c"], json!(3))],
        "a: 1\rb: 2\rc: 3\r",
    );
    check(
        "a: |+\r\n  x\r\n\r\n",
        &[Set(&["b"], json!(1))],
        "a: |+\r\n  x\r\n\r\nb: 1\r\n",
    );
}

#[test]
fn a_key_without_a_colon_takes_a_value() {
    check("? a\n", &[Set(&["a"], json!(1))], "? a\n: 1\n");
    check(
        "{a, b: 1}\n",
        &[Set(&["a", "c"], json!(2))],
        "{a: {c: 2}, b: 1}\n",
    );
}

#[test]
fn what_an_alias_refers_to_is_changed_neither_as_a_whole_nor_in_part() {
    let block = "a: &it\n  b: 1\n  c: {d: 2}\ne: *it\n";
    let flow = "a: &it {b: 1, c: {d: 2}}\ne: *it\n";
    let nested = "a: &it\n  b: &one 1\n  c: {d: 2}\ne: *it\nf: *one\n";
    for text in [block, flow, nested] {
        for edit in [
            Set(&["a"], json!(1)),
            Set(&["a", "b"], json!(2)),
            Set(&["a", "new"], json!(2)),
            Set(&["a", "c", "new"], json!(2)),
            Set(&["a", "c", "d"], json!(2)),
            Remove(&["a"]),
            Remove(&["a", "b"]),
            Remove(&["a", "c", "d"]),
            Rename(&["a", "b"], "z"),
        ] {
            let told = try_edit(text, &[edit]);
            assert!(
                matches!(told, Err(EditError::Referenced { .. })),
                "{told:?}\n{text}"
            );
        }
        let told = try_edit(text, &[Set(&["e", "b"], json!(2))]);
        assert!(matches!(told, Err(EditError::ThroughAlias { .. })));
        let beside = try_edit(text, &[Set(&["e"], json!(2)), Set(&["g"], json!(3))]);
        assert_eq!(
            beside.unwrap(),
            text.replace("e: *it\n", "e: 2\n") + "g: 3\n"
        );
    }
}

#[test]
fn an_anchor_without_an_alias_stands_in_nobodys_way() {
    check(
        "a: &it\n  b: 1\n",
        &[Set(&["a", "b"], json!(2))],
        "a: &it\n  b: 2\n",
    );
}

#[test]
fn a_text_in_a_block_stays_in_one() {
    for (text, new, expected) in [
        (
            "c: |\n    a\nz: 1\n",
            "x\ny\n",
            "c: |\n    x\n    y\nz: 1\n",
        ),
        ("c: | # pem\n  a\n", "x\ny", "c: |- # pem\n  x\n  y\n"),
        (
            "m:\n  c: >-\n    a\n  z: 1\n",
            "x\ny",
            "m:\n  c: >-\n    x\n\n    y\n  z: 1\n",
        ),
        ("c: |\n  a\nz: 1\n", " x\ny\n", "c: |2\n   x\n  y\nz: 1\n"),
        ("c: |\n  a\nz: 1\n", "\u{7}", "c: \"\\u0007\"\nz: 1\n"),
        ("c: |\n  a\nz: 1\n", "x\n\n", "c: \"x\\n\\n\"\nz: 1\n"),
    ] {
        let path: &[&str] = if text.starts_with('m') {
            &["m", "c"]
        } else {
            &["c"]
        };
        check(text, &[Set(path, json!(new))], expected);
        let stream = Stream::parse(expected).unwrap();
        let root = stream.documents()[0].root().unwrap();
        let holder = root.get("m").unwrap_or(root);
        assert_eq!(holder.get("c").unwrap().text(), Some(new));
    }
}
