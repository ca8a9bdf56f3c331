//! Key material and ciphertext: sealed envelope, certificates, key ring; values and keys of SOPS files.
//!
//! The envelope is the one of Sealed Secrets (`bitnami.com/v1alpha1`, `spec.encryptedData`), whose
//! reference is the `kubeseal` program; every item of a `SealedSecret` is one envelope in standard
//! base64 with padding:
//!
//! ```text
//!  offset 0         2                        2 + n                          end
//!         +---------+------------------------+-------------------------------+
//!         | n (u16, | RSA-OAEP(session key)  | AES-256-GCM(value) | tag (16) |
//!         | big     | n = bytes of the       | nonce: 12 zero bytes, used    |
//!         | endian) | modulus, 512 for 4096  | once; no associated data      |
//!         +---------+------------------------+-------------------------------+
//!
//!  session key  32 random bytes, new for each item
//!  OAEP         hash and MGF1 hash SHA-256, label by scope:
//!                 strict          "<namespace>/<name>"
//!                 namespace-wide  "<namespace>"
//!                 cluster-wide    ""
//! ```
//!
//! The label binds an item to the place where it may be opened. Neither the name of the item nor the
//! key it was sealed for is in the envelope, so a [`keyring::KeyRing`] finds the key by trying.
//! The older form of the same resource, `spec.data`, is one such envelope over the JSON of the whole
//! Secret: [`sealed::open`] reads it too.
//!
//! The crate is pure: no network, clock, environment or file; times are arguments. Randomness comes
//! from the operating system (from Web Crypto in a browser).

#[cfg(not(any(feature = "aws-lc", feature = "rust-crypto")))]
compile_error!(
    "signet-keys needs an RSA implementation: enable the feature `aws-lc` (native builds) or \
     `rust-crypto` (pure Rust, also for wasm32)"
);

#[cfg(feature = "age")]
pub mod age_key;
pub mod certificate;
pub mod keyring;
pub mod rsa;
pub mod sealed;
pub mod sops;

mod base64;
mod fingerprint;
mod pem;
mod plaintext;
#[cfg(test)]
mod testing;

pub use fingerprint::{Fingerprint, FingerprintError};
pub use plaintext::Plaintext;
