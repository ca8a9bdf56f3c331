//! Paths into JSON beside those of `github.com/tidwall/gjson`: what they lead to.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use signet_engine::external::answers::Fetched;
use signet_engine::external::property;
use signet_keys::Plaintext;

/// Go's answers: the text that a path leads to, and its JSON.
fn ask(questions: &[(String, String)]) -> Vec<Option<(String, String)>> {
    let mut go = Command::new(signet_kit::tools().path("go-gjson"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = go.stdin.take().unwrap();
    let line = |(json, path): &(String, String)| json!({"json": json, "path": path}).to_string();
    let questions: Vec<_> = questions.iter().map(line).collect();
    let count = questions.len();
    let writer = std::thread::spawn(move || stdin.write_all(questions.join("\n").as_bytes()));
    let output = go.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<_> = answers.lines().map(answer).collect();
    assert_eq!(answers.len(), count);
    answers
}

fn answer(line: &str) -> Option<(String, String)> {
    let answer: Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    (answer["exists"] == true).then(|| (text("text"), text("raw")))
}

fn ours(json: &str, path: &str) -> Option<String> {
    let value = Fetched::Bytes(Plaintext::new(json.as_bytes().to_vec()));
    let found = property::of(&value, Some(path)).ok()?;
    Some(String::from_utf8(found.expose().to_vec()).unwrap())
}

fn recorded() -> Value {
    serde_json::from_str(include_str!("../../../engine/tests/fixtures/gjson.json")).unwrap()
}

#[test]
fn the_recorded_answers_are_those_of_go() {
    let recorded = recorded();
    let cases = recorded["cases"].as_array().unwrap();
    let question = |case: &Value| {
        let document = case["document"].as_str().unwrap();
        let json = recorded["documents"][document].as_str().unwrap();
        (json.to_owned(), case["path"].as_str().unwrap().to_owned())
    };
    let questions: Vec<_> = cases.iter().map(question).collect();
    for (case, answer) in cases.iter().zip(ask(&questions)) {
        let raw = case["raw"].as_str();
        assert_eq!(answer.as_ref().map(|(_, raw)| &**raw), raw, "{case}");
        if let Some(text) = case["text"].as_str() {
            assert_eq!(
                answer.map(|(text, _)| text).as_deref(),
                Some(text),
                "{case}"
            );
        }
    }
}

const STEPS: [&str; 35] = [
    "name",
    "first",
    "friends",
    "children",
    "age",
    "user",
    "a",
    "b",
    "c",
    "k",
    "n",
    "0",
    "1",
    "2",
    "#",
    "na*",
    "?",
    "*",
    "#(age>45)",
    "#(last==\"Murphy\")#",
    "#(first%\"*a*\")",
    "#(k)#",
    "#(n>=1)#",
    "@reverse",
    "@keys",
    "@values",
    "@this",
    "@flatten",
    "@join",
    "@ugly",
    "@pretty",
    "@group",
    "{name,\"x\":a.b}",
    "[0,name.first]",
    "!true",
];

/// Steps in any order on documents that have some of them. No string in them has brackets: in those Go
/// would go on.
#[test]
fn paths_made_of_any_steps_lead_where_they_lead_in_go() {
    let recorded = recorded();
    let documents: Vec<String> = ["people", "db", "rows"]
        .map(|name| recorded["documents"][name].as_str().unwrap().to_owned())
        .to_vec();
    let step = (
        prop::sample::select(STEPS.to_vec()),
        prop::sample::select(vec![".", ".", "|"]),
    );
    let path = prop::collection::vec(step, 1..6);
    let strategy = (prop::sample::select(documents), path).prop_map(|(json, steps)| {
        let joined: String = steps
            .iter()
            .flat_map(|(step, sign)| [*step, *sign])
            .collect();
        (json, joined[..joined.len() - 1].to_owned())
    });
    let mut runner = TestRunner::deterministic();
    let questions: Vec<_> = (0..5_000)
        .map(|_| strategy.new_tree(&mut runner).unwrap().current())
        .collect();
    let answers = ask(&questions);
    assert!(answers.iter().flatten().count() > 500);
    for ((json, path), answer) in questions.iter().zip(answers) {
        let document: Value = serde_json::from_str(json).unwrap();
        if document.get(path).is_some() {
            // With us the literal key comes first.
            continue;
        }
        let expected = answer.map(|(text, _)| text);
        assert_eq!(ours(json, path), expected, "{path} in {json}");
    }
}
