//! Stores of secrets: one suite that every backend passes, and what each of them has for itself, against
//! real or emulated servers.
#![allow(clippy::unwrap_used, clippy::panic)]

mod conformance;
mod vault;
