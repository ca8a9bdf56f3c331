//! Agreement with `sigs.k8s.io/yaml`, whose answers `tests/oracle` wrote into the fixtures.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use serde_json::Value;
use signet_documents::{
    emit::kubernetes_yaml,
    value::to_json,
    yaml::{Document, Stream},
};

#[derive(Debug)]
struct Row {
    input: String,
    output: Option<String>,
}

fn rows(fixture: &str) -> Vec<Row> {
    let rows: Vec<Value> = serde_json::from_str(fixture).expect("the fixture is JSON");
    rows.iter()
        .map(|row| Row {
            input: row["in"].as_str().expect("an input").to_owned(),
            output: row
                .get("out")
                .map(|out| out.as_str().expect("text").to_owned()),
        })
        .collect()
}

/// Where we differ, and why.
const WRITTEN_OTHERWISE: [&str; 1] = [
    // A key `<<` without quotes is read as a merge.
    r#"{"<<":1}"#,
];
const READ_OTHERWISE: [&str; 1] = [
    // YAML 1.2 lets a tab stand before the top node.
    "\ta: 1\n",
];

/// Numbers beyond 64 bits have no one form in JSON.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

fn read(text: &str) -> Option<Value> {
    let stream = Stream::parse(text).ok()?;
    match stream.documents().first().and_then(Document::root) {
        Some(root) => to_json(root).ok(),
        None => Some(Value::Null),
    }
}

#[test]
fn values_are_written_byte_for_byte_as_kubernetes_writes_them() {
    let rows = rows(include_str!("fixtures/kubernetes-emit.json"));
    assert!(rows.len() > 1000);
    let mut wrong = Vec::new();
    for row in &rows {
        let value: Value = serde_json::from_str(&row.input).expect("the input is JSON");
        let ours = kubernetes_yaml(&value);
        let known = WRITTEN_OTHERWISE.contains(&row.input.as_str());
        if (Some(&ours) == row.output.as_ref()) == known {
            wrong.push(format!(
                "{}\n  theirs {:?}\n  ours   {ours:?}",
                row.input, row.output
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn what_is_written_is_read_back_as_it_was() {
    for row in rows(include_str!("fixtures/kubernetes-emit.json")) {
        let value: Value = serde_json::from_str(&row.input).expect("the input is JSON");
        let text = kubernetes_yaml(&value);
        if text.contains(['\u{2028}', '\u{2029}']) {
            // Line breaks of YAML 1.1, which Kubernetes writes, and not of 1.2, which we read.
            continue;
        }
        let again = read(&text).expect("what is written can be read");
        assert!(same(&again, &value), "{text}");
    }
}

#[test]
fn texts_are_read_as_kubernetes_reads_them() {
    let rows = rows(include_str!("fixtures/kubernetes-read.json"));
    assert!(rows.len() > 400);
    let mut wrong = Vec::new();
    for row in &rows {
        let theirs: Option<Value> = row
            .output
            .as_ref()
            .map(|out| serde_json::from_str(out).expect("the output is JSON"));
        let ours = read(&row.input);
        let agree = match (&ours, &theirs) {
            (Some(ours), Some(theirs)) => same(ours, theirs),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        if agree == READ_OTHERWISE.contains(&row.input.as_str()) {
            wrong.push(format!(
                "{:?}\n  theirs {theirs:?}\n  ours   {ours:?}",
                row.input
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
