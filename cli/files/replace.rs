//! Atomic replacement: write beside, flush to disk, rename.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Gid, Uid};
use tempfile::NamedTempFile;

use crate::Hint;

/// Why a file could not be written. The old file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Someone else changed the file between our reading and our writing.
    #[error("`{}` was changed by another program in the meantime", .0.display())]
    Changed(PathBuf),
    /// The path is a folder.
    #[error("cannot write `{}`: it is a directory", .0.display())]
    Directory(PathBuf),
    /// The operating system refused.
    #[error("cannot write `{}`", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A new file would belong to someone else than the old one.
    #[error("cannot write `{}`: it belongs to another user", .0.display())]
    Owner(PathBuf),
}

impl Hint for WriteError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Changed(_) => Some("nothing was written; run the command again".to_owned()),
            Self::Owner(_) => Some(
                "nothing was written; run the command as the file's owner, or write to another file"
                    .to_owned(),
            ),
            Self::Directory(_) | Self::Io { .. } => None,
        }
    }
}

/// Mode of a new file before the umask takes from it.
const NEW_FILE: u32 = 0o666;
/// Mode of a file that holds something private.
const PRIVATE_FILE: u32 = 0o600;

/// See [`super::write`] and [`super::rewrite`].
pub(super) fn replace(path: &Path, read: Option<&[u8]>, bytes: &[u8]) -> Result<(), WriteError> {
    let io_error = |source| WriteError::Io {
        path: path.to_owned(),
        source,
    };
    // By the path as it is given: `/dev/stdout` is a link to what may have no name.
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(WriteError::Directory(path.to_owned())),
        Ok(there) if !there.is_file() => return write_through(path, bytes).map_err(io_error),
        _ => {}
    }
    let target = follow(path).map_err(io_error)?;
    let old = match fs::metadata(&target) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(io_error(error)),
    };
    if old.is_some() {
        // A rename needs no permission on the file itself; the user's "read only" still counts.
        let current = open_for_change(&target).map_err(io_error)?;
        if read.is_some_and(|read| current != read) {
            return Err(WriteError::Changed(path.to_owned()));
        }
        if current == bytes {
            return Ok(());
        }
    }
    let mode = old.as_ref().map_or(NEW_FILE, |_| PRIVATE_FILE);
    let beside = beside(&target, mode, bytes).map_err(io_error)?;
    if let Some(old) = &old {
        like(beside.as_file(), old)
            .map_err(io_error)?
            .then_some(())
            .ok_or_else(|| WriteError::Owner(path.to_owned()))?;
    }
    let turn = take_turn(folder(&target));
    if let Some(read) = read
        && fs::read(&target).map_err(io_error)? != read
    {
        return Err(WriteError::Changed(path.to_owned()));
    }
    let renamed = rename(beside, &target).map_err(io_error);
    drop(turn);
    renamed
}

/// Waits until no other of our processes is between its last look at a file of the folder and its
/// rename, so that of two that have read the same only the first writes. Held until dropped.
///
/// The folder is locked and not the file, which is another one after each rename. Nothing where
/// folders cannot be locked, or somebody else holds the lock for long: better written than stuck.
fn take_turn(folder: &Path) -> Option<File> {
    const PATIENCE: Duration = Duration::from_secs(10);
    const PAUSE: Duration = Duration::from_millis(5);

    let folder = File::open(folder).ok()?;
    let began = Instant::now();
    loop {
        match rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Some(folder),
            Err(rustix::io::Errno::WOULDBLOCK) if began.elapsed() < PATIENCE => sleep(PAUSE),
            Err(_) => return None,
        }
    }
}

/// See [`super::write_private`].
pub(super) fn replace_private(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    beside(path, PRIVATE_FILE, bytes)
        .and_then(|beside| rename(beside, path))
        .map_err(|source| WriteError::Io {
            path: path.to_owned(),
            source,
        })
}

/// The file that a chain of symbolic links ends at, which need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const LIMIT: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LIMIT {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let link = fs::read_link(&path)?;
                path = folder(&path).join(link);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(bytes)
}

/// The content of a file that we may change.
fn open_for_change(path: &Path) -> io::Result<Vec<u8>> {
    use std::io::Read as _;

    let mut content = Vec::new();
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    file.read_to_end(&mut content)?;
    Ok(content)
}

fn beside(path: &Path, mode: u32, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix(".signet-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder(path))
        .map_err(without_path)?;
    // Not through `file`, whose errors name the file beside.
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// The user knows the name of the file, not of the one beside it, which `tempfile` puts at the end of
/// the message.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}

/// Gives the new file the old one's owner and mode. False when the owner cannot be kept.
fn like(file: &File, old: &Metadata) -> io::Result<bool> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        let owner = (new.uid() != old.uid()).then(|| Uid::from_raw(old.uid()));
        let group = (new.gid() != old.gid()).then(|| Gid::from_raw(old.gid()));
        if rustix::fs::fchown(file, owner, group).is_err() {
            return Ok(false);
        }
    }
    file.set_permissions(old.permissions())?;
    Ok(true)
}

fn rename(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path).map_err(|error| error.error)?;
    // The rename is durable once the folder is. Some file systems cannot flush a folder.
    if let Ok(folder) = File::open(folder(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::os::unix::fs::symlink;

    use super::super::{rewrite, write, write_private};
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn d11_mode_and_symlink_are_kept_and_nothing_is_left_beside() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        symlink("real", &link).unwrap();

        write(&link, b"new").unwrap();

        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(fs::metadata(&real).unwrap().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(names(folder.path()), ["link", "real"]);
    }

    #[test]
    fn d11_a_new_file_is_as_readable_as_the_umask_says() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write(&ours, b"x").unwrap();
        fs::write(&plain, "x").unwrap();
        assert_eq!(
            fs::metadata(ours).unwrap().mode(),
            fs::metadata(plain).unwrap().mode()
        );
    }

    #[test]
    fn a_file_that_changed_since_it_was_read_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "theirs").unwrap();
        let refused = rewrite(&file, b"read before", b"ours").unwrap_err();
        assert!(matches!(refused, WriteError::Changed(_)));
        assert_eq!(fs::read(&file).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn of_many_that_change_a_file_at_once_each_succeeds_or_says_that_it_did_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let add_line = &|number: usize| {
            let read = fs::read(&file).unwrap();
            let mut new = read.clone();
            new.extend_from_slice(format!("{number}\n").as_bytes());
            rewrite(&file, &read, &new).is_ok()
        };
        let succeeded = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..8)
                .map(|writer| {
                    scope.spawn(move || (0..20).filter(|n| add_line(writer * 100 + n)).count())
                })
                .collect();
            let counts = writers.into_iter().map(|writer| writer.join().unwrap());
            counts.sum::<usize>()
        });
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert_eq!(lines, succeeded);
        assert!(succeeded > 0);
    }

    #[test]
    fn a_file_with_the_same_bytes_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "same").unwrap();
        let before = fs::metadata(&file).unwrap().ino();
        write(&file, b"same").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().ino(), before);
    }

    #[test]
    fn d11_what_is_no_regular_file_is_written_to() {
        use std::io::Read as _;
        use std::os::fd::AsRawFd as _;

        let (mut reader, writer) = io::pipe().unwrap();
        // As /dev/stdout is, when standard output is a pipe.
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("stdout");
        let end = format!("/proc/self/fd/{}", writer.as_raw_fd());
        std::os::unix::fs::symlink(end, &link).unwrap();
        replace(&link, None, b"data").unwrap();
        drop(writer);
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert_eq!(read, "data");
        assert!(link.is_symlink());
    }

    #[test]
    fn a_directory_and_a_missing_folder_are_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            write(folder.path(), b"x").unwrap_err(),
            WriteError::Directory(_)
        ));
        let missing = folder.path().join("no/such/file");
        let error = write(&missing, b"x").unwrap_err();
        assert!(error.to_string().contains("no/such/file"), "{error}");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_private_file_is_readable_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("private");
        write_private(&file, b"x").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    }
}
