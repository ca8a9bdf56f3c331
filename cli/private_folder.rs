//! A folder for plaintext that a command must have as a file: in memory where the system offers that,
//! for its owner alone, overwritten before it goes.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Env;

/// Wiped and removed when dropped.
#[derive(Debug)]
pub struct PrivateFolder(TempDir);

impl PrivateFolder {
    /// A new folder whose name begins so.
    pub fn create(env: &Env, prefix: &str) -> io::Result<Self> {
        let mut refused = None;
        for parent in parents(env) {
            let made = tempfile::Builder::new()
                .prefix(prefix)
                .permissions(Permissions::from_mode(0o700))
                .tempdir_in(parent);
            match made {
                Ok(folder) => return Ok(Self(folder)),
                Err(error) => refused = Some(error),
            }
        }
        Err(refused.unwrap_or_else(|| io::Error::other("there is no folder for temporary files")))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Whether nothing of it reaches a disk, swap apart.
    pub fn is_in_memory(&self) -> bool {
        is_in_memory(self.path())
    }

    /// Writes a new file into it, for its owner alone.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = self.path().join(name);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(bytes)?;
        Ok(path)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        wipe(self.path());
    }
}

/// Overwrites every file of a folder and removes it. Best effort: what an editor has renamed away or a
/// file system has copied cannot be reached.
pub fn wipe(folder: &Path) {
    overwrite(folder);
    let _ = fs::remove_dir_all(folder);
}

fn overwrite(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => overwrite(&path),
            Ok(kind) if kind.is_file() => {
                let _ = zero(&path);
            }
            _ => {}
        }
    }
}

fn zero(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let mut left = file.metadata()?.len();
    let zeros = [0; 4096];
    while left > 0 {
        let length = left.min(zeros.len() as u64);
        // At most the length of the array.
        file.write_all(&zeros[..usize::try_from(length).unwrap_or(zeros.len())])?;
        left -= length;
    }
    file.sync_all()
}

/// Folders in memory first; then the usual one.
fn parents(env: &Env) -> Vec<PathBuf> {
    let runtime = env.var("XDG_RUNTIME_DIR").map(PathBuf::from);
    let shared = PathBuf::from("/dev/shm");
    let temporary = env
        .var("TMPDIR")
        .map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    let in_memory = runtime.into_iter().chain([shared]);
    let mut parents: Vec<_> = in_memory.filter(|path| is_in_memory(path)).collect();
    parents.push(temporary);
    parents
}

#[cfg(target_os = "linux")]
fn is_in_memory(path: &Path) -> bool {
    /// As in the kernel's `magic.h`.
    const TMPFS: u32 = 0x0102_1994;
    const RAMFS: u32 = 0x8584_58f6;
    rustix::fs::statfs(path).is_ok_and(|system| {
        // The type's width differs between architectures; the numbers have 32 bits.
        let kind = u32::try_from(i128::from(system.f_type) & 0xffff_ffff);
        matches!(kind, Ok(TMPFS | RAMFS))
    })
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jiff::Timestamp;

    use super::*;

    #[test]
    fn it_is_for_its_owner_alone_and_gone_with_all_that_is_in_it() {
        let env = Env::new([("TMPDIR", "/tmp")], Timestamp::UNIX_EPOCH);
        let folder = PrivateFolder::create(&env, "signet-test-").unwrap();
        let file = folder.write("a.yaml", b"plain").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&file), 0o600);
        fs::hard_link(&file, folder.path().join("backup~")).unwrap();
        let kept = tempfile::NamedTempFile::new_in(folder.path().parent().unwrap()).unwrap();
        fs::remove_file(kept.path()).unwrap();
        fs::hard_link(&file, kept.path()).unwrap();
        drop(folder);
        assert!(!file.exists());
        // The bytes themselves are gone too, as another name of the file shows.
        assert_eq!(fs::read(kept.path()).unwrap(), b"\0\0\0\0\0");
    }

    #[test]
    fn without_a_folder_in_memory_the_usual_one_is_taken() {
        let usual = tempfile::tempdir().unwrap();
        let env = Env::new([("TMPDIR", usual.path())], Timestamp::UNIX_EPOCH);
        assert_eq!(parents(&env).last().unwrap(), usual.path());
    }
}
