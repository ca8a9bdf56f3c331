//! Values and keys of SOPS files beside the real sops 3.13.3.
#![allow(clippy::unwrap_used)]

#[cfg(feature = "age")]
mod age;
mod checksums;
mod fixtures;
mod splits;
mod values;
