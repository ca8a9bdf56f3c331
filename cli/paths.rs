//! Paths, as text alone: nothing here asks the file system.

use std::path::{Component, Path, PathBuf};

use crate::Env;

/// A path from the root, without `.` and `..`. Symbolic links are not followed.
pub fn absolute(env: &Env, path: impl AsRef<Path>) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in env.current_dir().join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_path_is_cleaned_without_looking_at_the_disk() {
        let env = Env::new([("", ""); 0], Timestamp::UNIX_EPOCH).in_folder(Path::new("/work/here"));
        for (path, clean) in [
            ("a.yaml", "/work/here/a.yaml"),
            ("./a/../b.yaml", "/work/here/b.yaml"),
            ("../../../a", "/a"),
            ("/x/./y", "/x/y"),
        ] {
            assert_eq!(absolute(&env, path), Path::new(clean));
        }
    }
}
