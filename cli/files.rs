//! Reading inputs, and replacing files so that nothing is ever lost.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use signet_documents::limits::MAX_SOURCE_BYTES;
use zeroize::Zeroizing;

use crate::{Hint, Ui};

mod replace;

pub use replace::WriteError;

/// An input that the user named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input, written as `-`.
    Stdin,
}

impl Input {
    /// What an argument names: `-` is standard input.
    pub fn from_argument(argument: PathBuf) -> Self {
        if argument.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::File(argument)
        }
    }

    /// The bytes of the input. Wiped from memory when dropped: they may be plaintext.
    pub fn read(&self, ui: &mut Ui) -> Result<Zeroizing<Vec<u8>>, ReadError> {
        match self {
            Self::File(path) => read(path),
            Self::Stdin => ui.read_stdin().map_err(ReadError::Stdin),
        }
    }
}

impl std::fmt::Display for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Stdin => f.write_str("standard input"),
        }
    }
}

/// Why an input could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The path is a folder.
    #[error("`{}` is a directory, not a file", .0.display())]
    Directory(PathBuf),
    /// The operating system refused.
    #[error("cannot read `{}`", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Standard input broke.
    #[error("cannot read standard input")]
    Stdin(#[source] io::Error),
    /// Larger than anything that is read, or without an end.
    #[error("`{}` has more than {} MiB", .0.display(), MAX_SOURCE_BYTES >> 20)]
    TooLarge(PathBuf),
}

impl Hint for ReadError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Directory(path) => Some(format!(
                "name the files in it, or use `signet reseal {}` which walks a tree",
                path.display()
            )),
            _ => None,
        }
    }
}

/// The bytes of a file. Wiped from memory when dropped: they may be plaintext.
pub fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, ReadError> {
    if path.is_dir() {
        return Err(ReadError::Directory(path.to_owned()));
    }
    let failed = |source| ReadError::File {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(failed)?;
    let said = file.metadata().map_err(failed)?.len();
    // Room for all of it at once, so that no growing buffer leaves a copy of plaintext behind.
    let room = usize::try_from(said).unwrap_or(MAX_SOURCE_BYTES);
    let mut bytes = Zeroizing::new(Vec::with_capacity(room.min(MAX_SOURCE_BYTES) + 1));
    file.take(MAX_SOURCE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(ReadError::TooLarge(path.to_owned()));
    }
    Ok(bytes)
}

/// Whether a file has hard links, which stay as they are when it is replaced.
pub fn has_other_names(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|there| there.is_file() && there.nlink() > 1)
}

/// Writes `bytes` to `path`: all or nothing.
///
/// A file that exists is replaced in one step and keeps its mode and owner; a symbolic link stays
/// and its target is replaced. What is not a regular file (`/dev/stdout`, a named pipe) is written
/// to. A file that already has these bytes is not touched. On an error the old content is as it
/// was, and nothing is left beside it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    replace::replace(path, None, bytes)
}

/// Writes `bytes` to the file from which `read` came, unless someone else changed it since.
/// Otherwise as [`write`].
pub fn rewrite(path: &Path, read: &[u8], bytes: &[u8]) -> Result<(), WriteError> {
    replace::replace(path, Some(read), bytes)
}

/// Writes a file that only its owner may read (mode 0600), whatever the umask says.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    replace::replace_private(path, bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_file_without_an_end_is_refused() {
        let refused = read(Path::new("/dev/zero")).unwrap_err();
        let most = MAX_SOURCE_BYTES >> 20;
        assert_eq!(
            refused.to_string(),
            format!("`/dev/zero` has more than {most} MiB")
        );
    }

    #[test]
    fn a_file_is_read_to_its_end_also_when_it_tells_no_size() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "text").unwrap();
        assert_eq!(read(&file).unwrap().as_slice(), b"text");
        assert!(!read(Path::new("/proc/self/status")).unwrap().is_empty());
    }
}
