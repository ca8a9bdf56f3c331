//! What a store is made of: everything that a resource refers to, as values.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use signet_keys::Plaintext;

use crate::store::{StoreError, TokenSource};

/// A key-value engine and who asks it.
pub struct Settings {
    /// Address of the server.
    pub server: String,
    /// Where the engine is mounted. Without it, the first part of each key says so.
    pub mount: Option<String>,
    /// Version of the engine.
    pub version: KvVersion,
    /// The namespace of Vault.
    pub namespace: Option<String>,
    /// Who logs in.
    pub auth: Auth,
    /// The namespace to log in to; that of the store without it.
    pub auth_namespace: Option<String>,
    /// Who signed the certificate of the server, in PEM; the system's authorities without it.
    pub authorities: Option<Vec<u8>>,
    /// The certificate that the server asks for.
    pub identity: Option<ClientCertificate>,
    /// Headers of all requests.
    pub headers: Vec<(String, String)>,
    /// Whether a write states the version that it replaces.
    pub check_and_set: bool,
}

/// Version of a key-value engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KvVersion {
    /// Without versions of secrets.
    V1,
    /// With them.
    #[default]
    V2,
}

/// A certificate and its key, both in PEM.
pub struct ClientCertificate {
    /// The certificate, and those that lead to an authority.
    pub certificate: Vec<u8>,
    /// The private key.
    pub key: Plaintext,
}

/// Who logs in. `mount` is where the method is mounted.
pub enum Auth {
    /// Nobody: an agent in between does.
    Nobody,
    /// Somebody with a token.
    Token(Plaintext),
    /// An `AppRole`.
    AppRole {
        /// Where.
        mount: String,
        /// The role's ID.
        role_id: String,
        /// The secret ID.
        secret_id: Plaintext,
    },
    /// A user with a password: of Vault (`userpass`) or of a directory (`ldap`).
    Password {
        /// Where.
        mount: String,
        /// Who.
        user: String,
        /// The password.
        password: Plaintext,
    },
    /// Somebody with a JSON web token, of a ServiceAccount (`kubernetes`) or of anybody (`jwt`).
    Jwt {
        /// Where.
        mount: String,
        /// The role to take on; the mount's default one without it.
        role: Option<String>,
        /// The token.
        token: Token,
    },
    /// Somebody with the certificate of [`Settings::identity`].
    Certificate {
        /// Where.
        mount: String,
        /// The role to take on; any that fits without it.
        role: Option<String>,
    },
}

/// A JSON web token.
pub enum Token {
    /// This one.
    Value(Plaintext),
    /// One that is asked for when it is needed.
    Source {
        /// Who has it.
        source: Arc<dyn TokenSource>,
        /// For whom it is.
        audiences: Vec<String>,
        /// How long it is to be good for.
        lifetime: Duration,
    },
}

impl Token {
    pub(super) async fn get(&self) -> Result<Plaintext, StoreError> {
        match self {
            Self::Value(token) => Ok(token.clone()),
            Self::Source {
                source,
                audiences,
                lifetime,
            } => source.token(audiences, *lifetime).await,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("server", &self.server)
            .field("mount", &self.mount)
            .field("namespace", &self.namespace)
            .finish_non_exhaustive()
    }
}
