//! The sealed envelope from outside, over every implementation of RSA that the build contains.
#![allow(clippy::unwrap_used)]

mod arbitrary_input;
mod fixtures;
mod kubeseal;
mod properties;
mod sizes;
