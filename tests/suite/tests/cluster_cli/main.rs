//! The verbs of `signet` that ask a cluster, against a real API server and the controller.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod certificate;
mod faults;
mod keys;
mod prune;
mod reseal;
mod session;
mod status;
