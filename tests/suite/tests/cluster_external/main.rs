//! ExternalSecrets on a real API server, with a real store.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod stage;
mod sync;
