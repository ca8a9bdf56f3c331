//! The files of the proofs.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

use rustix::fs::FlockOperation;
use zeroize::Zeroizing;

use crate::files::{self, WriteError};

/// More lines than this are halved, the older half dropped: a dropped line costs one new ciphertext.
const MOST_LINES: usize = 200_000;

/// A folder of proofs.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
}

/// Why the proofs cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot use the local proofs in `{}`", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The key file does not hold 32 bytes.
    #[error("the key of the local proofs `{}` is damaged", .0.display())]
    Key(PathBuf),
    /// No random numbers for the key.
    #[error("the operating system gives no random numbers")]
    Random,
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Store {
    pub(super) fn open(folder: PathBuf) -> Result<Self, StoreError> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .map_err(|source| StoreError::Io {
                path: folder.clone(),
                source,
            })?;
        Ok(Self { folder })
    }

    /// The key; made at the first time.
    pub(super) fn key(&self) -> Result<Zeroizing<[u8; 32]>, StoreError> {
        let _lock = self.lock()?;
        let path = self.folder.join("key");
        let mut key = Zeroizing::new([0; 32]);
        match fs::read(&path).map(Zeroizing::new) {
            Ok(bytes) if bytes.len() == key.len() => key.copy_from_slice(&bytes),
            Ok(_) => return Err(StoreError::Key(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                getrandom::fill(key.as_mut_slice()).map_err(|_| StoreError::Random)?;
                files::write_private(&path, key.as_slice())?;
            }
            Err(source) => return Err(StoreError::Io { path, source }),
        }
        Ok(key)
    }

    /// Ciphertext digest to proof. Lines that are damaged prove nothing and are passed over.
    pub(super) fn lines(&self) -> Result<HashMap<[u8; 32], [u8; 32]>, StoreError> {
        let path = self.folder.join("sealed");
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text.lines().filter_map(parse).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashMap::new()),
            Err(source) => Err(StoreError::Io { path, source }),
        }
    }

    /// Adds lines. Two programs that add at once both succeed.
    pub(super) fn append(&self, lines: &[([u8; 32], [u8; 32])]) -> Result<(), StoreError> {
        if lines.is_empty() {
            return Ok(());
        }
        let path = self.folder.join("sealed");
        let io_error = |source| StoreError::Io {
            path: path.clone(),
            source,
        };
        let _lock = self.lock()?;
        let added: String = lines.iter().map(line).collect();
        OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&path)
            .and_then(|mut file| io::Write::write_all(&mut file, added.as_bytes()))
            .map_err(io_error)?;
        let text = fs::read_to_string(&path).map_err(io_error)?;
        let count = text.lines().count();
        if count > MOST_LINES {
            let newer = text.lines().skip(count - MOST_LINES / 2);
            let kept: String = newer.flat_map(|line| [line, "\n"]).collect();
            files::write_private(&path, kept.as_bytes())?;
        }
        Ok(())
    }

    /// Held until dropped.
    fn lock(&self) -> Result<File, StoreError> {
        let path = self.folder.join("lock");
        OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .and_then(|file| {
                rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
                Ok(file)
            })
            .map_err(|source| StoreError::Io { path, source })
    }
}

fn line((digest, mac): &([u8; 32], [u8; 32])) -> String {
    format!("{} {}\n", hex(digest), hex(mac))
}

fn parse(line: &str) -> Option<([u8; 32], [u8; 32])> {
    let (digest, mac) = line.split_once(' ')?;
    Some((unhex(digest)?, unhex(mac)?))
}

pub(super) fn hex(bytes: &[u8; 32]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(bytes)
}
