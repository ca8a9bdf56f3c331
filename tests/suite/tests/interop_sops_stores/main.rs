//! dotenv, INI and the peer's own layout beside the real sops: what one writes the other reads, and
//! what is laid out anew is laid out alike.
#![allow(missing_docs, clippy::unwrap_used)]

mod dotenv;
mod examples;
mod generate;
mod ini;
mod layout;
mod peer;
