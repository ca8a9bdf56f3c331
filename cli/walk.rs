//! Which files a tree has that a command could work on.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::{Failure, Hint};

/// Why a tree cannot be walked.
#[derive(Debug, thiserror::Error)]
enum WalkError {
    #[error("`{}` does not exist", .0.display())]
    Missing(PathBuf),
    #[error("cannot read the folder")]
    Folder(#[source] ignore::Error),
}

/// What a tree has.
#[derive(Debug, Default)]
pub struct Found {
    /// The files that are wanted.
    pub files: Vec<PathBuf>,
    /// Folders that cannot be read, and why.
    pub unreadable: Vec<(PathBuf, Failure)>,
}

impl Hint for WalkError {}

/// The named files, and in the named folders every wanted file that Git does not ignore, in a stable
/// order, each once. A folder that cannot be read does not keep the others from it.
pub fn files(paths: &[PathBuf], wanted: impl Fn(&Path) -> bool) -> Result<Found, Failure> {
    let mut found = Found::default();
    for path in paths {
        if path.is_dir() {
            walk(path, &wanted, &mut found);
        } else if path.exists() {
            found.files.push(path.clone());
        } else {
            return Err(WalkError::Missing(path.clone()).into());
        }
    }
    found.files.sort();
    found.files.dedup();
    Ok(found)
}

fn walk(folder: &Path, wanted: impl Fn(&Path) -> bool, found: &mut Found) {
    let tree = WalkBuilder::new(folder)
        // Folders such as `.github` may hold manifests; Git's own cannot.
        .hidden(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .require_git(false)
        .build();
    for entry in tree {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = path_of(&error).unwrap_or(folder).to_owned();
                let failure = WalkError::Folder(error).into();
                found.unreadable.push((path, failure));
                continue;
            }
        };
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && wanted(entry.path()) {
            let path = entry.into_path();
            let path = path.strip_prefix("./").map_or(path.clone(), Path::to_owned);
            found.files.push(path);
        }
    }
}

/// The path that an error of the walk is about.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

/// Whether a file could hold Kubernetes manifests, by its name.
pub fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::*;

    #[test]
    fn a_tree_gives_its_manifests_but_not_what_git_ignores() {
        let tree = tempfile::tempdir().unwrap();
        let at = |name: &str| tree.path().join(name);
        fs::create_dir_all(at("apps/.hidden")).unwrap();
        fs::create_dir_all(at("build")).unwrap();
        fs::create_dir_all(at(".git")).unwrap();
        fs::write(at(".gitignore"), "build/\n").unwrap();
        for name in [
            "apps/b.yaml",
            "apps/a.yml",
            "apps/.hidden/c.json",
            "apps/readme.md",
            "build/d.yaml",
            ".git/e.yaml",
        ] {
            fs::write(at(name), "x").unwrap();
        }
        let found = files(&[tree.path().to_owned(), at("apps/readme.md")], is_manifest)
            .unwrap()
            .files;
        let names: Vec<_> = found
            .iter()
            .map(|path| path.strip_prefix(tree.path()).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "apps/.hidden/c.json",
                "apps/a.yml",
                "apps/b.yaml",
                "apps/readme.md"
            ]
        );
    }

    #[test]
    fn a_path_that_is_not_there_is_named() {
        let error = files(&["no/such/path".into()], is_manifest).unwrap_err();
        assert_eq!(error.message, "`no/such/path` does not exist");
    }
}
