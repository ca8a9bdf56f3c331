//! Starts the real servers and peers that the tests need, on loopback and on free ports, and stops
//! them.
//!
//! ```text
//! tools            the binaries: built once from pinned Go modules, or of KUBEBUILDER_ASSETS
//! ControlPlane     etcd + kube-apiserver (+ kube-controller-manager)
//!   Namespace      a namespace of one test, with the few verbs that tests use
//! Controller       the signet-controller binary, outside the cluster, under its own ServiceAccount
//! PeerController   the sealed-secrets-controller binary, over the same cluster
//! ServiceProxy     in front of the API server: the service proxy that has no kubelet behind it, and
//!                  the faults that a test wants to see answered
//! OpenBao          the server that speaks Vault's protocol
//! Moto             KMS, STS and S3 of AWS
//! fakes            Azure Key Vault, Google Cloud KMS and Storage, written here: no emulator is to be had
//! Sealer           seals in this process, as fast as the key allows
//! session          command lines as data, run by a peer and by ours under its name, and compared
//! ```
//!
//! # Guarantees
//! - Every server runs under a supervisor that kills it when the test process goes away, however
//!   that happens (see [`process`]).
//! - Logs and state are in one folder a control plane; it is removed at the end, and kept (its path
//!   printed) when a test of the process panicked (see [`workdir`]).
//!
//! # Errors
//! Starting and commanding servers gives a [`KitError`], whose `Debug` is written for the reader of
//! a failed test, so that `unwrap` in a test says what happened. Waiting panics, with what is known of
//! the namespace.

pub mod cargo;
pub mod child;
pub mod control_plane;
pub mod controller;
pub mod diagnose;
pub mod error;
pub mod fakes;
pub mod key_secret;
pub mod kubeconfig;
pub mod metrics;
pub mod moto;
pub mod namespace;
pub mod openbao;
pub mod peer;
pub mod pki;
pub mod port;
pub mod process;
pub mod proxy;
pub mod sealed;
pub mod sealer;
pub mod session;
pub mod tools;
pub mod wait;
pub mod workdir;

pub use control_plane::{ControlPlane, Options as PlaneOptions};
pub use controller::{Controller, Options as ControllerOptions};
pub use error::KitError;
pub use moto::Moto;
pub use namespace::Namespace;
pub use openbao::OpenBao;
pub use peer::PeerController;
pub use proxy::{Fault, Faults, ServiceProxy};
pub use sealed::SealedSecret;
pub use sealer::Sealer;
pub use tools::tools;
pub use wait::{wait_for, wait_until};
