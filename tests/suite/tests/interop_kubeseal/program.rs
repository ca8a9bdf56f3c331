//! Runs a program in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use signet_kit::child;
use tempfile::TempDir;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `signet`, called as `kubeseal`.
    Ours,
    /// The real `kubeseal`.
    Peer,
    /// `signet` under its own name.
    Signet,
}

impl Program {
    /// The binary, under the name that it is called by.
    pub fn path(self) -> PathBuf {
        match self {
            Self::Peer => signet_kit::tools().path("kubeseal"),
            Self::Signet => signet_kit::cargo::signet(),
            Self::Ours => {
                static LINK: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
                let (_, link) = LINK.get_or_init(|| {
                    let folder = tempfile::tempdir().unwrap();
                    let link = folder.path().join("kubeseal");
                    std::os::unix::fs::symlink(signet_kit::cargo::signet(), &link).unwrap();
                    (folder, link)
                });
                link.clone()
            }
        }
    }

    /// Runs it with these arguments in this folder. The home folder is `home` in it.
    pub fn run(
        self,
        folder: &Path,
        args: &[String],
        env: &BTreeMap<String, String>,
        stdin: &[u8],
    ) -> Finished {
        let mut command = Command::new(self.path());
        command
            .args(args)
            .current_dir(folder)
            .env_clear()
            .env("HOME", folder.join("home"))
            .envs(env);
        let output = child::feed(&mut command, stdin).unwrap();
        Finished {
            status: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs it and gives standard output; it must succeed.
    pub fn output(self, folder: &Path, args: &[&str], stdin: &[u8]) -> Vec<u8> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let finished = self.run(folder, &args, &BTreeMap::new(), stdin);
        assert_eq!(
            finished.status,
            Some(0),
            "{self:?} {args:?}: {}",
            finished.stderr
        );
        finished.stdout
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Finished {
    /// Exit status; none when a signal ended it.
    pub status: Option<i32>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

/// Every file and link below a folder, by its path in it. A link is told by `-> target`.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            if path.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found.insert(name, format!("-> {}", target.display()).into_bytes());
            } else if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}
