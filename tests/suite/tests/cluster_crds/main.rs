//! The resources of external-secrets, as a real API server takes them: what is kept, what is refused and
//! what `kubectl get` shows.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod admission;
mod columns;
mod objects;
mod round_trip;
mod stage;
