#![allow(clippy::unwrap_used)]

use super::{Document, Format, Kind, Node, Stream};

fn stream(text: &str) -> Stream {
    Stream::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn slice(node: Node<'_>) -> &str {
    &node.document().source()[node.range()]
}

fn at<'a>(document: &'a Document, path: &[&str]) -> Node<'a> {
    let root = document.root().unwrap();
    path.iter().fold(root, |node, key| node.get(key).unwrap())
}

#[test]
fn a_node_knows_its_bytes() {
    let text = "a: 1\nb:\n  c: 'x y' # c\n  d: [1, {e: f}]\n  g:\n  h: !!str &n \"q\"\nl:\n- 1\n-\n- m: n\n  o: p\n";
    let stream = stream(text);
    let document = &stream.documents()[0];
    for (path, expected) in [
        (&["a"][..], "1"),
        (&["b", "c"], "'x y'"),
        (&["b", "d"], "[1, {e: f}]"),
        (&["b", "g"], ""),
        (&["b", "h"], "\"q\""),
        (
            &["b"],
            "c: 'x y' # c\n  d: [1, {e: f}]\n  g:\n  h: !!str &n \"q\"",
        ),
        (&["l"], "- 1\n-\n- m: n\n  o: p"),
    ] {
        assert_eq!(slice(at(document, path)), expected, "{path:?}");
    }
    let quoted = at(document, &["b", "h"]);
    assert_eq!(&text[quoted.full_range()], "!!str &n \"q\"");
    assert_eq!(quoted.anchor(), Some("n"));
    assert_eq!(quoted.tag(), Some("!!str"));
    let items: Vec<_> = at(document, &["l"])
        .items()
        .map(|item| &text[item.range()])
        .collect();
    assert_eq!(items, ["- 1", "-", "- m: n\n  o: p"]);
}

#[test]
fn a_block_scalar_begins_at_its_header() {
    for (text, expected) in [
        ("a: |\n  x\n  y\n\nb: 1\n", "|\n  x\n  y"),
        ("a: |-2 # hi | >\n   x\nb: 1\n", "|-2 # hi | >\n   x"),
        ("a: # | no\n  >+\n   z\n\n\nb: 1\n", ">+\n   z\n\n"),
        ("a: |\nb: 1\n", "|"),
        ("a: !<tag:x,y> &a|b |\n  x\n", "|\n  x"),
        ("a: |\r\n  x\r\n  y\r\nb: 1\r\n", "|\r\n  x\r\n  y"),
        ("a: |\n  x", "|\n  x"),
        ("? |\n  a\n: |\n  x\n", "|\n  x"),
        ("a: |\n  x  \n# c\n", "|\n  x  "),
    ] {
        let stream = stream(text);
        let root = stream.documents()[0].root().unwrap();
        let value = root.entries().next().unwrap().value;
        assert_eq!(slice(value), expected, "{text:?}");
    }
}

#[test]
fn documents_cover_the_text_without_a_gap() {
    let text =
        "# head\n---\na: 1\n# end of a\n---\n...\n# before c\n%YAML 1.1\n---\nc: 1\n...\n# last\n";
    let stream = stream(text);
    let texts: Vec<_> = stream.documents().iter().map(Document::text).collect();
    assert_eq!(
        texts,
        [
            "# head\n---\na: 1\n# end of a\n",
            "---\n...\n# before c\n",
            "%YAML 1.1\n---\nc: 1\n...\n# last\n"
        ]
    );
    let contents: Vec<_> = stream
        .documents()
        .iter()
        .map(|document| &text[document.content_range()])
        .collect();
    assert_eq!(contents, ["a: 1\n# end of a\n", "", "c: 1\n"]);
    assert!(stream.documents()[1].root().is_none());
    let new = stream.with_contents(|index| (index == 2).then(|| "d: 2\n".to_owned()));
    assert_eq!(new, text.replace("c: 1", "d: 2"));
}

#[test]
fn comments_are_found_by_what_they_stand_at() {
    let text = "# file\n\n# about a\n# more\na: 1 # right\nb:\n  # in b\n  c: 2\n  # after c\nd: [1, # one\n  2]\n";
    let stream = stream(text);
    let document = &stream.documents()[0];
    let root = document.root().unwrap();
    let texts = |comments: &[super::Comment]| -> Vec<String> {
        comments
            .iter()
            .map(|comment| text[comment.range.clone()].to_owned())
            .collect()
    };
    let a = root.entry("a").unwrap();
    assert_eq!(texts(a.leading_comments()), ["# about a", "# more"]);
    assert_eq!(
        &text[a.trailing_comment().unwrap().range.clone()],
        "# right"
    );
    let c = root.get("b").unwrap().entry("c").unwrap();
    assert_eq!(texts(c.leading_comments()), ["# in b"]);
    assert!(c.trailing_comment().is_none());
    let one = root.get("d").unwrap().items().next().unwrap();
    assert_eq!(
        &text[one.trailing_comment().unwrap().range.clone()],
        "# one"
    );
    assert_eq!(document.comments().len(), 7);
}

#[test]
fn json_documents_stand_one_after_the_other() {
    let text = "{\"a\": 1}\n{\n\t\"b\": [true, null, \"x\"]\n}\n";
    let stream = stream(text);
    assert_eq!(stream.documents().len(), 2);
    for document in stream.documents() {
        assert_eq!(document.format(), Format::Json);
    }
    let b = at(&stream.documents()[1], &["b"]);
    assert_eq!(slice(b), "[true, null, \"x\"]");
    assert_eq!(stream.documents()[0].text(), "{\"a\": 1}\n");
}

#[test]
fn flow_yaml_is_not_taken_for_json() {
    let stream = stream("{a: 1, 'b': x}\n---\nc: 1\n");
    assert_eq!(stream.documents()[0].format(), Format::Yaml);
    assert_eq!(at(&stream.documents()[0], &["b"]).as_str(), Some("x"));
}

#[test]
fn what_follows_a_json_document_must_be_one() {
    let error = Stream::parse("{\"a\": 1}\ntrailing\n").unwrap_err();
    assert_eq!((error.line, error.column), (2, 1));
    assert!(Stream::parse_json("a: 1\n").is_err());
}

#[test]
fn an_error_names_the_place_and_does_not_quote_the_text() {
    for (text, line) in [
        ("a: 1\nb: @hunter2\n", 2),
        ("a: 'hunter2\n", 1),
        ("a: *hunter2\n", 1),
        ("a: 1\n  b: hunter2\n", 2),
        ("{\"hunter2\": \"x\" hunter2}", 1),
        ("{\"a\": \"hunter2}", 1),
    ] {
        let error = Stream::parse(text).unwrap_err();
        let message = format!("{error} {error:?} {:?}", error.hint());
        assert!(!message.contains("hunter2"), "{message}");
        assert!(error.line >= line, "{message}");
    }
}

#[test]
fn a_template_is_called_one() {
    let error = Stream::parse("{{ if .x }}\na: 1\n{{ end }}\n").unwrap_err();
    assert_eq!(
        error.hint(),
        Some("this looks like a template; render it first")
    );
}

#[test]
fn nesting_has_a_limit_in_every_style() {
    let deep = |open: &str, close: &str| format!("{}x{}", open.repeat(5000), close.repeat(5000));
    for text in [
        deep("[", "]"),
        deep("{a: ", "}"),
        deep("- ", ""),
        format!("{}1{}", "{\"a\":".repeat(5000), "}".repeat(5000)),
    ] {
        let error = Stream::parse(&text).unwrap_err();
        assert_eq!(error.reason, "nested too deeply");
    }
}

#[test]
fn aliases_are_followed() {
    let stream = stream("a: &x {b: c}\nd: *x\ne: &x 2\nf: *x\n");
    let document = &stream.documents()[0];
    assert_eq!(at(document, &["d", "b"]).as_str(), Some("c"));
    assert_eq!(at(document, &["f"]).text(), Some("2"));
    assert!(matches!(at(document, &["f"]).kind(), Kind::Alias(_)));
}

#[test]
fn what_a_document_says_is_not_printed() {
    let stream = stream("apiVersion: v1\nstringData: {a: hunter2, b: [hunter2]}\n");
    let root = stream.documents()[0].root().unwrap();
    let value = root.get("stringData").unwrap().get("a").unwrap();
    let entry = root.entries().last().unwrap();
    let printed = format!("{stream:?} {root:?} {value:?} {entry:?} {:?}", value.kind());
    assert!(!printed.contains("hunter2"), "{printed}");
}
