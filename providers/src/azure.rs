//! Keys of Azure Key Vault: RSA-OAEP with SHA-256, done by the vault.
//!
//! The vault is named by the document. It says itself, when it is asked without a token, which tokens it
//! wants; a token is only ever sent to a vault that it is made for ([`challenge`]). Credentials are looked
//! for in the order of Azure's own libraries ([`credentials`]).

mod challenge;
mod credentials;
mod token;

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Url;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use crate::rest::{Call, Client, RestError, Tls, address, below, server};
use crate::{Environment, Policy};
use challenge::Challenge;
pub use token::TokenError;
use token::Tokens;

const VERSION: &str = "7.4";
const ALGORITHM: &str = "RSA-OAEP-256";

/// Why Azure Key Vault did not wrap or unwrap.
#[derive(Debug, thiserror::Error)]
pub enum AzureError {
    /// The answer lacks what was asked for.
    #[error("{key}: the answer has no {what}")]
    Answer {
        /// The key.
        key: String,
        /// What is missing.
        what: &'static str,
    },
    /// What was wrapped is not base64.
    #[error("what was wrapped for {key} is not base64url")]
    Base64 {
        /// The key.
        key: String,
    },
    /// The server asks for tokens that are made for others, or does not say for which.
    #[error("{server} does not ask for a token as a key vault does")]
    Challenge {
        /// Scheme, host and port.
        server: String,
    },
    /// The request failed.
    #[error("{key}: {error}")]
    Request {
        /// The key.
        key: String,
        /// Why.
        #[source]
        error: RestError,
    },
    /// There is no token.
    #[error("{0}")]
    Token(#[from] TokenError),
}

impl AzureError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Base64 { .. } => "restore the metadata of the file from history",
            Self::Challenge { .. } => {
                "check the address of the vault: a token is sent to no other server"
            }
            Self::Request { error, .. } => match error.status() {
                Some(401) => "get new credentials: `az login`",
                Some(403) => "grant the role `Key Vault Crypto User` on this key",
                Some(404) => "check the name and the version of the key",
                _ => return error.hint(),
            },
            Self::Token(_) => {
                "run `az login`, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET"
            }
            Self::Answer { .. } => return None,
        };
        Some(hint.into())
    }
}

/// Speaks with any number of vaults.
pub(crate) struct Azure {
    environment: Environment,
    policy: Policy,
    session: futures::lock::Mutex<Option<Session>>,
    challenges: futures::lock::Mutex<HashMap<String, Challenge>>,
}

#[derive(Clone)]
struct Session {
    client: Client,
    tokens: Tokens,
}

#[derive(Serialize)]
struct Operation<'a> {
    alg: &'static str,
    value: &'a str,
}

#[derive(Deserialize)]
struct Operated {
    value: Option<Zeroizing<String>>,
}

#[derive(Deserialize)]
struct Described {
    key: Option<Key>,
}

#[derive(Deserialize)]
struct Key {
    kid: Option<String>,
}

impl Azure {
    pub(crate) fn new(environment: Environment, policy: &Policy) -> Self {
        Self {
            environment,
            policy: policy.clone(),
            session: futures::lock::Mutex::default(),
            challenges: futures::lock::Mutex::default(),
        }
    }

    pub(crate) async fn wrap(
        &self,
        vault: &str,
        name: &str,
        version: Option<&str>,
        secret: &Plaintext,
    ) -> Result<String, AzureError> {
        let value = Zeroizing::new(URL_SAFE_NO_PAD.encode(secret.expose()));
        let answer = self
            .operate(vault, name, version, "encrypt", &value)
            .await?;
        Ok(answer.trim_end_matches('=').to_owned())
    }

    pub(crate) async fn unwrap(
        &self,
        vault: &str,
        name: &str,
        version: Option<&str>,
        wrapped: &str,
    ) -> Result<Plaintext, AzureError> {
        let wrapped = wrapped.trim();
        let not_base64 = |_| AzureError::Base64 {
            key: printed(vault, name),
        };
        URL_SAFE_NO_PAD.decode(wrapped).map_err(not_base64)?;
        let answer = self
            .operate(vault, name, version, "decrypt", wrapped)
            .await?;
        let secret = URL_SAFE_NO_PAD
            .decode(answer.trim_end_matches('='))
            .map(Plaintext::from);
        secret.map_err(|_| AzureError::Answer {
            key: printed(vault, name),
            what: "value",
        })
    }

    /// The version that a key has now.
    pub(crate) async fn newest_version(
        &self,
        vault: &str,
        name: &str,
    ) -> Result<String, AzureError> {
        let described: Described = self.ask(vault, name, None, &["keys", name], None).await?;
        let id = described.key.and_then(|key| key.kid);
        let version = id
            .as_deref()
            .and_then(|id| id.split("/keys/").nth(1)?.split('/').nth(1));
        let version = version.filter(|version| !version.is_empty());
        version
            .map(str::to_owned)
            .ok_or_else(|| AzureError::Answer {
                key: printed(vault, name),
                what: "version",
            })
    }

    async fn operate(
        &self,
        vault: &str,
        name: &str,
        version: Option<&str>,
        verb: &str,
        value: &str,
    ) -> Result<Zeroizing<String>, AzureError> {
        let version = match version {
            Some(version) => version.to_owned(),
            None => self.newest_version(vault, name).await?,
        };
        let path = ["keys", name, &version, verb];
        let body = Operation {
            alg: ALGORITHM,
            value,
        };
        let answer: Operated = self
            .ask(vault, name, Some(&version), &path, Some(&body))
            .await?;
        answer.value.ok_or_else(|| AzureError::Answer {
            key: printed(vault, name),
            what: "value",
        })
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        vault: &str,
        name: &str,
        version: Option<&str>,
        path: &[&str],
        body: Option<&Operation<'_>>,
    ) -> Result<T, AzureError> {
        let failed = |error| AzureError::Request {
            key: match version {
                Some(version) => format!("{}/{version}", printed(vault, name)),
                None => printed(vault, name),
            },
            error,
        };
        let vault = address(vault).map_err(failed)?;
        let mut url = below(&vault, path.iter().copied()).map_err(failed)?;
        url.set_query(Some(&format!("api-version={VERSION}")));
        let session = self.session().await.map_err(failed)?;
        let challenge =
            self.challenge(&session, &url)
                .await?
                .ok_or_else(|| AzureError::Challenge {
                    server: server(&url),
                })?;
        let token = session
            .tokens
            .token(&challenge.scope, challenge.tenant.as_deref())
            .await?;
        let request = async {
            let call = match body {
                Some(body) => Call::post(url).json(body)?,
                None => Call::get(url),
            };
            session.client.send(call.bearer(&token)?).await?.json()
        };
        request.await.map_err(failed)
    }

    /// What tokens the vault wants. It is asked once, without a body: the secret goes to nobody who did
    /// not ask for a vault's token.
    async fn challenge(
        &self,
        session: &Session,
        url: &Url,
    ) -> Result<Option<Challenge>, AzureError> {
        let mut known = self.challenges.lock().await;
        let host = server(url);
        if let Some(challenge) = known.get(&host) {
            return Ok(Some(challenge.clone()));
        }
        let mut probe = url.clone();
        probe.set_path("/keys");
        let reply = session.client.send(Call::get(probe)).await;
        let reply = reply.map_err(|error| AzureError::Request {
            key: host.clone(),
            error,
        })?;
        let header = reply.authenticate().unwrap_or_default();
        let challenge = Challenge::parse(header).filter(|challenge| challenge.is_for(url));
        if let Some(challenge) = &challenge {
            known.insert(host, challenge.clone());
        }
        Ok(challenge)
    }

    async fn session(&self) -> Result<Session, RestError> {
        let mut known = self.session.lock().await;
        if let Some(session) = &*known {
            return Ok(session.clone());
        }
        let session = Session {
            client: Client::new(&self.environment, &self.policy, Tls::default())?,
            tokens: Tokens::new(self.environment.clone())?,
        };
        *known = Some(session.clone());
        Ok(session)
    }
}

fn printed(vault: &str, name: &str) -> String {
    format!("{vault}/keys/{name}")
}
