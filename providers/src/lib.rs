//! The gates: services that wrap and unwrap the data keys of SOPS files, what goes on between them
//! and a file's key groups, and stores of secrets.
//!
//! ```text
//!  MasterKey            who does it                         feature     by
//!  age                  identities on this machine          age         signet-keys; plugins are programs
//!  pgp                  gpg, its agent and its cards        gpg         the gpg binary
//!  hc_vault             Vault or OpenBao, engine transit    vault       HTTP
//!  kms                  AWS KMS                             aws         the official SDK
//!  gcp_kms              Google Cloud KMS                    gcp         HTTP
//!  azure_kv             Azure Key Vault                     azure       HTTP
//!  hckms                nobody: entries are kept            -           -
//!  any of them          another machine, over gRPC          keyservice  tonic
//! ```
//!
//! Feature `store` adds the other half: `store::SecretStore`, which reads, finds, writes and deletes
//! secrets at those backends and more.
//!
//! A [`KeyService`] answers for one key at a time. [`Local`] is the one that dispatches to what this
//! machine can do; [`recover`] and [`wrap_all`] ask one or more services for whole key groups, in
//! parallel; [`Remembering`] asks for each wrapped key once in a run over many files.
//!
//! What surrounds the process is passed in as an [`Environment`], and what a document may name and
//! get credentials for as a [`Policy`]: nothing here reads `std::env` but [`Environment::of_process`].

#[cfg(feature = "aws")]
pub mod aws;
#[cfg(feature = "azure")]
pub mod azure;
#[cfg(feature = "store")]
pub mod fake;
#[cfg(feature = "gcp")]
pub mod gcp;
#[cfg(feature = "keyservice")]
pub mod remote;
#[cfg(feature = "store")]
pub mod store;
#[cfg(feature = "vault")]
pub mod vault;

pub mod local;

mod blocking;
#[cfg(any(feature = "age", feature = "azure", feature = "gpg"))]
mod command;
mod environment;
mod error;
mod groups;
mod noting;
mod policy;
mod prompt;
mod remember;
#[cfg(feature = "rest")]
mod rest;
mod service;

pub use blocking::block_on;
pub use environment::Environment;
pub use error::KeyError;
pub use groups::recover::{Attempt, GroupFailure, KeyFailure, RecoverError, Recovered, recover};
pub use groups::wrap::{WrapAllError, WrapFailure, wrap_all};
pub use local::Local;
pub use noting::{KeyWork, Notes, Noting};
pub use policy::{NotAllowed, Policy};
pub use prompt::{NoPrompt, Prompt};
pub use remember::Remembering;
#[cfg(feature = "rest")]
pub use rest::RestError;
pub use service::KeyService;
