//! The recorded answers of Go's text/template with Sprig, row by row. That they are Go's is checked by the
//! interop test of the suite, which asks Go again.
//!
//! A row is `{"template": …}` with `output`, `base64` or `error`: what Go gives. `ours` is there where we
//! differ on purpose, and says why.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fixtures;

use fixtures::{Answer, Row};

/// Every difference from Go in a file of rows.
fn differences(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for row in Row::all(text) {
        let answer = row.render();
        let expected = row.ours().unwrap_or_else(|| row.recorded());
        if answer != expected {
            wrong.push(format!(
                "{}\n  go:   {expected:?}\n  ours: {answer:?}",
                row.template
            ));
        }
    }
    wrong
}

macro_rules! recorded {
    ($($name:ident: $file:literal;)*) => {
        const FILES: &[(&str, &str)] = &[$(($file, include_str!(concat!("fixtures/", $file, ".jsonl"))),)*];
        $(
            #[test]
            fn $name() {
                let wrong = differences(include_str!(concat!("fixtures/", $file, ".jsonl")));
                assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
            }
        )*
    };
}

recorded! {
    the_language_is_gos: "language";
    printing_is_gos: "printf";
    strings_are_gos: "strings";
    collections_are_gos: "collections";
    numbers_dates_and_codes_are_gos: "numbers";
    yaml_is_gos: "yaml";
}

#[test]
fn an_error_never_shows_what_a_value_is() {
    for (_, text) in FILES {
        let fails = |row: &Row| matches!(row.recorded(), Answer::Error(..));
        for row in Row::all(text).into_iter().filter(fails) {
            if let Answer::Error(_, message) = row.render_with_messages() {
                assert!(!message.contains("canary"), "{}: {message}", row.template);
            }
        }
    }
}
