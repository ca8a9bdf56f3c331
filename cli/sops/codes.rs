//! The numbers that the peer ends with. Scripts tell errors apart by them.

use crate::{ExitStatus, Failure};

/// Anything that has no number of its own.
pub(super) const GENERIC: u8 = 1;
/// A file cannot be read, or not understood. Also where the peer crashes.
pub(super) const READ: u8 = 2;
/// `help` for a command that is not there.
pub(super) const NO_TOPIC: u8 = 3;
/// A file cannot be written.
pub(super) const WRITE: u8 = 3;
/// The result cannot be said in the output's format.
pub(super) const DUMP: u8 = 4;
/// `--encryption-context` is no list of `key:value`.
pub(super) const BAD_CONTEXT: u8 = 6;
/// The path or the value of `set` is not understood.
pub(super) const BAD_SET: u8 = 7;
/// Flags contradict each other.
pub(super) const CONFLICT: u8 = 8;
/// A value cannot be encrypted.
pub(super) const ENCRYPT: u8 = 23;
/// A value does not decrypt.
pub(super) const DECRYPT: u8 = 25;
/// Keys of a file that is not there cannot be changed.
pub(super) const NO_FILE_FOR_KEYS: u8 = 49;
/// The checksum is missing, does not decrypt or does not match.
pub(super) const MAC: u8 = 51;
/// The path of `--extract` is not understood.
pub(super) const BAD_PATH: u8 = 91;
/// The file is empty.
pub(super) const EMPTY: u8 = 92;
/// No file is named, or it is not there.
pub(super) const NO_FILE: u8 = 100;
/// A kind of key stands twice in the decryption order.
pub(super) const DUPLICATE_ORDER: u8 = 112;
/// None of the keys gives the data key.
pub(super) const NO_DATA_KEY: u8 = 128;
/// The editor left the file as it was.
pub(super) const NOT_MODIFIED: u8 = 200;
/// There is no editor, or it failed.
pub(super) const NO_EDITOR: u8 = 201;
/// The file is encrypted already.
pub(super) const ALREADY_ENCRYPTED: u8 = 203;

/// A failure that ends with this number.
pub(super) fn fail(code: u8, message: impl Into<String>) -> Failure {
    Failure {
        status: ExitStatus::Code(code),
        ..Failure::new(message)
    }
}
