//! Keys of a transit engine of Vault or `OpenBao`; `store` has the secrets of key-value engines.
//!
//! The server and the engine are named by the document. The token is of the surroundings: `VAULT_TOKEN`,
//! or `~/.vault-token` as `vault login` leaves it. `VAULT_NAMESPACE` and the variables for TLS are those
//! of Vault's own clients; `SOPS_HC_VAULT_ALLOWLIST` limits which servers get the token.

mod allowlist;
mod settings;
#[cfg(feature = "store")]
pub mod store;
mod transit;

use std::sync::OnceLock;

use signet_keys::Plaintext;

use crate::rest::{Call, Client, RestError, address, below};
use crate::{Environment, Policy};
use allowlist::Allowlist;
use settings::Settings;

/// Why Vault did not wrap or unwrap.
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
    #[error("transit key `{key}`: {error}")]
    Request {
        /// Engine and name.
        key: String,
        /// Why.
        #[source]
        error: RestError,
    },
    /// The answer has no ciphertext, or no plaintext in base64.
    #[error("transit key `{key}`: the answer has no {what}")]
    Answer {
        /// Engine and name.
        key: String,
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
            Self::Request { error, .. } => match error.status() {
                Some(403) => "the token is expired, or its policy does not allow this path",
                Some(404) => "check VAULT_NAMESPACE, the engine's path and the key's name",
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
            key: format!("{engine}/{key}"),
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
            key: format!("{engine}/{key}"),
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
        let token = session
            .settings
            .token
            .as_ref()
            .ok_or_else(|| VaultError::NoToken {
                address: server.to_owned(),
            })?;
        let request = async {
            let segments = ["v1"]
                .into_iter()
                .chain(engine.split('/'))
                .chain([verb, key]);
            let url = below(&address(server)?, segments)?;
            let mut call = Call::post(url)
                .header("x-vault-request", "true")?
                .header("x-vault-token", token)?;
            if let Some(namespace) = &session.settings.namespace {
                call = call.header("x-vault-namespace", namespace)?;
            }
            session.client.send(call.json(body)?).await?.json()
        };
        request.await.map_err(|error| VaultError::Request {
            key: format!("{engine}/{key}"),
            error,
        })
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
