//! Templates beside Go's own text/template and Sprig: what is recorded is what Go says, and generated
//! templates give the same output or fail at the same stage.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../../../templates/tests/fixtures/mod.rs"]
mod fixtures;
mod generate;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use fixtures::{Answer, Row};
use serde_json::json;

/// Asks Go, row by row. Its local time is UTC, as in a cluster.
fn ask(rows: &str) -> String {
    let mut go = Command::new(go_template())
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = go.stdin.take().unwrap();
    let rows = rows.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(rows.as_bytes()));
    let output = go.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn go_template() -> std::path::PathBuf {
    signet_kit::tools().path("go-template")
}

#[test]
fn the_recorded_answers_are_those_of_go() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/tests/fixtures");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|extension| extension != "jsonl")
        {
            continue;
        }
        let recorded = fs::read_to_string(&path).unwrap();
        for (row, said) in Row::all(&recorded).iter().zip(Row::all(&ask(&recorded))) {
            count += 1;
            assert_eq!(
                row.recorded(),
                said.recorded(),
                "{}: {}",
                path.display(),
                row.template
            );
        }
    }
    assert!(count >= 400, "only {count} templates are recorded");
}

/// Pieces of the grammar in any order: many are refused by both, and the rest must agree.
#[test]
fn generated_templates_give_what_they_give_in_go() {
    let mut generator = generate::Generator::new();
    let cases = env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let mut rows = json!({"data": generate::data()}).to_string();
    for _ in 0..cases.unwrap_or(10_000) {
        rows.push('\n');
        rows.push_str(&json!({"template": generator.template()}).to_string());
    }
    let (mut rendered, mut wrong) = (0, Vec::new());
    for row in Row::all(&ask(&rows)) {
        let (go, ours) = (row.recorded(), row.render());
        rendered += usize::from(matches!(go, Answer::Output(_)));
        if go != ours {
            wrong.push(format!(
                "{}\n  go:   {go:?}\n  ours: {ours:?}",
                row.template
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(rendered > 2_000, "only {rendered} templates render");
}
