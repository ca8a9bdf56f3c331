//! Data keys that the real sops wrapped are unwrapped by signet, and the other way round, for each kind of
//! key: with real gpg, age plugins, servers, and sops' own key service. Files are one JSON object.
#![allow(clippy::unwrap_used, clippy::panic)]

mod age;
mod aws;
mod azure;
mod gcp;
mod gpg;
mod keyservice;
mod session;
mod vault;
