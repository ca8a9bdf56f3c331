//! What is read quickly is what the parser reads.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::{
    tree::{Kind, Node},
    yaml::reader,
};

/// All that the readers say of a text.
fn dump(documents: &[Document]) -> String {
    let mut out = String::new();
    for document in documents {
        let (range, content) = (document.range(), document.content_range());
        let _ = writeln!(out, "document {range:?} {content:?}");
        if let Some(root) = document.root() {
            dump_node(&mut out, root, 1);
        }
        for comment in document.comments() {
            let _ = writeln!(out, "{comment:?}");
        }
    }
    out
}

fn dump_node(out: &mut String, node: Node<'_>, depth: usize) {
    let (range, full) = (node.range(), node.full_range());
    let (text, flow) = (node.text(), node.is_in_flow());
    let kind = match node.kind() {
        Kind::Alias(_) => "alias".to_owned(),
        kind => format!("{kind:?}"),
    };
    let _ = writeln!(
        out,
        "{:depth$}{kind} {range:?} {full:?} {text:?} {flow} {:?} {:?}",
        "",
        node.anchor(),
        node.tag()
    );
    for entry in node.entries() {
        let _ = writeln!(
            out,
            "{:depth$}entry {:?} {:?}",
            "",
            entry.range(),
            entry.colon()
        );
        dump_node(out, entry.key, depth + 1);
        dump_node(out, entry.value, depth + 1);
    }
    for item in node.items() {
        let _ = writeln!(out, "{:depth$}item {:?}", "", item.range());
        dump_node(out, item.node, depth + 1);
    }
}

fn source(text: &str) -> Arc<Zeroizing<String>> {
    Arc::new(Zeroizing::new(text.to_owned()))
}

fn is_read(text: &str) -> bool {
    read(&source(text)).is_some()
}

/// What is read is what the parser reads; that it is read at all is said elsewhere.
fn agrees(text: &str) -> Result<(), TestCaseError> {
    let source = source(text);
    let Some(quick) = read(&source) else {
        return Ok(());
    };
    let parsed = reader::read(&source);
    let parsed = parsed.map_err(|error| TestCaseError::fail(format!("{error}: {text:?}")))?;
    prop_assert_eq!(dump(&quick), dump(&parsed), "{:?}", text);
    Ok(())
}

#[test]
fn ordinary_files_are_read_without_the_parser() {
    let long = "x".repeat(500);
    for text in [
        "",
        "\n\n",
        "# only\n# comments\n",
        "a: 1\n",
        "a: 1",
        "---\na: 1\n---\nb: 2\n---\n",
        "# top\n---\n# c\na:\n  b: \"x\"  # y\n  c: 'it''s'\n\n# d\ne:\n- 1\n-\n- - 2\n  - k: v\n    l:\n      - |\n        text\n\n        more\n\n      - z\n",
        "a: {}\nb: []\nc:\nd: -1\ne: \"\\u00e9\\n\"\nf: a b:c#d http://x\n\"g h\": 1\n'i': 2\n",
        &format!(
            "sops:\n    age:\n        - enc: |\n            {long}\n          recipient: age1\n    mac: ENC[AES256_GCM,data:{long}]\n"
        ),
        &include_str!("../../../tests/fixtures/sops/plain/comments.yaml")
            .replace("n: [1, 2]", "n: []"),
    ] {
        assert!(is_read(text), "{text}");
        agrees(text).unwrap();
    }
}

#[test]
fn what_the_parser_must_judge_is_left_to_it() {
    for text in [
        "a: 1\n  b: 2\n",
        "a: b\n  c\n",
        "a: &x 1\n",
        "a: *x\n",
        "a: !t 1\n",
        "? a\n: b\n",
        "a: [1]\n",
        "a: >\n  x\n",
        "a:\tb\n",
        "a: b\r\n",
        "a: \"x\n  y\"\n",
        "a: \"\\q\"\n",
        "%YAML 1.2\n---\na: 1\n",
        "a: 1\n...\n",
        "--- a\n",
        "text\n",
        "a: b: c\n",
        "- a\nb: 1\n",
        "a: 'x'y\n",
        "a: []#c\n",
        "a: \u{85}\n",
        "\u{feff}a: 1\n",
        "a: |\n  x",
        "a: |\nb: 1\n",
        "a: |\n   \n  x\n",
    ] {
        assert!(!is_read(text), "{text:?}");
    }
    assert!(!is_read(&format!("{}a", "- ".repeat(MAX_NESTING + 1))));
}

/// Lines of what is read quickly, and some of what is not.
fn lines() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        "",
        " 1",
        " b c",
        " \"x\"",
        " 'y'",
        " \"\\n\\\"\"",
        " 'a''b'",
        " |",
        " |-",
        " []",
        " {}",
        " -x",
        " a:b",
        " a#b",
        " # c",
        " v # c",
        "  w ",
        " - z",
        " k: v",
        " >",
        " [1]",
        " é",
        " \u{85}",
        " \u{2028}",
        " \t",
        " ~",
        " \"#\" # d",
        " -",
        " ---",
        " \"a\": 1",
        " {}: 1",
        " ''",
        " \"\\x41\\u00e9\"",
        " :",
        " ?",
        " |+",
        " |2",
    ]);
    let start = prop::sample::select(vec![
        "a:",
        "b:",
        "\"q\":",
        "'s':",
        "-",
        "- -",
        "- a:",
        "-  b:",
        "# c",
        "",
        "---",
        "...",
        "a :",
        "text",
        "k: ",
        "\t",
        "a: b:",
        "-a:",
        "é:",
        "\u{feff}a:",
        "|",
        "\"x\"",
    ]);
    let indent = prop_oneof![4 => Just(0_usize), 8 => 0..7_usize];
    let line = (indent, start, value)
        .prop_map(|(indent, start, value)| format!("{:indent$}{start}{value}\n", ""));
    (prop::collection::vec(line, 0..12), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.concat();
        let end = if ends {
            text.len()
        } else {
            text.trim_end_matches('\n').len()
        };
        text[..end].to_owned()
    })
}

/// Documents as people write them: entries that fit each other, laid out in every way.
fn tidy() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "1",
        "x y",
        "\"q\"",
        "'s'",
        "[]",
        "{}",
        "a # c",
        "ENC[AES256_GCM,data:x=,iv:y=,tag:z=,type:str]",
        "-1",
        "",
    ]);
    let leaf = (scalar, any::<bool>()).prop_map(|(scalar, blank)| {
        let blank = if blank { "\n" } else { "" };
        vec![format!("{scalar}{blank}")]
    });
    let block = prop::sample::select(vec![
        "|\n  t\n\n  u\n",
        "|-\n  t\n",
        "|\n\n    t\n   u\n\n\n",
    ])
    .prop_map(|text| vec![text.to_owned()]);
    let tree = prop_oneof![4 => leaf, 1 => block].prop_recursive(4, 30, 5, |inner| {
        let indent = 1..5_usize;
        (
            prop::collection::vec(inner, 1..5),
            indent,
            any::<bool>(),
            any::<bool>(),
        )
            .prop_map(|(children, indent, is_list, comments)| {
                let mut lines = Vec::new();
                for (number, child) in children.into_iter().enumerate() {
                    if comments && number % 2 == 1 {
                        lines.push("# comment".to_owned());
                    }
                    let head = if is_list {
                        "-".to_owned()
                    } else {
                        format!("k{number}:")
                    };
                    let first_is_inline =
                        child.len() == 1 || (is_list && !child[0].starts_with('#'));
                    let inner = if is_list && first_is_inline {
                        2
                    } else {
                        indent
                    };
                    let mut child: Vec<String> = child
                        .iter()
                        .flat_map(|text| text.split('\n').map(str::to_owned).collect::<Vec<_>>())
                        .collect();
                    if first_is_inline {
                        let first = child.remove(0);
                        lines.push(format!("{head} {first}").trim_end().to_owned());
                    } else {
                        lines.push(head);
                    }
                    let indented = child.into_iter().map(|line| {
                        if line.is_empty() {
                            line
                        } else {
                            format!("{:inner$}{line}", "")
                        }
                    });
                    lines.extend(indented);
                }
                lines
            })
    });
    tree.prop_map(|lines| lines.join("\n") + "\n")
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var_os("PROPTEST_CASES").map_or(2000, |_| ProptestConfig::default().cases),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_read_of_any_lines_is_what_the_parser_reads(text in lines()) {
        agrees(&text)?;
    }

    #[test]
    fn what_is_read_of_tidy_documents_is_what_the_parser_reads(text in tidy()) {
        agrees(&text)?;
    }

    #[test]
    fn what_is_read_of_any_characters_is_what_the_parser_reads(text in "[-a:#\"'\\\\ \n|\t\u{85}é\u{2028}\u{feff}\u{7f}\u{1}]{0,24}") {
        agrees(&text)?;
    }
}
