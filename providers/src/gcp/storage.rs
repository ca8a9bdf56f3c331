//! Objects of Google Cloud Storage, over its JSON interface: one upload.
//!
//! The server is Google's, or that of `GOOGLE_CLOUD_UNIVERSE_DOMAIN`. `STORAGE_EMULATOR_HOST` names one
//! for tests, which gets no token.

use std::time::Duration;

use reqwest::Url;

use super::credentials::{self, CredentialsError};
use super::token::Tokens;
use crate::rest::{Call, Client, RestError, Tls, address, below};
use crate::{Environment, Policy};

/// Encrypted files are text.
const KIND: &str = "text/plain; charset=utf-8";
/// A large file over a slow line takes its time.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Why an object was not written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// There are no credentials, or they give no token.
    #[error("{0}")]
    Credentials(#[from] CredentialsError),
    /// The request failed.
    #[error("gcs://{object}: {error}")]
    Request {
        /// Bucket and object.
        object: String,
        /// Why.
        #[source]
        error: RestError,
    },
}

impl StorageError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Credentials(error) => return error.hint(),
            Self::Request { error, .. } => match error.status() {
                Some(401) => "get new credentials: `gcloud auth application-default login`",
                Some(403) => "grant roles/storage.objectUser on this bucket",
                Some(404) => "check the name of the bucket",
                _ => return error.hint(),
            },
        };
        Some(hint.into())
    }
}

/// Writes objects.
pub struct CloudStorage {
    environment: Environment,
    session: futures::lock::Mutex<Option<Session>>,
}

#[derive(Clone)]
struct Session {
    client: Client,
    server: Url,
    /// `None`: an emulator, which asks nobody who he is.
    tokens: Option<Tokens>,
}

impl CloudStorage {
    /// Nothing is read or connected yet.
    pub fn new(environment: &Environment) -> Self {
        Self {
            environment: environment.clone(),
            session: futures::lock::Mutex::default(),
        }
    }

    /// Writes an object, in place of one that is there.
    pub async fn put(&self, bucket: &str, name: &str, body: &[u8]) -> Result<(), StorageError> {
        let session = self.session().await?;
        let token = match &session.tokens {
            Some(tokens) => Some(tokens.token(&session.client).await?),
            None => None,
        };
        let done = async {
            let url = place(&session.server, bucket, name)?;
            let mut call = Call::post(url).bytes(body, KIND)?;
            if let Some(token) = &token {
                call = call.bearer(token)?;
            }
            session.client.send(call).await?.done()
        };
        done.await.map_err(|error| StorageError::Request {
            object: format!("{bucket}/{name}"),
            error,
        })
    }

    async fn session(&self) -> Result<Session, StorageError> {
        let mut known = self.session.lock().await;
        if let Some(session) = &*known {
            return Ok(session.clone());
        }
        let failed = |error| CredentialsError::Client { error };
        let tls = Tls {
            timeout: Some(TIMEOUT),
            ..Tls::default()
        };
        // Every address is of the environment, none of a document.
        let client = Client::new(&self.environment, &Policy::everything(), tls).map_err(failed)?;
        let (server, asks) = server(&self.environment).map_err(failed)?;
        let tokens = if asks {
            Some(Tokens::new(credentials::find(&self.environment)?))
        } else {
            None
        };
        let session = Session {
            client,
            server,
            tokens,
        };
        *known = Some(session.clone());
        Ok(session)
    }
}

/// The server, and whether it asks for a token.
fn server(environment: &Environment) -> Result<(Url, bool), RestError> {
    if let Some(host) = environment.var("STORAGE_EMULATOR_HOST") {
        let scheme = if host.contains("://") { "" } else { "http://" };
        return Ok((address(&format!("{scheme}{host}"))?, false));
    }
    let domain = environment
        .var("GOOGLE_CLOUD_UNIVERSE_DOMAIN")
        .unwrap_or("googleapis.com");
    Ok((address(&format!("https://storage.{domain}"))?, true))
}

fn place(server: &Url, bucket: &str, name: &str) -> Result<Url, RestError> {
    let mut url = below(server, ["upload", "storage", "v1", "b", bucket, "o"])?;
    url.query_pairs_mut()
        .append_pair("uploadType", "media")
        .append_pair("name", name);
    Ok(url)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_emulator_gets_no_token() {
        let of = |name: &str, value: &str| {
            let (url, asks) = server(&Environment::default().with(name, value)).unwrap();
            (url.to_string(), asks)
        };
        assert_eq!(
            of("STORAGE_EMULATOR_HOST", "127.0.0.1:9"),
            ("http://127.0.0.1:9/".to_owned(), false)
        );
        assert_eq!(
            of("STORAGE_EMULATOR_HOST", "https://localhost:9"),
            ("https://localhost:9/".to_owned(), false)
        );
        assert_eq!(
            of("GOOGLE_CLOUD_UNIVERSE_DOMAIN", "u.example"),
            ("https://storage.u.example/".to_owned(), true)
        );
        assert_eq!(
            of("HOME", "/"),
            ("https://storage.googleapis.com/".to_owned(), true)
        );
    }

    #[test]
    fn the_name_of_an_object_is_one_parameter() {
        let server = Url::parse("https://storage.googleapis.com").unwrap();
        let url = place(&server, "team", "a/b c&uploadType=x").unwrap();
        assert_eq!(
            url.as_str(),
            "https://storage.googleapis.com/upload/storage/v1/b/team/o?uploadType=media&\
             name=a%2Fb+c%26uploadType%3Dx"
        );
        assert!(place(&server, "..", "x").is_err());
    }
}
