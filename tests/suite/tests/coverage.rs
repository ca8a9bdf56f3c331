//! `docs/coverage.md` names tests that exist.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_test_named_in_the_coverage_table_exists() {
    let table = fs::read_to_string(root().join("docs/coverage.md")).unwrap();
    let named: BTreeSet<&str> = table.lines().flat_map(names).collect();
    assert!(named.len() > 50, "only {} tests are named", named.len());

    let mut known = BTreeSet::new();
    collect(&root(), &mut known);
    let missing: Vec<_> = named
        .iter()
        .filter(|name| !known.contains(**name))
        .collect();
    assert!(
        missing.is_empty(),
        "named in docs/coverage.md, but nowhere: {missing:#?}"
    );
}

#[test]
fn names_are_the_words_in_backquotes_that_look_like_a_test() {
    let line =
        "| `make demo` starts | `a_test_of_it`, `short_one`, `docs/x_y_z.md`, `kubeseal_x y z` |";
    assert_eq!(names(line).collect::<Vec<_>>(), ["a_test_of_it"]);
}

/// Words in backquotes with at least two underscores and nothing but what a function name has.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        word.matches('_').count() >= 2
            && word
                .bytes()
                .all(|byte| byte == b'_' || byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

/// Functions of all Rust files, without those that are built.
fn collect(folder: &Path, known: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                collect(&path, known);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let functions = text
                .lines()
                .filter_map(|line| line.trim().split_once("fn "));
            known
                .extend(functions.filter_map(|(_, rest)| Some(rest.split_once('(')?.0.to_owned())));
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
