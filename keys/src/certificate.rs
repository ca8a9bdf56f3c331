//! Sealing certificates: the form in which a public key is handed out.

use der::asn1::{AnyRef, ObjectIdentifier};
use der::{Decode, Encode, Tag, Tagged};
use jiff::{SignedDuration, Timestamp};
use x509_cert::time::Time;

mod self_signed;

pub use self_signed::{SelfSignError, SelfSigned};

use crate::pem;
use crate::rsa::{KeyError, PublicKey};

/// An X.509 certificate of an RSA key. It is a wrapping of the key and of dates: neither its signature
/// nor its chain says anything here, as for the Sealed Secrets tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    pem: String,
    public_key: PublicKey,
    not_before: Timestamp,
    not_after: Timestamp,
    common_name: Option<String>,
}

/// Why a certificate was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// There is no certificate in the PEM text.
    #[error("no certificate in PEM found{}", pem::only(found))]
    NoCertificate {
        /// Labels of the blocks that are there.
        found: Vec<String>,
    },
    /// The encoding is broken.
    #[error("the certificate is malformed")]
    Malformed,
    /// A date lies outside of the years that a timestamp can hold.
    #[error("a date of the certificate is out of range")]
    Date,
    /// The key in it cannot be used.
    #[error("the certificate cannot be used: {0}")]
    Key(#[from] KeyError),
}

impl CertificateError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoCertificate { .. } => {
                Some("give a PEM file with a \"BEGIN CERTIFICATE\" block")
            }
            Self::Malformed | Self::Date => None,
            Self::Key(error) => error.hint(),
        }
    }
}

impl Certificate {
    /// Reads the first certificate of a PEM text; what comes before or after it is passed over, as
    /// `kubeseal` does.
    pub fn from_pem(text: &[u8]) -> Result<Self, CertificateError> {
        let blocks = pem::blocks(text);
        let Some(block) = blocks.iter().find(|block| block.label == LABEL) else {
            let found = blocks.into_iter().map(|block| block.label).collect();
            return Err(CertificateError::NoCertificate { found });
        };
        Self::from_der(block.der.as_deref().ok_or(CertificateError::Malformed)?)
    }

    /// Reads a certificate in DER.
    pub fn from_der(der: &[u8]) -> Result<Self, CertificateError> {
        let certificate =
            x509_cert::Certificate::from_der(der).map_err(|_| CertificateError::Malformed)?;
        let tbs = certificate.tbs_certificate();
        let spki_der = tbs
            .subject_public_key_info()
            .to_der()
            .map_err(|_| CertificateError::Malformed)?;
        Ok(Self {
            pem: pem::encode(LABEL, der).to_string(),
            public_key: PublicKey::from_spki_der(&spki_der)?,
            not_before: timestamp(&tbs.validity().not_before)?,
            not_after: timestamp(&tbs.validity().not_after)?,
            common_name: common_name(tbs.subject()),
        })
    }

    /// This certificate alone as PEM.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// The key that it hands out.
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// When it becomes valid. Sealing does not ask for this; it orders keys.
    pub fn not_before(&self) -> Timestamp {
        self.not_before
    }

    /// The last moment at which a client should seal with it. Opening does not ask for this.
    pub fn not_after(&self) -> Timestamp {
        self.not_after
    }

    /// Whether a client should no longer seal with it. `now` is the clock of the caller.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.not_after < now
    }

    /// The common name of its subject, if there is one. Informative only.
    pub fn common_name(&self) -> Option<&str> {
        self.common_name.as_deref()
    }
}

const LABEL: &str = "CERTIFICATE";
const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");

fn timestamp(time: &Time) -> Result<Timestamp, CertificateError> {
    let since_epoch =
        SignedDuration::try_from(time.to_unix_duration()).map_err(|_| CertificateError::Date)?;
    Timestamp::from_duration(since_epoch).map_err(|_| CertificateError::Date)
}

/// Of the last attribute that has a text, in whichever of the string types.
fn common_name(subject: &x509_cert::name::Name) -> Option<String> {
    let names = subject
        .iter()
        .filter(|attribute| attribute.oid == COMMON_NAME);
    names
        .filter_map(|attribute| text(&AnyRef::from(&attribute.value)))
        .last()
}

fn text(value: &AnyRef<'_>) -> Option<String> {
    let bytes = value.value();
    match value.tag() {
        Tag::Utf8String | Tag::PrintableString | Tag::Ia5String | Tag::TeletexString => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
        Tag::BmpString => {
            let units = bytes
                .chunks_exact(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            Some(
                char::decode_utf16(units)
                    .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect(),
            )
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
