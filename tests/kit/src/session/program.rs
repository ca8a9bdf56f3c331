//! Runs a program in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

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

/// The `signet` binary under another name, as which it is to be called.
///
/// # Panics
/// When it cannot be built or linked.
pub fn named(name: &str) -> PathBuf {
    static LINKS: Mutex<BTreeMap<String, (TempDir, PathBuf)>> = Mutex::new(BTreeMap::new());
    let mut links = LINKS.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, link) = links.entry(name.to_owned()).or_insert_with(|| {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(crate::cargo::signet(), &link)
            .unwrap_or_else(|error| panic!("{error}"));
        (folder, link)
    });
    link.clone()
}

/// Runs a program in this folder with nothing of our environment but `PATH`. The home folder is `home`
/// in it.
///
/// # Panics
/// When it cannot be started.
pub fn run(
    program: &Path,
    folder: &Path,
    args: &[String],
    env: &BTreeMap<String, String>,
    stdin: &[u8],
) -> Finished {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder.join("home"))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(env);
    let output = crate::child::feed(&mut command, stdin)
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    Finished {
        status: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Every file and link below a folder, by its path in it. A link is told by `-> target`.
///
/// # Panics
/// When one cannot be read.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found).unwrap_or_else(|error| panic!("{error}"));
    found
}

fn collect(
    root: &Path,
    folder: &Path,
    found: &mut BTreeMap<String, Vec<u8>>,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .display()
            .to_string();
        if path.is_symlink() {
            let target = fs::read_link(&path)?;
            found.insert(name, format!("-> {}", target.display()).into_bytes());
        } else if path.is_dir() {
            collect(root, &path, found)?;
        } else {
            found.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}
