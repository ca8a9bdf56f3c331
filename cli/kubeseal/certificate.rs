//! The certificate to seal with.

use std::io;

use jiff::Timestamp;
use signet_keys::certificate::{Certificate, CertificateError};
use signet_keys::rsa::{KeyError, PublicKey};

use crate::certificates::source::{FetchError, Source};
use crate::cluster::{Cluster, ClusterError};
use crate::{Context, Hint};

use super::options::Options;
use super::remote;

/// Why there is no certificate. The texts are the peer's, as far as scripts see them.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenError {
    /// The controller did not give it.
    #[error("cannot fetch certificate: {0}")]
    Controller(ClusterError),
    /// The cluster cannot be asked.
    #[error("{}", remote::told(.0))]
    Cluster(ClusterError),
    /// The file is not there, or cannot be read.
    #[error("open {path}: {}", reason(.cause))]
    File { path: String, cause: io::Error },
    /// The file is a folder.
    #[error("read {0}: is a directory")]
    Directory(String),
    /// A server answered with an error.
    #[error("cannot fetch {url:?}: {status}")]
    Status { url: String, status: String },
    /// A server did not answer.
    #[error(transparent)]
    Fetch(FetchError),
}

impl Hint for OpenError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Controller(error) | Self::Cluster(error) => error.hint(),
            Self::Fetch(error) => error.hint(),
            Self::File { .. } | Self::Directory(_) | Self::Status { .. } => None,
        }
    }
}

/// The bytes of `--cert`, or of the controller's answer.
pub(super) fn open(options: &Options, context: &Context) -> Result<Vec<u8>, OpenError> {
    if options.cert.is_empty() {
        let cluster =
            Cluster::connect(&options.connection, &context.env).map_err(OpenError::Cluster)?;
        let fetched = cluster.certificate(&options.controller);
        return fetched.map(|fetched| fetched.pem).map_err(|error| {
            if error.is_about_service() {
                OpenError::Cluster(error)
            } else {
                OpenError::Controller(error)
            }
        });
    }
    // The parser of sources cannot fail.
    let source = options.cert.parse().unwrap_or(Source::Url(String::new()));
    match source {
        Source::File(path) => std::fs::read(&path).map_err(|cause| {
            if options.cert.contains("://") {
                OpenError::Status {
                    url: options.cert.clone(),
                    status: "404 Not Found".to_owned(),
                }
            } else if path.is_dir() {
                OpenError::Directory(options.cert.clone())
            } else {
                OpenError::File {
                    path: options.cert.clone(),
                    cause,
                }
            }
        }),
        url @ Source::Url(_) => url.fetch().map_err(|error| match error {
            FetchError::Status { url, status } => OpenError::Status { url, status },
            other => OpenError::Fetch(other),
        }),
    }
}

/// What the operating system said, without its number, as Go writes it.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

/// Why a certificate is not used. The texts are the peer's.
#[derive(Debug, thiserror::Error)]
pub(super) enum UseError {
    /// Its time is over.
    #[error("failed to encrypt using an expired certificate on {}", date(.0))]
    Expired(Timestamp),
    /// There is none in the text, or it is broken.
    #[error("data does not contain any valid RSA or ECDSA certificates")]
    None(CertificateError),
    /// Its key is of another kind.
    #[error("expected RSA public key but found {0}")]
    NotRsa(String),
    /// Its key is RSA, and not one to use.
    #[error(transparent)]
    Key(KeyError),
}

impl Hint for UseError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Expired(_) => Some(
                "fetch the current one with --fetch-cert; a controller renews its certificate \
                 every 30 days"
                    .to_owned(),
            ),
            Self::None(error) => Some(error.to_string()),
            Self::Key(error) => error.hint().map(str::to_owned),
            Self::NotRsa(_) => None,
        }
    }
}

/// The key of the first certificate.
pub(super) fn key(pem: &[u8], now: Timestamp) -> Result<PublicKey, UseError> {
    let certificate = Certificate::from_pem(pem).map_err(|error| match error {
        CertificateError::Key(KeyError::NotRsa(found)) => UseError::NotRsa(found),
        CertificateError::Key(error) => UseError::Key(error),
        error => UseError::None(error),
    })?;
    if certificate.is_expired(now) {
        return Err(UseError::Expired(certificate.not_after()));
    }
    Ok(certificate.public_key().clone())
}

fn date(time: &Timestamp) -> String {
    time.strftime("%B %-d, %Y").to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jiff::SignedDuration;
    use signet_keys::certificate::SelfSigned;
    use signet_keys::rsa::PrivateKey;

    use super::*;

    #[test]
    fn an_expired_certificate_is_refused_with_its_date() {
        let private = PrivateKey::generate(2048).unwrap();
        let certificate = Certificate::self_signed(
            &private,
            &SelfSigned {
                common_name: String::new(),
                not_before: "2026-01-01T00:00:00Z".parse().unwrap(),
                lifetime: SignedDuration::from_hours(24),
            },
        )
        .unwrap();
        let at = |now: &str| key(certificate.pem().as_bytes(), now.parse().unwrap());
        assert!(at("2026-01-01T12:00:00Z").is_ok());
        assert_eq!(
            at("2026-03-01T00:00:00Z").unwrap_err().to_string(),
            "failed to encrypt using an expired certificate on January 2, 2026"
        );
    }

    #[test]
    fn reasons_read_as_those_of_go() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "no such file or directory");
    }
}
