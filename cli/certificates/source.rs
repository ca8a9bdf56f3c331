//! What `--cert` names: a file or a URL.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::Hint;
use crate::files::{self, ReadError};

/// A place where a certificate is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file, given as a path or a `file://` URL.
    File(PathBuf),
    /// An `http://` or `https://` URL.
    Url(String),
}

/// Why a certificate could not be fetched.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(
    not(feature = "full"),
    expect(dead_code, reason = "the small build never gets so far")
)]
pub enum FetchError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] ReadError),
    /// This program was built without the feature `full`.
    #[cfg(not(feature = "full"))]
    #[error("this build cannot fetch `{0}`")]
    NotBuilt(String),
    /// The server answered with an error.
    #[error("cannot fetch `{url}`: the server answered {status}")]
    Status {
        /// The address.
        url: String,
        /// HTTP status, with its words.
        status: String,
    },
    /// The answer is larger than any certificate.
    #[error("cannot fetch `{0}`: the answer is too large for a certificate")]
    TooLarge(String),
    /// No answer.
    #[error("cannot fetch `{url}`: {cause}")]
    Unreachable {
        /// The address.
        url: String,
        /// Why.
        cause: String,
    },
}

impl Hint for FetchError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::File(error) => error.hint(),
            #[cfg(not(feature = "full"))]
            Self::NotBuilt(_) => Some(
                "build with `--features full`, or download the certificate and name the file"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

impl FromStr for Source {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if let Some(path) = text.strip_prefix("file://") {
            // `file://localhost/path` and `file:///path` name the same file.
            Self::File(path.strip_prefix("localhost").unwrap_or(path).into())
        } else if text.starts_with("http://") || text.starts_with("https://") {
            Self::Url(text.to_owned())
        } else {
            Self::File(text.into())
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Url(url) => f.write_str(url),
        }
    }
}

impl Source {
    /// A short name: the file name without folder and extension, or the host.
    pub fn stem(&self) -> String {
        match self {
            Self::File(path) => path.file_stem().map_or_else(
                || "cert".to_owned(),
                |stem| stem.to_string_lossy().into_owned(),
            ),
            Self::Url(url) => url
                .split("://")
                .nth(1)
                .and_then(|rest| rest.split(['/', ':']).next())
                .unwrap_or("cert")
                .to_owned(),
        }
    }

    /// Whether whoever is on the way can put something else in its place.
    pub fn is_unprotected(&self) -> bool {
        matches!(self, Self::Url(url) if url.starts_with("http://"))
    }

    /// The bytes there.
    pub fn fetch(&self) -> Result<Vec<u8>, FetchError> {
        match self {
            Self::File(path) => Ok(files::read(path)?.to_vec()),
            Self::Url(url) => download(url),
        }
    }
}

/// No certificate chain is larger.
#[cfg(feature = "full")]
const LARGEST: u64 = 1024 * 1024;

/// Proxies are taken from the environment (`HTTPS_PROXY`, `NO_PROXY`, …).
#[cfg(feature = "full")]
fn download(url: &str) -> Result<Vec<u8>, FetchError> {
    use std::io::Read as _;
    use std::time::Duration;

    // Fails when a provider is installed already, which is as good.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let unreachable = |error: &dyn std::error::Error| FetchError::Unreachable {
        url: url.to_owned(),
        cause: crate::error::chain(error),
    };
    let client = reqwest::blocking::Client::builder()
        .timeout(Duration::from_secs(30))
        .build()
        .map_err(|error| unreachable(&error))?;
    let answer = client
        .get(url)
        .send()
        .map_err(|error| unreachable(&error.without_url()))?;
    if !answer.status().is_success() {
        return Err(FetchError::Status {
            url: url.to_owned(),
            status: answer.status().to_string(),
        });
    }
    let mut body = Vec::new();
    answer
        .take(LARGEST + 1)
        .read_to_end(&mut body)
        .map_err(|error| unreachable(&error))?;
    if body.len() as u64 > LARGEST {
        return Err(FetchError::TooLarge(url.to_owned()));
    }
    Ok(body)
}

#[cfg(not(feature = "full"))]
fn download(url: &str) -> Result<Vec<u8>, FetchError> {
    Err(FetchError::NotBuilt(url.to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_path_a_file_url_and_a_web_address_are_told_apart() {
        let source = |text: &str| text.parse::<Source>().unwrap();
        assert_eq!(source("a/b.pem"), Source::File("a/b.pem".into()));
        assert_eq!(source("file:///a/b.pem"), Source::File("/a/b.pem".into()));
        assert_eq!(
            source("file://localhost/a/b.pem"),
            Source::File("/a/b.pem".into())
        );
        assert_eq!(
            source("https://h/c.pem"),
            Source::Url("https://h/c.pem".into())
        );
    }

    #[test]
    fn several_certificates_are_told_apart_by_their_stems() {
        let stem = |text: &str| text.parse::<Source>().unwrap().stem();
        assert_eq!(stem("certs/prod.pem"), "prod");
        assert_eq!(
            stem("https://seal.example.org:8443/v1/cert.pem"),
            "seal.example.org"
        );
    }
}
