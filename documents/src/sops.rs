//! Files encrypted by `sops`: read, encrypted, decrypted and edited in place.
//!
//! ```text
//!  bytes --File::parse--> body of a format --outline--> steps --walk--> places --crypt--> outcomes
//!                               |                                                            |
//!                               +------------------------ write <---------------------------+
//!                                                           |
//!                                              bytes, all else unchanged --check--> the same leaves
//! ```
//!
//! What a file says goes through [`outline`], the one thing that encryption, decryption and the plain
//! [`Tree`] know of a format. A format is a [`body::Body`].

pub mod error;
pub mod flatten;
pub mod metadata;
pub mod readers;
pub mod selector;
pub mod tree;

mod binary;
mod body;
mod check;
mod crypt;
mod dotenv;
mod file;
mod format;
mod ini;
mod json;
mod kept;
mod outline;
mod walk;
mod yaml;

pub use error::{
    CheckError, DecryptError, Diagnosis, EncryptError, Leaf, ReadError, Warning, WriteError,
};
pub use file::{Decrypted, Encrypted, File, MacCheck};
pub use format::{FileFormat, UnknownFormat};
pub use kept::Kept;
pub use metadata::Metadata;
pub use tree::Tree;

/// The key at the top of a file that its metadata is under.
const METADATA_KEY: &str = "sops";

#[cfg(test)]
mod tests;
