//! One HTTP client for all services that are spoken to in JSON: limits, proxies, certificates, and
//! what servers say when they refuse.

mod client;
mod error;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

pub(crate) use client::{Client, Tls, certificates, identity};
pub use error::RestError;

/// A request, built up.
pub(crate) struct Call {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Option<Zeroizing<Vec<u8>>>,
}

/// An answer of any status.
pub(crate) struct Reply {
    pub(crate) status: u16,
    #[cfg(feature = "store")]
    retry_after: Option<std::time::Duration>,
    authenticate: Option<HeaderValue>,
    body: Zeroizing<Vec<u8>>,
    /// Scheme, host and port, for errors.
    server: String,
}

impl Call {
    pub(crate) fn get(url: Url) -> Self {
        Self::new(Method::GET, url)
    }

    pub(crate) fn post(url: Url) -> Self {
        Self::new(Method::POST, url)
    }

    #[cfg(feature = "store")]
    pub(crate) fn delete(url: Url) -> Self {
        Self::new(Method::DELETE, url)
    }

    #[cfg(any(feature = "s3", feature = "vault"))]
    pub(crate) fn put(url: Url) -> Self {
        Self::new(Method::PUT, url)
    }

    fn new(method: Method, url: Url) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body: None,
        }
    }

    /// Adds a header. Its value is kept out of logs; one that no header can have is an error.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Result<Self, RestError> {
        let mut value = HeaderValue::from_str(value).map_err(|_| RestError::Header { name })?;
        value.set_sensitive(true);
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// The same, where the name is not known beforehand.
    pub(crate) fn named_header(mut self, name: &str, value: &str) -> Result<Self, RestError> {
        let wrong = || RestError::Header {
            name: "of the credentials",
        };
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        let value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        self.headers.insert(name, value);
        Ok(self)
    }

    pub(crate) fn bearer(self, token: &str) -> Result<Self, RestError> {
        self.header("authorization", &Zeroizing::new(format!("Bearer {token}")))
    }

    pub(crate) fn json(self, body: &impl Serialize) -> Result<Self, RestError> {
        let body = serde_json::to_vec(body).map_err(|_| RestError::Body)?;
        self.with_body(body, "application/json")
    }

    pub(crate) fn form(self, fields: &[(&str, &str)]) -> Result<Self, RestError> {
        let mut url = self.url.clone();
        url.query_pairs_mut().clear().extend_pairs(fields);
        let body = url.query().unwrap_or_default().as_bytes().to_vec();
        self.with_body(body, "application/x-www-form-urlencoded")
    }

    /// Adds a body of any kind.
    #[cfg(any(feature = "s3", feature = "gcp"))]
    pub(crate) fn bytes(self, body: &[u8], kind: &'static str) -> Result<Self, RestError> {
        self.with_body(body.to_vec(), kind)
    }

    fn with_body(mut self, body: Vec<u8>, kind: &'static str) -> Result<Self, RestError> {
        self.body = Some(Zeroizing::new(body));
        self.header("content-type", kind)
    }
}

impl Reply {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body, whatever the status.
    #[cfg(feature = "store")]
    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Scheme, host and port of who answered.
    #[cfg(feature = "store")]
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// After how long to come again, if the server says so.
    #[cfg(feature = "store")]
    pub(crate) fn retry_after(&self) -> Option<std::time::Duration> {
        self.retry_after
    }

    /// The body, of a success.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, RestError> {
        // What serde says about it could quote the body.
        serde_json::from_slice(self.success()?).map_err(|_| self.not_understood())
    }

    /// The same, as it stands.
    pub(crate) fn text(&self) -> Result<Zeroizing<String>, RestError> {
        let text = String::from_utf8(self.success()?.to_vec());
        text.map(Zeroizing::new).map_err(|_| self.not_understood())
    }

    /// What kind of token the server asks for.
    #[cfg(feature = "azure")]
    pub(crate) fn authenticate(&self) -> Option<&str> {
        self.authenticate.as_ref()?.to_str().ok()
    }

    /// Nothing but that it is a success.
    #[cfg(any(feature = "s3", feature = "gcp", feature = "vault"))]
    pub(crate) fn done(&self) -> Result<(), RestError> {
        self.success().map(|_| ())
    }

    fn success(&self) -> Result<&[u8], RestError> {
        if self.is_success() {
            return Ok(&self.body);
        }
        Err(RestError::Refused {
            server: self.server.clone(),
            status: self.status,
            message: error::message(&self.body),
        })
    }

    fn not_understood(&self) -> RestError {
        RestError::Answer {
            server: self.server.clone(),
        }
    }
}

/// Scheme, host and port.
pub(crate) fn server(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Reads an address that a document or a variable gives: a scheme, a host, perhaps a port and a path,
/// and nothing that could be a secret or change where requests go.
pub(crate) fn address(text: &str) -> Result<Url, RestError> {
    let malformed = || RestError::Address {
        address: text.rsplit('@').next().unwrap_or_default().to_owned(),
    };
    let url = Url::parse(text).map_err(|_| malformed())?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    plain.then_some(url).ok_or_else(malformed)
}

/// Adds segments to the path of an address. None of them can leave it: `.` and `..` are refused, and
/// the rest is encoded.
pub(crate) fn below<'a>(
    base: &Url,
    segments: impl IntoIterator<Item = &'a str>,
) -> Result<Url, RestError> {
    let mut url = base.clone();
    let malformed = || RestError::Address {
        address: base.to_string(),
    };
    let mut path = url.path_segments_mut().map_err(|()| malformed())?;
    path.pop_if_empty();
    for segment in segments {
        if matches!(segment, "" | "." | "..") {
            return Err(malformed());
        }
        path.push(segment);
    }
    drop(path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_address_has_no_secret_and_no_query() {
        assert!(address("https://vault.example:8200").is_ok());
        for wrong in [
            "vault.example:8200",
            "ftp://vault.example",
            "https://token@vault.example",
            "https://vault.example?x=1",
            "https://vault.example#x",
            "",
        ] {
            let error = address(wrong).unwrap_err().to_string();
            assert!(!error.contains("token"), "{error}");
        }
    }

    #[test]
    fn segments_stay_below_the_address() {
        let base = address("https://vault.example/prefix/").unwrap();
        let url = below(&base, ["v1", "a b", "c?d", "e%2f"]).unwrap();
        assert_eq!(
            url.as_str(),
            "https://vault.example/prefix/v1/a%20b/c%3Fd/e%252f"
        );
        for wrong in ["", ".", ".."] {
            assert!(below(&base, [wrong]).is_err());
        }
    }

    #[test]
    fn a_form_is_encoded() {
        let call = Call::post(address("https://login.example/token").unwrap());
        let call = call.form(&[("a", "x y"), ("b", "1&2")]).unwrap();
        assert_eq!(call.body.unwrap().as_slice(), b"a=x+y&b=1%262");
        assert_eq!(call.url.as_str(), "https://login.example/token");
    }
}
