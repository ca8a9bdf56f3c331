#![allow(clippy::unwrap_used)]
use signet_keys::sops::Value;

use super::*;
use crate::sops::tree::{ListItem, TreeComment, TreeItem};

fn text(value: &str) -> TreeValue {
    TreeValue::Scalar(Value::text(value))
}

fn entry(key: &str, value: TreeValue) -> TreeItem {
    let key = key.to_owned();
    TreeItem::Entry { key, value }
}

fn comment(text: &str, inline: bool) -> TreeComment {
    let text = Value::comment(text);
    TreeComment { text, inline }
}

fn above(text: &str) -> TreeItem {
    TreeItem::Comment(comment(text, false))
}

fn map(items: Vec<TreeItem>) -> TreeValue {
    TreeValue::Map(Branch { items })
}

fn list(items: Vec<TreeValue>) -> TreeValue {
    TreeValue::List(items.into_iter().map(ListItem::Value).collect())
}

fn written(documents: Vec<Vec<TreeItem>>, format: FileFormat) -> Result<String, EmitError> {
    let documents = documents.into_iter().map(|items| Branch { items });
    let documents = documents.collect();
    let text = file(&Tree { documents }, format, &Layout::default())?;
    Ok(String::from_utf8(text.expose().to_vec()).unwrap())
}

fn yaml(items: Vec<TreeItem>) -> String {
    written(vec![items], FileFormat::Yaml).unwrap()
}

#[test]
fn strings_have_quotes_where_they_would_be_read_as_something_else() {
    for (value, expected) in [
        ("x", "x"),
        ("", "\"\""),
        ("yes", "\"yes\""),
        ("1:20", "\"1:20\""),
        ("1e3", "\"1e3\""),
        ("2024-01-01", "\"2024-01-01\""),
        ("null", "\"null\""),
        ("#x", "'#x'"),
        ("a: b", "'a: b'"),
        ("- x", "'- x'"),
        ("'q", "'''q'"),
        (" x", "' x'"),
        ("tab\there", "\"tab\\there\""),
        ("\u{1f600}", "\"\\U0001F600\""),
        ("<<", "!!merge <<"),
        (
            "0x0123456789012345678901234567890123456789",
            "0x0123456789012345678901234567890123456789",
        ),
    ] {
        assert_eq!(
            yaml(vec![entry("k", text(value))]),
            format!("k: {expected}\n")
        );
    }
}

#[test]
fn text_of_several_lines_is_a_block_where_a_block_can_say_it() {
    for (value, expected) in [
        ("a\nb\n", "|\n    a\n    b"),
        ("a\n b", "|-\n    a\n     b"),
        ("a\n\n", "|+\n    a\n"),
        (" a\nb", "|4-\n     a\n    b"),
        ("a\tb\nc", "|-\n    a\tb\n    c"),
        ("a \nb", "\"a \\nb\""),
    ] {
        assert_eq!(
            yaml(vec![entry("k", text(value))]),
            format!("k: {expected}\n")
        );
    }
}

/// The peer writes `|4-` here, which no reader takes.
#[test]
fn a_block_in_a_list_that_begins_with_a_space_can_be_read_again() {
    let written = yaml(vec![entry("k", list(vec![text(" a\nb")]))]);
    assert_eq!(written, "k:\n    - |2-\n       a\n      b\n");
}

#[test]
fn levels_are_four_spaces_and_lists_stand_below_their_key() {
    let inner = map(vec![entry(
        "b",
        list(vec![text("x"), list(vec![text("y"), text("z")])]),
    )]);
    let items = vec![
        entry(
            "a",
            list(vec![map(vec![entry("c", text("d")), entry("e", inner)])]),
        ),
        entry("f", map(Vec::new())),
        entry("g", list(Vec::new())),
        entry("multi\nline", TreeValue::Null),
    ];
    assert_eq!(
        yaml(items),
        "a:\n    - c: d\n      e:\n        b:\n            - x\n            - - \"y\"\n              - z\nf: {}\ng: []\n? |-\n    multi\n    line\n: null\n"
    );
}

#[test]
fn comments_stand_where_the_peer_puts_them() {
    let list = TreeValue::List(vec![
        ListItem::Value(TreeValue::Scalar(Value::int(1))),
        ListItem::Comment(comment(" mid", false)),
        ListItem::Comment(comment(" in", true)),
        ListItem::Value(TreeValue::Scalar(Value::float(1e20))),
        ListItem::Comment(comment(" end", false)),
    ]);
    let items = vec![
        above(" top"),
        entry("a", text("x")),
        above(" above"),
        entry(
            "b",
            map(vec![above(" in b"), entry("c", text("x")), above(" end b")]),
        ),
        TreeItem::Comment(comment(" behind", true)),
        entry("d", TreeValue::Scalar(Value::bool(true))),
        entry("l", list),
        above(" last"),
    ];
    assert_eq!(
        yaml(items),
        "# top\na: x\n# above\nb:\n    # in b\n    c: x\n    # end b\nd: true # behind\nl:\n    - 1\n    # mid\n    - 1e+20 # in\n    # end\n# last\n"
    );
}

#[test]
fn documents_stand_apart_and_empty_ones_are_empty_maps() {
    let documents = vec![vec![entry("a", text("x"))], Vec::new(), vec![above(" c")]];
    let yaml = written(documents, FileFormat::Yaml).unwrap();
    assert_eq!(yaml, "a: x\n---\n{}\n---\n# c\n{}\n");
}

#[test]
fn json_has_tabs_escapes_markup_and_drops_comments() {
    let items = vec![
        above(" c"),
        entry(
            "a",
            list(vec![TreeValue::Scalar(Value::float(1.0)), TreeValue::Null]),
        ),
        entry("b", map(Vec::new())),
        entry("c", text("<&>")),
    ];
    let json = written(vec![items], FileFormat::Json).unwrap();
    assert_eq!(
        json,
        "{\n\t\"a\": [\n\t\t1,\n\t\tnull\n\t],\n\t\"b\": {},\n\t\"c\": \"\\u003c\\u0026\\u003e\"\n}\n"
    );
}

#[test]
fn ini_is_aligned_and_keys_in_no_section_have_no_header() {
    let items = vec![
        entry(
            "DEFAULT",
            map(vec![entry("a", TreeValue::Scalar(Value::float(1.0)))]),
        ),
        entry(
            "s",
            map(vec![
                above("top"),
                entry("k", text("v")),
                above("of k\n# more"),
                entry("long=er", text("a;b")),
                entry("x", text(" y")),
            ]),
        ),
        entry("e", map(Vec::new())),
    ];
    assert_eq!(
        written(vec![items], FileFormat::Ini).unwrap(),
        "a = 1.0\n\n; top\n[s]\n; of k\n# more\nk         = v\n`long=er` = `a;b`\nx         = \" y\"\n\n[e]\n"
    );
}

#[test]
fn dotenv_has_a_line_for_everything() {
    let items = vec![
        above("c"),
        entry("A", text("x\ny")),
        entry("B", TreeValue::Scalar(Value::bool(false))),
    ];
    assert_eq!(
        written(vec![items], FileFormat::Dotenv).unwrap(),
        "#c\nA=x\\ny\nB=false\n"
    );
}

#[test]
fn what_a_format_has_no_place_for_is_an_error() {
    let nested = || vec![vec![entry("k", list(Vec::new()))]];
    assert!(matches!(
        written(nested(), FileFormat::Dotenv),
        Err(EmitError::Dotenv(_))
    ));
    assert!(matches!(
        written(nested(), FileFormat::Ini),
        Err(EmitError::Ini(_))
    ));
    assert_eq!(
        written(nested(), FileFormat::Binary),
        Err(EmitError::NoData)
    );
    let infinite = vec![vec![entry(
        "k",
        TreeValue::Scalar(Value::float(f64::INFINITY)),
    )]];
    assert!(matches!(
        written(infinite, FileFormat::Json),
        Err(EmitError::Json(_))
    ));
    let data = vec![vec![entry("data", text("raw\u{0}"))]];
    assert_eq!(written(data, FileFormat::Binary).unwrap(), "raw\u{0}");
}

#[test]
fn a_part_is_text_as_it_is_a_map_as_a_file_and_other_values_as_the_format_has_them() {
    let part = |value: &TreeValue, format| {
        let text = part(value, format, &Layout::default()).unwrap();
        String::from_utf8(text.expose().to_vec()).unwrap()
    };
    let numbers = list(vec![TreeValue::Scalar(Value::int(1))]);
    assert_eq!(part(&text("yes"), FileFormat::Yaml), "yes");
    assert_eq!(part(&numbers, FileFormat::Yaml), "- 1\n");
    assert_eq!(part(&numbers, FileFormat::Json), "[\n\t1\n]");
    assert_eq!(part(&numbers, FileFormat::Ini), "[1]");
    assert_eq!(
        part(&TreeValue::Scalar(Value::int(1)), FileFormat::Yaml),
        "1\n"
    );
    assert_eq!(
        part(&map(vec![entry("a", text("b"))]), FileFormat::Dotenv),
        "a=b\n"
    );
}

#[test]
fn documents_make_one_object_in_which_the_last_of_a_key_counts() {
    let documents = [
        vec![
            above("about"),
            entry("a", text("1")),
            entry("b", list(vec![map(vec![entry("c", text("<"))])])),
        ],
        vec![entry("a", TreeValue::Null)],
    ];
    let documents = documents
        .into_iter()
        .map(|items| Branch { items })
        .collect();
    let json = object(&Tree { documents }).unwrap();
    let json: serde_json::Value = serde_json::from_slice(json.expose()).unwrap();
    assert_eq!(json, serde_json::json!({"a": null, "b": [{"c": "<"}]}));
    assert_eq!(object(&Tree::default()).unwrap().expose(), b"{}");
}

#[test]
fn bytes_that_are_no_text_are_not_changed_into_some() {
    let bytes = TreeValue::Scalar(Value::text(b"\xff".as_slice()));
    let documents = vec![Branch {
        items: vec![entry("data", list(vec![bytes]))],
    }];
    assert_eq!(object(&Tree { documents }), Err(EmitError::NotText));
}

#[test]
fn bytes_that_are_not_text_are_base64() {
    let bytes = |length| TreeValue::Scalar(Value::text(vec![0xff; length]));
    assert_eq!(yaml(vec![entry("v", bytes(1))]), "v: !!binary /w==\n");
    assert_eq!(
        yaml(vec![entry("v", bytes(60))]),
        format!(
            "v: !!binary |\n    {}\n    {}\n",
            "/".repeat(70),
            "/".repeat(10)
        )
    );
}
