//! Which files of a tree are encrypted, or are to be.

use std::path::{Path, PathBuf};

use crate::walk::{self, Found};
use crate::{Failure, files};

/// The named files, and in the named folders those that are encrypted.
pub fn encrypted(paths: &[PathBuf]) -> Result<Found, Failure> {
    walk::files(paths, |path| {
        files::read(path).is_ok_and(|bytes| looks_encrypted(&bytes))
    })
}

/// The named files, and in the named folders those that are in the clear and that `has_rule` is for.
pub fn in_the_clear(paths: &[PathBuf], has_rule: impl Fn(&Path) -> bool) -> Result<Found, Failure> {
    walk::files(paths, |path| {
        let is_rules = path.file_name().is_some_and(|name| name == ".sops.yaml");
        !is_rules && has_rule(path) && files::read(path).is_ok_and(|bytes| !looks_encrypted(&bytes))
    })
}

/// Whether it is worth parsing a file. Every encrypted file has an encrypted checksum and its name.
pub fn looks_encrypted(bytes: &[u8]) -> bool {
    let has = |what: &[u8]| bytes.windows(what.len()).any(|window| window == what);
    has(b"sops") && has(b"ENC[AES256_GCM,")
}
