//! What templates ask of a certificate.

use std::net::{Ipv4Addr, Ipv6Addr};

use x509_cert::der::{Decode, Encode};
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, SubjectAltName, SubjectKeyIdentifier};

use super::pem;

/// A certificate as far as chains are concerned.
pub(super) struct Parsed {
    pub(super) der: Vec<u8>,
    /// Encoded names.
    pub(super) subject: Vec<u8>,
    pub(super) issuer: Vec<u8>,
    pub(super) subject_key: Option<Vec<u8>>,
    authority_key: Option<Vec<u8>>,
    pub(super) alternative_names: Vec<String>,
}

impl Parsed {
    /// `None`: no certificate.
    pub(super) fn from_der(der: &[u8]) -> Option<Self> {
        let certificate = x509_cert::Certificate::from_der(der).ok()?;
        let certificate = certificate.tbs_certificate();
        let mut parsed = Self {
            der: der.to_vec(),
            subject: certificate.subject().to_der().ok()?,
            issuer: certificate.issuer().to_der().ok()?,
            subject_key: None,
            authority_key: None,
            alternative_names: Vec::new(),
        };
        for extension in certificate.extensions().into_iter().flatten() {
            let value = extension.extn_value.as_bytes();
            match extension.extn_id.to_string().as_str() {
                "2.5.29.14" => {
                    let key = SubjectKeyIdentifier::from_der(value).ok()?;
                    parsed.subject_key = Some(key.0.as_bytes().to_vec());
                }
                "2.5.29.35" => {
                    let key = AuthorityKeyIdentifier::from_der(value).ok()?;
                    parsed.authority_key = key.key_identifier.map(|key| key.as_bytes().to_vec());
                }
                "2.5.29.17" => {
                    let names = SubjectAltName::from_der(value).ok()?;
                    parsed.alternative_names = names.0.iter().filter_map(name).collect();
                }
                _ => {}
            }
        }
        Some(parsed)
    }

    /// The certificates of a text. `None`: one of them is none.
    pub(super) fn all(text: &[u8]) -> Option<Vec<Self>> {
        let blocks = pem::blocks(text);
        let certificates = blocks.iter().filter(|block| block.label == pem_label());
        certificates
            .map(|block| Self::from_der(&block.der))
            .collect()
    }

    /// Whether it stands for itself.
    pub(super) fn is_root(&self) -> bool {
        self.authority_key.is_none() || self.authority_key == self.subject_key
    }

    /// Whether it was signed by that one, as far as their names and keys tell.
    pub(super) fn is_issued_by(&self, other: &Self) -> bool {
        let keys = match (&self.authority_key, &other.subject_key) {
            (Some(wanted), Some(key)) => wanted == key,
            _ => true,
        };
        keys && self.issuer == other.subject
    }

    pub(super) fn to_pem(&self) -> String {
        pem::encode(pem_label(), &self.der)
    }
}

pub(super) fn pem_label() -> &'static str {
    "CERTIFICATE"
}

fn name(name: &GeneralName) -> Option<String> {
    match name {
        GeneralName::DnsName(name)
        | GeneralName::Rfc822Name(name)
        | GeneralName::UniformResourceIdentifier(name) => Some(name.to_string()),
        GeneralName::IpAddress(address) => {
            let bytes = address.as_bytes();
            let four = <[u8; 4]>::try_from(bytes).map(|bytes| Ipv4Addr::from(bytes).to_string());
            let sixteen =
                <[u8; 16]>::try_from(bytes).map(|bytes| Ipv6Addr::from(bytes).to_string());
            four.or(sixteen).ok()
        }
        _ => None,
    }
}
