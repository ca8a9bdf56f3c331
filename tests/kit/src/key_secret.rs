//! Key Secrets, as a controller or a backup leaves them in a cluster.

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::ObjectMeta;
use signet_keys::certificate::{Certificate, SelfSigned};
use signet_keys::rsa::PrivateKey;

use crate::error::KitError;
use crate::sealer::Sealer;

/// The label of a key that is in use.
pub const LABEL: &str = "sealedsecrets.bitnami.com/sealed-secrets-key";

/// A key pair with its certificate.
#[derive(Debug)]
pub struct KeyPair {
    /// PEM of the certificate.
    pub certificate: String,
    /// PEM of the private key, PKCS#1.
    pub private_key: String,
}

impl KeyPair {
    /// A new pair of 2048 bits whose certificate began this long ago and is valid for ten years.
    pub fn generate(age: SignedDuration) -> Result<Self, KitError> {
        Self::valid_for(age, SignedDuration::from_hours(87_600))
    }

    /// A new pair with a validity of its own.
    pub fn valid_for(age: SignedDuration, lifetime: SignedDuration) -> Result<Self, KitError> {
        let failed = |error: &dyn std::fmt::Display| KitError::Seal(error.to_string());
        let private = PrivateKey::generate(2048).map_err(|error| failed(&error))?;
        let subject = SelfSigned {
            common_name: String::new(),
            not_before: Timestamp::now() - age,
            lifetime,
        };
        let certificate =
            Certificate::self_signed(&private, &subject).map_err(|error| failed(&error))?;
        let pem = private.to_pkcs1_pem();
        Ok(Self {
            certificate: certificate.pem().into(),
            private_key: String::from_utf8_lossy(pem.expose()).into_owned(),
        })
    }

    /// Seals for it.
    pub fn sealer(&self) -> Result<Sealer, KitError> {
        Sealer::new(&self.certificate)
    }

    /// The Secret that holds it, labelled active.
    pub fn secret(&self, namespace: &str, name: &str) -> Secret {
        secret(namespace, name, &self.certificate, &self.private_key)
    }
}

/// A key Secret with this content, labelled active.
pub fn secret(namespace: &str, name: &str, certificate: &str, private_key: &str) -> Secret {
    let data = [("tls.crt", certificate), ("tls.key", private_key)];
    Secret {
        metadata: ObjectMeta {
            name: Some(name.into()),
            namespace: Some(namespace.into()),
            labels: Some([(LABEL.into(), "active".into())].into()),
            ..ObjectMeta::default()
        },
        type_: Some("kubernetes.io/tls".into()),
        data: Some(
            data.map(|(key, value)| (key.into(), ByteString(value.as_bytes().into())))
                .into(),
        ),
        ..Secret::default()
    }
}
