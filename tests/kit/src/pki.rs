//! The certificates of one control plane.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

use crate::error::KitError;

/// A certificate authority, a server certificate for loopback, and the key that signs
/// ServiceAccount tokens. PEM.
#[derive(Clone)]
pub struct Pki {
    /// The authority's certificate.
    pub ca: String,
    /// The server's certificate.
    pub certificate: String,
    /// The server's private key.
    pub key: String,
    /// Signs ServiceAccount tokens.
    pub token_key: String,
    /// Checks ServiceAccount tokens.
    pub token_public_key: String,
}

impl Pki {
    /// Makes new keys (P-256, so in no time).
    pub fn generate() -> Result<Self, KitError> {
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority
            .distinguished_name
            .push(DnType::CommonName, "signet test authority");
        let authority_key = KeyPair::generate()?;
        let ca = authority.self_signed(&authority_key)?.pem();
        let issuer = Issuer::new(authority, authority_key);

        let names = [
            "localhost",
            "127.0.0.1",
            "kubernetes.default.svc",
            "10.0.0.1",
        ];
        let server = CertificateParams::new(names.map(String::from).to_vec())?;
        let server_key = KeyPair::generate()?;
        let certificate = server.signed_by(&server_key, &issuer)?.pem();

        let token_key = KeyPair::generate()?;
        Ok(Self {
            ca,
            certificate,
            key: server_key.serialize_pem(),
            token_public_key: token_key.public_key_pem(),
            token_key: token_key.serialize_pem(),
        })
    }
}
