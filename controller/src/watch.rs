//! What the program follows: SealedSecrets whole, Secrets by their metadata, key Secrets whole.
//!
//! ```text
//!   SealedSecrets --> store::SealedSecrets --+
//!   Secrets (metadata) --> store::Targets ---+--> work
//!   key Secrets --> keys::Loaded --> ring ---+
//! ```
//!
//! Each watch recovers by itself, for as long as the program runs; what goes wrong is said once,
//! not each time.

mod keys;
mod sealed;
pub(crate) mod stream;
mod targets;

pub use self::{
    keys::{KEY_WATCHES, KEY_WATCHES_PREFIX, follow as follow_keys},
    sealed::{
        Source, deleted as sealed_deleted, follow as follow_sealed_secrets, keep,
        watch_name as sealed_name,
    },
    targets::{
        changed as target_changed, deleted as target_deleted, follow as follow_targets,
        watch_name as targets_name,
    },
};

#[cfg(test)]
mod tests;
