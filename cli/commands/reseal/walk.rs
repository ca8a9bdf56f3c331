//! Which files a tree has that could hold manifests.

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
pub(super) struct Found {
    /// The files that could hold manifests.
    pub(super) files: Vec<PathBuf>,
    /// Folders that cannot be read, and why.
    pub(super) unreadable: Vec<(PathBuf, Failure)>,
}

impl Hint for WalkError {}

/// The named files, and in the named folders every YAML and JSON file that Git does not ignore, in
/// a stable order, each once. A folder that cannot be read does not keep the others from it.
pub(super) fn files(paths: &[PathBuf]) -> Result<Found, Failure> {
    let mut found = Found::default();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut found);
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

fn walk(folder: &Path, found: &mut Found) {
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
        if is_file && is_manifest(entry.path()) {
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

fn is_manifest(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml" | "json"))
}

/// Whether it is worth parsing a file: most files of a tree hold nothing sealed.
pub(super) fn mentions_sealed_secrets(bytes: &[u8]) -> bool {
    const KIND: &[u8] = b"SealedSecret";
    bytes.windows(KIND.len()).any(|window| window == KIND)
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
        let found = files(&[tree.path().to_owned(), at("apps/readme.md")])
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
        let error = files(&["no/such/path".into()]).unwrap_err();
        assert_eq!(error.message, "`no/such/path` does not exist");
    }
}
