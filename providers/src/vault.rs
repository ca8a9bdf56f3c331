//! Keys of a transit engine of Vault or `OpenBao`, and secrets of a key-value engine as files are published
//! there; `store` has them as Kubernetes needs them.
//!
//! The server and the engine are named by the document, or by `VAULT_ADDR`. The token is of the
//! surroundings: `VAULT_TOKEN`, or `~/.vault-token` as `vault login` leaves it. `VAULT_NAMESPACE` and the variables for TLS are those
//! of Vault's own clients; `SOPS_HC_VAULT_ALLOWLIST` limits which servers get the token.

mod allowlist;
mod kv;
mod settings;
#[cfg(feature = "store")]
pub mod store;
mod transit;

use std::sync::OnceLock;

use signet_keys::Plaintext;

use crate::rest::{Call, Client, Reply, RestError, address, below};
use crate::{Environment, Policy};
use allowlist::Allowlist;
pub use kv::{Data, KeyValue, Secret};
use settings::Settings;

/// Why Vault did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// `SOPS_HC_VAULT_ALLOWLIST` does not have the server.
    #[error("SOPS_HC_VAULT_ALLOWLIST does not allow {address}")]
    NotListed {
        /// The server.
        address: String,
    },
    /// `SOPS_HC_VAULT_ALLOWLIST` cannot be read.
    #[error("entry {entry} of SOPS_HC_VAULT_ALLOWLIST is empty")]
    Allowlist {
        /// Which, from 1.
        entry: usize,
    },
    /// A variable has a value that it cannot have.
    #[error("the value of {variable} is not understood")]
    Variable {
        /// The variable.
        variable: &'static str,
    },
    /// There is no token.
    #[error("there is no token for {address}")]
    NoToken {
        /// The server.
        address: String,
    },
    /// The request failed.
    #[error("{subject}: {error}")]
    Request {
        /// The key or the secret.
        subject: String,
        /// Why.
        #[source]
        error: RestError,
    },
    /// The answer has no ciphertext, no plaintext in base64, or no data.
    #[error("{subject}: the answer has no {what}")]
    Answer {
        /// The key or the secret.
        subject: String,
        /// What is missing.
        what: &'static str,
    },
    /// A client could not be made from the variables.
    #[error("{0}")]
    Client(#[from] RestError),
}

impl VaultError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotListed { .. } | Self::Allowlist { .. } => {
                "list the address, or set the variable to `all` or `none`"
            }
            Self::NoToken { .. } => "run `vault login`, or set VAULT_TOKEN",
            Self::Request { subject, error } => match error.status() {
                Some(403) => "the token is expired, or its policy does not allow this path",
                Some(404) => "check VAULT_NAMESPACE, the engine's path and the name",
                Some(400) if subject.starts_with(kv::SUBJECT) => {
                    "is it version 1 or 2 of the engine? check `vault_kv_version` of the rule"
                }
                Some(400) => "the key has no such version, or it was wrapped by another key",
                Some(307) => {
                    "the server is a standby: name the active one, redirects are not followed"
                }
                Some(503) => "the server is sealed: unseal it",
                _ => return error.hint(),
            },
            Self::Client(error) => return error.hint(),
            Self::Variable { .. } | Self::Answer { .. } => return None,
        };
        Some(hint.into())
    }
}

/// Speaks with any number of servers.
pub(crate) struct Vault {
    environment: Environment,
    policy: Policy,
    session: OnceLock<Session>,
}

/// What the surroundings give, read once.
struct Session {
    client: Client,
    settings: Settings,
    allowlist: Allowlist,
}

impl Vault {
    pub(crate) fn new(environment: Environment, policy: &Policy) -> Self {
        Self {
            environment,
            policy: policy.clone(),
            session: OnceLock::new(),
        }
    }

    pub(crate) async fn wrap(
        &self,
        server: &str,
        engine: &str,
        key: &str,
        secret: &Plaintext,
    ) -> Result<String, VaultError> {
        let call = transit::Encrypt::new(secret);
        let answer: transit::Encrypted = self.ask(server, engine, "encrypt", key, &call).await?;
        answer.ciphertext().ok_or_else(|| VaultError::Answer {
            subject: transit::subject(engine, key),
            what: "ciphertext",
        })
    }

    pub(crate) async fn unwrap(
        &self,
        server: &str,
        engine: &str,
        key: &str,
        wrapped: &str,
    ) -> Result<Plaintext, VaultError> {
        let call = transit::Decrypt::new(wrapped);
        let answer: transit::Decrypted = self.ask(server, engine, "decrypt", key, &call).await?;
        answer.plaintext().ok_or_else(|| VaultError::Answer {
            subject: transit::subject(engine, key),
            what: "plaintext",
        })
    }

    async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        server: &str,
        engine: &str,
        verb: &str,
        key: &str,
        body: &impl serde::Serialize,
    ) -> Result<T, VaultError> {
        let session = self.session()?;
        if !session.allowlist.allows(server) {
            return Err(VaultError::NotListed {
                address: server.to_owned(),
            });
        }
        let path = engine.split('/').chain([verb, key]);
        let call = |url| Call::post(url).json(body);
        let subject = transit::subject(engine, key);
        let reply = session.send(&subject, server, path, call).await?;
        let answer = reply.json();
        answer.map_err(|error| VaultError::Request { subject, error })
    }

    fn session(&self) -> Result<&Session, VaultError> {
        if let Some(session) = self.session.get() {
            return Ok(session);
        }
        let settings = Settings::read(&self.environment)?;
        let tls = settings::tls(&self.environment)?;
        let session = Session {
            client: Client::new(&self.environment, &self.policy, tls)?,
            allowlist: Allowlist::parse(self.environment.var("SOPS_HC_VAULT_ALLOWLIST"))?,
            settings,
        };
        Ok(self.session.get_or_init(|| session))
    }
}

impl Session {
    /// The answer of a server that may have the token.
    async fn send<'a>(
        &self,
        subject: &str,
        server: &str,
        path: impl IntoIterator<Item = &'a str>,
        call: impl FnOnce(reqwest::Url) -> Result<Call, RestError>,
    ) -> Result<Reply, VaultError> {
        let token = self.settings.token.as_ref();
        let token = token.ok_or_else(|| VaultError::NoToken {
            address: server.to_owned(),
        })?;
        let reply = async {
            let url = below(&address(server)?, ["v1"].into_iter().chain(path))?;
            let mut call = call(url)?
                .header("x-vault-request", "true")?
                .header("x-vault-token", token)?;
            if let Some(namespace) = &self.settings.namespace {
                call = call.header("x-vault-namespace", namespace)?;
            }
            self.client.send(call).await
        };
        reply.await.map_err(|error| VaultError::Request {
            subject: subject.to_owned(),
            error,
        })
    }
}
