//! Where rules are found.

use std::path::{Path, PathBuf};

/// Folders that are looked into, at most.
const MAX_FOLDERS: usize = 100;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lookup {
    /// The rules.
    pub found: Option<PathBuf>,
    /// A `.sops.yml` on the way, which is not read: the name is a mistake.
    pub ignored: Option<PathBuf>,
}

/// Looks for `.sops.yaml` in a folder and those above it; the first is taken. The peer begins with the
/// working directory. To begin with the folder of the file that is encrypted finds the rules that lie
/// nearest to it, wherever the command is called. `holds` tells whether there is a file of that path.
pub fn lookup(folder: &Path, holds: impl Fn(&Path) -> bool) -> Lookup {
    let mut ignored = None;
    for folder in folder.ancestors().take(MAX_FOLDERS) {
        let path = folder.join(".sops.yaml");
        if holds(&path) {
            return Lookup {
                found: Some(path),
                ignored,
            };
        }
        let misnamed = folder.join(".sops.yml");
        if ignored.is_none() && holds(&misnamed) {
            ignored = Some(misnamed);
        }
    }
    Lookup {
        found: None,
        ignored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(folder: &str, files: &[&str]) -> (Option<String>, Option<String>) {
        let text = |path: PathBuf| path.to_str().map(str::to_owned);
        let files: Vec<&Path> = files.iter().map(Path::new).collect();
        let lookup = lookup(Path::new(folder), |path| files.contains(&path));
        (lookup.found.and_then(text), lookup.ignored.and_then(text))
    }

    /// From the working directory as the peer does, or from the file's folder.
    #[test]
    fn issue_242_1222_786_the_nearest_rules_are_those_of_where_one_begins() {
        let files = ["/repo/.sops.yaml", "/repo/sub/.sops.yaml"];
        assert_eq!(look("/repo", &files).0.as_deref(), Some("/repo/.sops.yaml"));
        assert_eq!(
            look("/repo/sub/a/b", &files).0.as_deref(),
            Some("/repo/sub/.sops.yaml")
        );
        assert_eq!(look("/", &files), (None, None));
    }

    #[test]
    fn a_misnamed_file_is_told_and_not_read() {
        let files = ["/repo/.sops.yaml", "/repo/a/.sops.yml", "/repo/.sops.yml"];
        let found = (
            Some("/repo/.sops.yaml".into()),
            Some("/repo/a/.sops.yml".into()),
        );
        assert_eq!(look("/repo/a/b", &files), found);
        // Beside the right one nobody misses it.
        assert_eq!(look("/repo", &files).1, None);
        assert_eq!(
            look("/repo/a", &files[1..2]),
            (None, Some("/repo/a/.sops.yml".into()))
        );
    }
}
