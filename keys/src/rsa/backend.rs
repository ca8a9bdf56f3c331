//! The seam between keys and the implementations of RSA.

use zeroize::Zeroizing;

/// An implementation of RSA that this build contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// AWS-LC through `aws-lc-rs`: constant time, and the fastest by far.
    #[cfg(feature = "aws-lc")]
    AwsLc,
    /// The `rsa` crate: Rust alone, for wasm and the small build.
    #[cfg(feature = "rust-crypto")]
    RustCrypto,
}

/// What a public key can do. Label and hashes as in [`super::PublicKey::wrap`].
pub(super) trait Wrap: Send + Sync {
    fn wrap(&self, label: &[u8], message: &[u8]) -> Option<Vec<u8>>;
}

/// What a private key can do.
pub(super) trait Unwrap: Send + Sync {
    fn unwrap(&self, label: &[u8], wrapped: &[u8]) -> Option<Zeroizing<Vec<u8>>>;
}

impl Backend {
    /// All that this build contains, the preferred one first.
    pub const ALL: &[Self] = &[
        #[cfg(feature = "aws-lc")]
        Self::AwsLc,
        #[cfg(feature = "rust-crypto")]
        Self::RustCrypto,
    ];

    /// The one that is used where nothing else is asked for.
    pub const fn preferred() -> Self {
        Self::ALL[0]
    }

    pub(super) fn public(self, spki_der: &[u8]) -> Option<Box<dyn Wrap>> {
        match self {
            #[cfg(feature = "aws-lc")]
            Self::AwsLc => super::aws_lc::public(spki_der),
            #[cfg(feature = "rust-crypto")]
            Self::RustCrypto => super::rust_crypto::public(spki_der),
        }
    }

    pub(super) fn private(self, pkcs1_der: &[u8]) -> Option<Box<dyn Unwrap>> {
        match self {
            #[cfg(feature = "aws-lc")]
            Self::AwsLc => super::aws_lc::private(pkcs1_der),
            #[cfg(feature = "rust-crypto")]
            Self::RustCrypto => super::rust_crypto::private(pkcs1_der),
        }
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    pub(super) fn sign(self, pkcs1_der: &[u8], message: &[u8]) -> Option<Vec<u8>> {
        match self {
            #[cfg(feature = "aws-lc")]
            Self::AwsLc => super::aws_lc::sign(pkcs1_der, message),
            #[cfg(feature = "rust-crypto")]
            Self::RustCrypto => super::rust_crypto::sign(pkcs1_der, message),
        }
    }

    /// A new key as PKCS#1 DER.
    pub(super) fn generate(self, bits: usize) -> Option<Zeroizing<Vec<u8>>> {
        match self {
            #[cfg(feature = "aws-lc")]
            Self::AwsLc => super::aws_lc::generate(bits),
            #[cfg(feature = "rust-crypto")]
            Self::RustCrypto => super::rust_crypto::generate(bits),
        }
    }
}
