//! Values of SOPS files, and the one key that encrypts them.
//!
//! The format is that of the `sops` program, version 3.13. Each value of a file is encrypted by
//! itself under the file's data key; the data key is wrapped for each recipient; a checksum over all
//! values is encrypted like a value:
//!
//! ```text
//!  value      ENC[AES256_GCM,data:<base64>,iv:<base64>,tag:<base64>,type:<kind>]
//!             associated data: the map keys from the root, each followed by ":"
//!  checksum   hexadecimal SHA-512 over the values in the order of the document, a value of kind
//!             str; associated data: the time of the last change
//!  data key   32 random bytes; with several key groups each group has one share of it (Shamir)
//! ```
//!
//! What is a value, which values are encrypted and what their path is belongs to the documents: here
//! are bytes only.

pub mod data_key;
pub mod mac;
pub mod master_key;
pub mod shamir;
pub mod value;

pub use data_key::DataKey;
pub use mac::{LastModified, Mac};
pub use master_key::{KeyType, MasterKey, WrappedKey};
pub use value::{Cipher, Envelope, Kind, Nonces, Stash, Value};
