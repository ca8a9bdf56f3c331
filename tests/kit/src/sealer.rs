//! Sealing in this process.

use signet_keys::certificate::Certificate;
use signet_keys::sealed::{Label, Scope, encode, seal};

use crate::error::KitError;

/// Seals for one certificate.
#[derive(Clone, Debug)]
pub struct Sealer {
    certificate: Certificate,
}

impl Sealer {
    /// From the PEM that a controller serves.
    pub fn new(pem: &str) -> Result<Self, KitError> {
        let certificate = Certificate::from_pem(pem.as_bytes())
            .map_err(|error| KitError::Seal(error.to_string()))?;
        Ok(Self { certificate })
    }

    /// The ciphertext, as it stands in `spec.encryptedData`.
    pub fn seal(
        &self,
        scope: Scope,
        namespace: &str,
        name: &str,
        value: &[u8],
    ) -> Result<String, KitError> {
        let label = Label::new(scope, namespace, name);
        let sealed = seal(self.certificate.public_key(), &label, value);
        Ok(encode(
            &sealed.map_err(|error| KitError::Seal(error.to_string()))?,
        ))
    }

    /// The certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }
}
