//! The structure of the workspace is the one that ARCHITECTURE.md draws.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Room -> the rooms that it may know. What is not written here is forbidden, for tests and build
/// scripts of a room too.
const ARROWS: [(&str, &[&str]); 9] = [
    ("signet-keys", &[]),
    ("signet-templates", &[]),
    ("signet-crds", &[]),
    ("signet-documents", &["signet-keys"]),
    ("signet-providers", &["signet-keys"]),
    (
        "signet-engine",
        &[
            "signet-keys",
            "signet-documents",
            "signet-templates",
            "signet-crds",
        ],
    ),
    (
        "signet-controller",
        &[
            "signet-keys",
            "signet-documents",
            "signet-templates",
            "signet-providers",
            "signet-crds",
            "signet-engine",
        ],
    ),
    (
        "signet",
        &[
            "signet-keys",
            "signet-documents",
            "signet-templates",
            "signet-providers",
            "signet-crds",
            "signet-engine",
        ],
    ),
    ("signet-kit", &["signet-keys"]),
];

/// They look at everything, and nobody may look at them.
const JUDGES: [&str; 2] = ["signet-tests", "signet-bench"];

/// Crates that would give the pure rooms a network, a runtime, an environment or a command line.
const IMPURE: [&str; 9] = [
    "tokio",
    "reqwest",
    "hyper",
    "kube",
    "kube-client",
    "clap",
    "axum",
    "tracing",
    "tempfile",
];
const PURE: [&str; 4] = [
    "signet-keys",
    "signet-templates",
    "signet-documents",
    "signet-engine",
];

const LONGEST_FILE: usize = 800;
const LONGEST_MEDIAN: usize = 200;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .into()
}

/// Package -> (dependency, kind) as the manifests state them; kind is `null` for a normal one.
fn dependencies() -> BTreeMap<String, Vec<(String, Option<String>)>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let dependencies =
                package["dependencies"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|dependency| {
                        let kind = dependency["kind"].as_str().map(str::to_owned);
                        (dependency["name"].as_str().unwrap().to_owned(), kind)
                    });
            (
                package["name"].as_str().unwrap().to_owned(),
                dependencies.collect(),
            )
        })
        .collect()
}

/// Every Rust file of the repository.
fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if path.is_dir() {
                if name != "target" && !name.to_string_lossy().starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files
}

#[test]
fn arrows_between_rooms_point_one_way() {
    let arrows: BTreeMap<&str, &[&str]> = ARROWS.into();
    let mut wrong = Vec::new();
    for (room, dependencies) in dependencies() {
        if JUDGES.contains(&room.as_str()) {
            continue;
        }
        let Some(allowed) = arrows.get(room.as_str()) else {
            wrong.push(format!("{room} is no room of the design"));
            continue;
        };
        let ours = dependencies
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| name.starts_with("signet"));
        let others: BTreeSet<&str> = ours
            .filter(|name| !allowed.contains(name) && *name != room)
            .collect();
        wrong.extend(others.iter().map(|other| format!("{room} -> {other}")));
    }
    assert!(
        wrong.is_empty(),
        "arrows that the design does not have: {wrong:#?}"
    );
}

#[test]
fn pure_rooms_have_no_runtime_network_or_command_line() {
    let mut wrong = Vec::new();
    for (room, dependencies) in dependencies() {
        if PURE.contains(&room.as_str()) {
            let normal = dependencies.iter().filter(|(_, kind)| kind.is_none());
            let impure = normal.filter(|(name, _)| IMPURE.contains(&name.as_str()));
            wrong.extend(impure.map(|(name, _)| format!("{room} -> {name}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_is_too_long_and_the_median_is_short() {
    let sources = sources();
    let mut lengths: Vec<usize> = sources
        .iter()
        .map(|(_, text)| text.lines().count())
        .collect();
    let long: Vec<String> = sources
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, length)| *length > LONGEST_FILE)
        .map(|(path, length)| format!("{}: {length}", path.display()))
        .collect();
    assert!(
        long.is_empty(),
        "files of more than {LONGEST_FILE} lines: {long:#?}"
    );
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(
        median <= LONGEST_MEDIAN,
        "the median file has {median} lines"
    );
}

#[test]
fn no_test_is_ignored() {
    // In two parts, so that this file does not find itself.
    let attribute = ["#[ign", "ore"].concat();
    let sources = sources();
    let ignored: Vec<_> = sources
        .iter()
        .filter(|(_, text)| text.contains(&attribute))
        .map(|(path, _)| path)
        .collect();
    assert!(ignored.is_empty(), "{ignored:#?}");
}

#[test]
fn no_crate_allows_unsafe_code() {
    let sources = sources();
    let word = ["unsafe ", "{"].concat();
    let found: Vec<_> = sources
        .iter()
        .filter(|(_, text)| text.contains(&word))
        .map(|(path, _)| path)
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    for entry in [
        "keys",
        "documents",
        "templates",
        "providers",
        "crds",
        "engine",
        "controller",
        "tests/kit",
        "tests/suite",
        ".",
    ] {
        let manifest = fs::read_to_string(root().join(entry).join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{entry} does not inherit the workspace's lints"
        );
    }
}
