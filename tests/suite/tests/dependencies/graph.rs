//! What cargo links on this platform with every feature on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use semver::Version;
use serde_json::Value;

pub struct Package {
    pub name: String,
    pub version: Version,
    pub licence: String,
    /// Empty for a package of this workspace.
    pub source: String,
}

impl Package {
    pub fn is_ours(&self) -> bool {
        self.source.is_empty()
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn linked_packages() -> Vec<Package> {
    let linked = linked_names();
    let metadata = cargo(&[
        "metadata",
        "--format-version=1",
        "--filter-platform",
        &host(),
    ]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages: Vec<Package> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| Package {
            name: text(&package["name"]),
            version: text(&package["version"]).parse().unwrap(),
            licence: text(&package["license"]),
            source: text(&package["source"]),
        })
        .filter(|package| linked.contains(&format!("{} v{}", package.name, package.version)))
        .collect();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    packages
}

/// The metadata also lists what an optional dependency would bring; the tree does not.
fn linked_names() -> BTreeSet<String> {
    let tree = cargo(&["tree", "--workspace", "--prefix=none", "--format={p}"]);
    tree.lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect()
}

fn cargo(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(args)
        .args(["--locked", "--all-features"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc -vV names its host")
        .to_owned()
}
