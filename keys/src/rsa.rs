//! RSA keys, whichever implementation works them.

mod algorithm;
mod backend;
mod error;
#[cfg(feature = "age")]
mod numbers;
mod private;
mod public;

#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "rust-crypto")]
mod rust_crypto;

pub use backend::Backend;
pub use error::{GenerateError, KeyError};
#[cfg(feature = "age")]
pub(crate) use numbers::Numbers;
pub use private::PrivateKey;
pub use public::PublicKey;

/// Shortest modulus in bits. Shorter ones can be factored, and no implementation here takes them.
pub const MIN_BITS: usize = 2048;
/// Longest modulus in bits: what longer keys cost would let a key file stop the program.
pub const MAX_BITS: usize = 8192;

#[cfg(test)]
mod tests;
