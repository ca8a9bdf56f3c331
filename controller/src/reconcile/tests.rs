//! Reconciles against the API server in memory.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod conflicts;
mod meanwhile;
mod restarts;
mod statuses;
mod trouble;
mod writes;
