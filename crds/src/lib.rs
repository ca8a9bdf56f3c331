//! Rust types of the custom resources, their conditions and generated YAML.
//!
//! What users and other controllers see of signet in a cluster is spelled here and nowhere else: the
//! types with their schema, and in [`constants`] every annotation, label, condition and event name.
//! `deploy/crds/` is generated from the types; a test of this crate fails when it is stale, and
//! `SIGNET_UPDATE=1 cargo test -p signet-crds` writes it anew.
//!
//! Decoding is total: an object with a value of the wrong kind is still an object, which says in
//! [`SealedSecretSpec::unreadable`](sealed_secret::SealedSecretSpec::unreadable) what could not be
//! read. A watch over many objects therefore never stops because of a single one.

pub mod constants;
pub mod duration;
pub mod external;
mod schema;
pub mod sealed_secret;
mod sensitive;

pub use sensitive::Sensitive;
