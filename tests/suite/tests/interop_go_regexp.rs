//! Regular expressions beside Go's own: which compile, and what they match.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use signet_documents::go_regex::GoRegex;

/// Go's answers: for each pattern `None`, or whether it matches each text.
fn ask(patterns: &[String], texts: &[String]) -> Vec<Option<Vec<bool>>> {
    let mut go = Command::new(signet_kit::tools().path("go-regexp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = go.stdin.take().unwrap();
    let questions: Vec<String> = patterns
        .iter()
        .map(|pattern| json!({"pattern": pattern, "texts": texts}).to_string())
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(questions.join("\n").as_bytes()));
    let output = go.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<_> = answers.lines().map(answer).collect();
    assert_eq!(answers.len(), patterns.len());
    answers
}

fn answer(line: &str) -> Option<Vec<bool>> {
    let answer: Value = serde_json::from_str(line).unwrap();
    let matches = answer["matches"].as_array().into_iter().flatten();
    (answer["valid"] == true).then(|| matches.map(|found| found == true).collect())
}

fn ours(pattern: &str, texts: &[String]) -> Option<Vec<bool>> {
    let regex = GoRegex::new(pattern).ok()?;
    Some(texts.iter().map(|text| regex.is_match(text)).collect())
}

#[test]
fn the_recorded_answers_are_those_of_go() {
    let recorded = include_str!("../../../documents/tests/fixtures/go-regexp.json");
    let recorded: Value = serde_json::from_str(recorded).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let texts: Vec<String> = recorded["texts"]
        .as_array()
        .unwrap()
        .iter()
        .map(text)
        .collect();
    let cases = recorded["cases"].as_array().unwrap();
    let patterns: Vec<String> = cases.iter().map(|case| text(&case["pattern"])).collect();
    for (case, answer) in cases.iter().zip(ask(&patterns, &texts)) {
        let matches = case["matches"].as_str();
        let expected = matches.map(|bits| bits.bytes().map(|bit| bit == b'1').collect::<Vec<_>>());
        assert_eq!(answer, expected, "{}", case["pattern"]);
    }
}

const OPERATORS: [&str; 22] = [
    "*", "+", "?", "|", "(", ")", "(?:", "[", "]", "[^", "^", "$", ".", "{2}", "{1,2}", "{0}",
    "{,2}", "{", "-", "&&", ":", ",",
];

const ESCAPES: [&str; 39] = [
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"\b",
    r"\B",
    r"\A",
    r"\z",
    r"\Q",
    r"\E",
    r"\x61",
    r"\x{e9}",
    r"\101",
    r"\pL",
    r"\P{Lu}",
    r"\p{Greek}",
    r"\p{^Ll}",
    "[:alpha:]",
    "[[:space:]]",
    "[[:^word:]]",
    "(?i)",
    "(?i:",
    "(?m)",
    "(?s)",
    "(?-i)",
    "(?P<a>",
    "(?<b>",
    r"\.",
    r"\-",
    r"\]",
    r"\n",
    "é",
    "\u{3c9}",
    "\u{212a}",
    "\n",
    "1",
    "_",
];

/// Pieces of the grammar in any order: most are refused by both, and the rest must agree.
#[test]
fn patterns_made_of_any_pieces_mean_what_they_mean_in_go() {
    let literal = prop::sample::select("abkKsS .-".chars().map(String::from).collect::<Vec<_>>());
    let piece = prop_oneof![
        2 => literal,
        3 => prop::sample::select(OPERATORS.map(str::to_owned).to_vec()),
        2 => prop::sample::select(ESCAPES.map(str::to_owned).to_vec()),
    ];
    let pattern = prop::collection::vec(piece, 1..9);
    let mut runner = TestRunner::deterministic();
    let mut sample = || pattern.new_tree(&mut runner).unwrap().current().concat();
    let patterns: Vec<String> = (0..20_000).map(|_| sample()).collect();
    let texts = [
        "", "a", "b", "ab", "aa", "k", "K", "\u{212a}", "s", "S", "\u{17f}", ".", "-", " ", "\n",
        "a\nb", "é", "aé", "é a", "ω", "Ω", "1", "_", "{", "a{,2}", "a&&b", "[]", "a]", "\t",
        "\u{b}", "a b", "A", "bA", ":", ",", "()",
    ]
    .map(str::to_owned);
    let mut compiled = 0;
    for (pattern, expected) in patterns.iter().zip(ask(&patterns, &texts)) {
        compiled += usize::from(expected.is_some());
        assert_eq!(ours(pattern, &texts), expected, "{pattern:?}");
    }
    assert!(compiled > 5_000, "only {compiled} patterns compile");
}
