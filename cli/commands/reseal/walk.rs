//! Which files a tree has that could hold manifests.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::{Failure, Hint};

/// Why a tree cannot be walked.
#[derive(Debug, thiserror::Error)]
enum WalkError {
    #[error("`{}` does not exist", .0.display())]
    Missing(PathBuf),
    #[error("cannot walk the tree")]
    Walk(#[source] ignore::Error),
}

impl Hint for WalkError {}

/// The named files, and in the named folders every YAML and JSON file that Git does not ignore, in
/// a stable order, each once.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut files)?;
        } else if path.exists() {
            files.push(path.clone());
        } else {
            return Err(WalkError::Missing(path.clone()).into());
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), WalkError> {
    let tree = WalkBuilder::new(folder)
        // Folders such as `.github` may hold manifests; Git's own cannot.
        .hidden(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .require_git(false)
        .build();
    for entry in tree {
        let entry = entry.map_err(WalkError::Walk)?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && is_manifest(entry.path()) {
            let path = entry.into_path();
            files.push(path.strip_prefix("./").map_or(path.clone(), Path::to_owned));
        }
    }
    Ok(())
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
        let found = files(&[tree.path().to_owned(), at("apps/readme.md")]).unwrap();
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
