//! The resolved dependency graph keeps to `deny.toml`, also where cargo-deny is not installed.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ban;
mod graph;
mod licence;

use ban::Ban;
use licence::Licence;
use toml_edit::DocumentMut;

#[test]
fn every_dependency_comes_from_an_allowed_registry() {
    let policy = policy();
    let allowed: Vec<String> = strings(&policy["sources"]["allow-registry"])
        .map(|registry| format!("registry+{registry}"))
        .collect();
    let foreign: Vec<String> = graph::linked_packages()
        .iter()
        .filter(|package| !package.is_ours() && !allowed.contains(&package.source))
        .map(|package| format!("{} from {}", package.name, package.source))
        .collect();
    assert!(
        foreign.is_empty(),
        "not from an allowed registry: {foreign:?}"
    );
}

#[test]
fn no_banned_crate_and_no_version_below_its_floor_is_linked() {
    let policy = policy();
    let bans: Vec<Ban> = policy["bans"]["deny"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| Ban::parse(entry.as_inline_table().unwrap()["crate"].as_str().unwrap()))
        .collect();
    let found: Vec<String> = graph::linked_packages()
        .iter()
        .filter(|package| bans.iter().any(|ban| ban.covers(package)))
        .map(|package| format!("{} {}", package.name, package.version))
        .collect();
    assert!(found.is_empty(), "banned by deny.toml: {found:?}");
}

#[test]
fn every_licence_is_allowed() {
    let policy = policy();
    let allowed: Vec<&str> = strings(&policy["licenses"]["allow"]).collect();
    let refused: Vec<String> = graph::linked_packages()
        .iter()
        .filter(|package| !Licence::parse(&package.licence).is_met_by(&allowed))
        .map(|package| format!("{}: {:?}", package.name, package.licence))
        .collect();
    assert!(refused.is_empty(), "licence not in deny.toml: {refused:?}");
}

fn policy() -> DocumentMut {
    let text = std::fs::read_to_string(graph::root().join("deny.toml")).unwrap();
    text.parse().unwrap()
}

fn strings(list: &toml_edit::Item) -> impl Iterator<Item = &str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| item.as_str().unwrap())
}
