//! Keys of Google Cloud KMS, over its JSON interface: `cryptoKeys.encrypt` and `decrypt`.
//!
//! Nothing of the address is the document's: it is that of Google, or `SOPS_GCP_KMS_ENDPOINT`, or that
//! of `SOPS_GCP_KMS_UNIVERSE_DOMAIN`. `SOPS_GCP_KMS_CLIENT_TYPE` chooses between two protocols of one
//! server for the peer; here both words mean this one.

mod credentials;
mod storage;
mod token;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use crate::Environment;
use crate::Policy;
use crate::rest::{Call, Client, RestError, Tls, address, below};
pub use credentials::CredentialsError;
pub use storage::{CloudStorage, StorageError};
use token::Tokens;

/// Why Google Cloud KMS did not wrap or unwrap.
#[derive(Debug, thiserror::Error)]
pub enum GcpError {
    /// The answer, or what was wrapped, is not base64.
    #[error("{what} for {key} is not base64")]
    Base64 {
        /// What it was.
        what: &'static str,
        /// The key.
        key: String,
    },
    /// There are no credentials, or they give no token.
    #[error("{0}")]
    Credentials(#[from] CredentialsError),
    /// It is no resource name of a key.
    #[error("`{0}` is not projects/…/locations/…/keyRings/…/cryptoKeys/…")]
    Name(
        /// What stands there.
        String,
    ),
    /// The request failed.
    #[error("{key}: {error}")]
    Request {
        /// The key.
        key: String,
        /// Why.
        #[source]
        error: RestError,
    },
}

impl GcpError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Credentials(error) => return error.hint(),
            Self::Request { error, .. } => match error.status() {
                Some(401) => "get new credentials: `gcloud auth application-default login`",
                Some(403) => "grant roles/cloudkms.cryptoKeyEncrypterDecrypter on this key",
                Some(404) => "check the resource name and its project",
                _ => return error.hint(),
            },
            Self::Base64 { .. } => "restore the metadata of the file from history",
            Self::Name(_) => return None,
        };
        Some(hint.into())
    }
}

/// Speaks with Google Cloud KMS.
pub(crate) struct Gcp {
    environment: Environment,
    session: futures::lock::Mutex<Option<Session>>,
}

#[derive(Clone)]
struct Session {
    endpoint: Url,
    client: Client,
    tokens: Tokens,
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    plaintext: Option<Zeroizing<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ciphertext: Option<&'a str>,
}

/// An empty plaintext is left out of an answer.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    plaintext: String,
    #[serde(default)]
    ciphertext: String,
}

impl Gcp {
    pub(crate) fn new(environment: Environment) -> Self {
        Self {
            environment,
            session: futures::lock::Mutex::default(),
        }
    }

    pub(crate) async fn wrap(&self, key: &str, secret: &Plaintext) -> Result<String, GcpError> {
        let body = Body {
            plaintext: Some(Zeroizing::new(STANDARD.encode(secret.expose()))),
            ciphertext: None,
        };
        let answer = self.ask(key, "encrypt", &body).await?;
        let is_base64 =
            !answer.ciphertext.is_empty() && STANDARD.decode(&answer.ciphertext).is_ok();
        is_base64
            .then_some(answer.ciphertext)
            .ok_or_else(|| GcpError::Base64 {
                what: "the answer",
                key: key.to_owned(),
            })
    }

    pub(crate) async fn unwrap(&self, key: &str, wrapped: &str) -> Result<Plaintext, GcpError> {
        let wrapped = wrapped.trim();
        let not_base64 = |what| GcpError::Base64 {
            what,
            key: key.to_owned(),
        };
        STANDARD
            .decode(wrapped)
            .map_err(|_| not_base64("what was wrapped"))?;
        let body = Body {
            plaintext: None,
            ciphertext: Some(wrapped),
        };
        let text = Zeroizing::new(self.ask(key, "decrypt", &body).await?.plaintext);
        let secret = STANDARD.decode(text.as_bytes());
        secret
            .map(Plaintext::from)
            .map_err(|_| not_base64("the answer"))
    }

    async fn ask(&self, key: &str, verb: &str, body: &Body<'_>) -> Result<Answer, GcpError> {
        let name = segments(key).ok_or_else(|| GcpError::Name(key.to_owned()))?;
        let session = self.session().await?;
        let token = session.tokens.token(&session.client).await?;
        let request = async {
            let last = format!("{}:{verb}", name[7]);
            let path = ["v1"]
                .into_iter()
                .chain(name[..7].iter().copied())
                .chain([last.as_str()]);
            let call = Call::post(below(&session.endpoint, path)?)
                .bearer(&token)?
                .json(body)?;
            session.client.send(call).await?.json()
        };
        request.await.map_err(|error| GcpError::Request {
            key: key.to_owned(),
            error,
        })
    }

    async fn session(&self) -> Result<Session, GcpError> {
        let mut known = self.session.lock().await;
        if let Some(session) = &*known {
            return Ok(session.clone());
        }
        let failed = |error| CredentialsError::Client { error };
        // Every address is of the environment, none of the document.
        let policy = Policy::everything();
        let session = Session {
            endpoint: endpoint(&self.environment).map_err(failed)?,
            client: Client::new(&self.environment, &policy, Tls::default()).map_err(failed)?,
            tokens: Tokens::new(credentials::find(&self.environment)?),
        };
        *known = Some(session.clone());
        Ok(session)
    }
}

/// The eight parts of a resource name.
fn segments(name: &str) -> Option<[&str; 8]> {
    let parts: Vec<&str> = name.split('/').collect();
    let parts: [&str; 8] = parts.try_into().ok()?;
    let [projects, _, locations, _, rings, _, keys, _] = parts;
    let fits =
        (projects, locations, rings, keys) == ("projects", "locations", "keyRings", "cryptoKeys");
    (fits && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// Endpoints of gRPC are written without a scheme; the server is the same.
fn endpoint(environment: &Environment) -> Result<Url, RestError> {
    if let Some(endpoint) = environment.var("SOPS_GCP_KMS_ENDPOINT") {
        let has_scheme = endpoint.contains("://");
        let scheme = if has_scheme { "" } else { "https://" };
        return address(&format!("{scheme}{endpoint}"));
    }
    let domain = environment
        .var("SOPS_GCP_KMS_UNIVERSE_DOMAIN")
        .unwrap_or("googleapis.com");
    address(&format!("https://cloudkms.{domain}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_resource_name_has_its_eight_parts() {
        assert!(segments("projects/p/locations/global/keyRings/r/cryptoKeys/k").is_some());
        for wrong in [
            "",
            "projects/p/locations/global/keyRings/r/cryptoKeys",
            "projects/p/locations/global/keyRings/r/cryptoKeys/",
            "projects/p/locations/global/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1",
            "folders/p/locations/global/keyRings/r/cryptoKeys/k",
        ] {
            assert!(segments(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_endpoint_is_googles_or_that_of_the_variables() {
        let of = |name: &str, value: &str| {
            endpoint(&Environment::default().with(name, value))
                .unwrap()
                .to_string()
        };
        assert_eq!(
            endpoint(&Environment::default()).unwrap().as_str(),
            "https://cloudkms.googleapis.com/"
        );
        assert_eq!(
            of("SOPS_GCP_KMS_UNIVERSE_DOMAIN", "u.example"),
            "https://cloudkms.u.example/"
        );
        assert_eq!(
            of("SOPS_GCP_KMS_ENDPOINT", "kms.internal:8443"),
            "https://kms.internal:8443/"
        );
        assert_eq!(
            of("SOPS_GCP_KMS_ENDPOINT", "http://127.0.0.1:9/"),
            "http://127.0.0.1:9/"
        );
    }
}
