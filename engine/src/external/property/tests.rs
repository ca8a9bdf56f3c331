#![allow(clippy::unwrap_used)]

use super::*;
use crate::external::testing::text;

fn bytes(value: &str) -> Fetched {
    Fetched::Bytes(text(value))
}

fn fields(fields: &[(&str, &[u8])]) -> Fetched {
    let field = |(key, value): &(&str, &[u8])| ((*key).to_owned(), Plaintext::new(value.to_vec()));
    Fetched::Fields(fields.iter().map(field).collect())
}

fn taken(value: &Fetched, property: &str) -> Option<String> {
    let value = of(value, Some(property)).ok()?;
    Some(String::from_utf8(value.expose().to_vec()).unwrap())
}

fn extracted(value: &Fetched, property: Option<&str>) -> BTreeMap<String, String> {
    let all = all(value, property).unwrap();
    let text = |value: Plaintext| String::from_utf8(value.expose().to_vec()).unwrap();
    all.into_iter()
        .map(|(key, value)| (key, text(value)))
        .collect()
}

#[test]
fn issue_725_the_literal_key_comes_before_the_path() {
    let value = bytes(r#"{"a.b":"1","a":{"b":"2","c":"3"},"*":"star"}"#);
    assert_eq!(taken(&value, "a.b").as_deref(), Some("1"));
    assert_eq!(taken(&value, "a.c").as_deref(), Some("3"));
    assert_eq!(taken(&value, "a\\.b").as_deref(), Some("1"));
    assert_eq!(taken(&value, "*").as_deref(), Some("star"));
    assert_eq!(
        of(&value, Some("a.d")),
        Err(PropertyError::Missing("a.d".to_owned()))
    );
}

#[test]
fn issue_3239_values_of_any_kind_keep_their_text() {
    let value = bytes(
        r#"{"n":3.70,"big":9007199254740993,"t":true,"l":[1, "a"],"o":{"k": 1},"s":"x\"y","z":null}"#,
    );
    for (property, expected) in [
        ("n", "3.70"),
        ("big", "9007199254740993"),
        ("t", "true"),
        ("l", r#"[1, "a"]"#),
        ("o", r#"{"k": 1}"#),
        ("s", "x\"y"),
        ("z", ""),
        ("l.1", "a"),
    ] {
        assert_eq!(
            taken(&value, property).as_deref(),
            Some(expected),
            "{property}"
        );
    }
    let all = extracted(&value, None);
    assert_eq!((&*all["n"], &*all["s"], &*all["z"]), ("3.70", "x\"y", ""));
}

#[test]
fn issue_2375_fields_are_bytes_end_to_end() {
    let binary: &[u8] = &[0xff, 0xfe, 0x00, 0x0a];
    let value = fields(&[
        ("a.jks", binary),
        ("tls", br#"{"crt":"c"}"#),
        ("tls.key", br#"{"x":"k"}"#),
    ]);
    assert_eq!(of(&value, Some("a.jks")).unwrap().expose(), binary);
    assert_eq!(taken(&value, "tls.crt").as_deref(), Some("c"));
    assert_eq!(taken(&value, "tls.key.x").as_deref(), Some("k"));
    assert_eq!(all(&value, None).unwrap()["a.jks"].expose(), binary);
    assert_eq!(
        of(&value, None),
        Err(PropertyError::NotText("a.jks".to_owned()))
    );
    assert_eq!(
        of(&value, Some("nope.x")),
        Err(PropertyError::Missing("nope.x".to_owned()))
    );
}

#[test]
fn fields_as_a_whole_are_an_object_as_go_writes_it() {
    let value = fields(&[("b", b"<&>\n"), ("a", "é\"".as_bytes())]);
    let whole = of(&value, None).unwrap();
    assert_eq!(
        whole.expose(),
        r#"{"a":"é\"","b":"\u003c\u0026\u003e\n"}"#.as_bytes()
    );
}

#[test]
fn a_value_without_properties_says_so() {
    for text in ["hunter2", "", "{broken", "\u{1}"] {
        let refused = of(&bytes(text), Some("a"));
        assert_eq!(
            refused,
            Err(PropertyError::NotJson("a".to_owned())),
            "{text}"
        );
        assert_eq!(
            all(&bytes(text), None),
            Err(PropertyError::NotAnObject),
            "{text}"
        );
    }
    assert_eq!(all(&bytes("[1]"), None), Err(PropertyError::NotAnObject));
    assert_eq!(of(&bytes("[1]"), Some("0")).unwrap().expose(), b"1");
    let value = bytes(r#"{"o":{"a":1},"s":"{}"}"#);
    assert_eq!(extracted(&value, Some("o"))["a"], "1");
    assert!(extracted(&value, Some("s")).is_empty());
}

#[test]
fn no_error_shows_a_value() {
    for value in [
        bytes("hunter2"),
        bytes(r#"{"k":"hunter2"}"#),
        bytes(r#"["hunter2"]"#),
        fields(&[("k", b"hunter2\xff")]),
    ] {
        for property in [None, Some("x"), Some("k.y"), Some("#(")] {
            let (one, several) = (of(&value, property), all(&value, property));
            if let Err(error) = one {
                assert!(!format!("{error} {error:?} {}", error.hint()).contains("hunter2"));
            }
            if let Err(error) = several {
                assert!(!format!("{error} {error:?}").contains("hunter2"));
            }
        }
    }
}
