//! Requests under one token: login once, renewal, another login when the token is revoked.

use std::time::{Duration, Instant};

use reqwest::{Certificate, Identity};
use serde::{Deserialize, Serialize};
use serde_json::json;
use signet_keys::Plaintext;
use tokio::sync::Mutex;
use zeroize::Zeroizing;

use super::settings::{Auth, Settings};
use crate::rest::{Call, Client, Reply, RestError, Tls, address, below};
use crate::store::{Checked, StoreError, StoreErrorKind};
use crate::{Environment, Policy};

/// A secret of Vault has at most 1 MiB, which JSON may write with six characters a byte.
const LONGEST: usize = 8 * 1024 * 1024;
/// A token is used until so long before its end.
const SPARE: Duration = Duration::from_secs(10);

/// Who asks, and by which token.
pub(super) struct Session {
    client: Client,
    server: reqwest::Url,
    namespace: Option<String>,
    auth_namespace: Option<String>,
    headers: Vec<(String, String)>,
    /// Held while somebody logs in, so that all others wait for the one login.
    token: Mutex<Option<Held>>,
}

/// A token.
struct Held {
    token: Zeroizing<String>,
    /// From when on it is to be renewed, or got anew.
    stale: Option<Instant>,
    ends: Option<Instant>,
    renewable: bool,
    /// Whether it is of a login, and so to be given back.
    ours: bool,
}

/// A method of HTTP, as Vault uses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Read,
    List,
    Write,
    Delete,
}

#[derive(Deserialize)]
struct Login {
    auth: LoginAuth,
}

#[derive(Deserialize)]
struct LoginAuth {
    client_token: Zeroizing<String>,
    #[serde(default)]
    lease_duration: u64,
    #[serde(default)]
    renewable: bool,
}

impl Session {
    pub(super) fn new(
        settings: &Settings,
        environment: &Environment,
        policy: &Policy,
    ) -> Result<Self, StoreError> {
        let tls = Tls {
            authorities: authorities(settings)?,
            identity: identity(settings)?,
            longest: Some(LONGEST),
            ..Tls::default()
        };
        let client = Client::new(environment, policy, tls).map_err(|error| invalid(&error))?;
        Ok(Self {
            client,
            server: address(&settings.server).map_err(|error| invalid(&error))?,
            namespace: settings.namespace.clone(),
            auth_namespace: settings.auth_namespace.clone(),
            headers: settings.headers.clone(),
            token: Mutex::new(None),
        })
    }

    /// Sends a request below `/v1/`, and once more with a new token if the old one is no longer taken.
    pub(super) async fn ask(
        &self,
        auth: &Auth,
        verb: Verb,
        path: &[&str],
        query: &[(&str, &str)],
        body: Option<&impl Serialize>,
    ) -> Result<Reply, StoreError> {
        let mut again = false;
        loop {
            let token = self.token(auth).await?;
            let call = self.call(verb, path, query, self.namespace.as_deref())?;
            let call = match body {
                Some(body) => call.json(body).map_err(|error| invalid(&error))?,
                None => call,
            };
            let call = match &token {
                Some(token) => with_token(call, token)?,
                None => call,
            };
            let reply = self
                .client
                .send(call)
                .await
                .map_err(|error| unreachable(&error))?;
            if reply.status != 403 || again || !self.forget(token.as_ref()).await {
                return Ok(reply);
            }
            again = true;
        }
    }

    /// Whether a token is taken.
    pub(super) async fn check(&self) -> Result<Checked, StoreError> {
        let token = self.token.lock().await;
        match &*token {
            Some(held) if held.ours => Ok(Checked::Valid),
            _ => Ok(Checked::Unknown),
        }
    }

    /// Gives the token back. Best effort: it ends by itself in time.
    pub(super) async fn close(&self) {
        let held = self.token.lock().await.take();
        if let Some(held) = held.filter(|held| held.ours) {
            let _ = self.about_itself(&held.token, "revoke-self").await;
        }
    }

    /// What a token asks about itself.
    async fn about_itself(&self, token: &str, verb: &str) -> Result<Reply, StoreError> {
        let path = ["auth", "token", verb];
        let call = self.call(Verb::Write, &path, &[], self.token_namespace())?;
        let call = with_token(call, token)?;
        let reply = self.client.send(call).await;
        reply.map_err(|error| unreachable(&error))
    }

    /// Forgets a token that is no longer taken. `false`: there is no other to be had.
    async fn forget(&self, used: Option<&Zeroizing<String>>) -> bool {
        let mut token = self.token.lock().await;
        let Some(held) = &*token else {
            return used.is_some();
        };
        if !held.ours {
            return false;
        }
        if Some(&held.token) == used {
            *token = None;
        }
        true
    }

    async fn token(&self, auth: &Auth) -> Result<Option<Zeroizing<String>>, StoreError> {
        if matches!(auth, Auth::Nobody) {
            return Ok(None);
        }
        let mut token = self.token.lock().await;
        let now = Instant::now();
        if let Some(held) = &mut *token {
            if held.stale.is_none_or(|stale| now < stale) {
                return Ok(Some(held.token.clone()));
            }
            let alive = held.ends.is_none_or(|ends| now + SPARE < ends);
            if held.renewable && alive && self.renew(held).await {
                return Ok(Some(held.token.clone()));
            }
        }
        let held = self.log_in(auth).await?;
        let text = held.token.clone();
        *token = Some(held);
        Ok(Some(text))
    }

    /// Whether a token could be made to last.
    async fn renew(&self, held: &mut Held) -> bool {
        let reply = self.about_itself(&held.token, "renew-self").await;
        let Some(answer) = reply.ok().and_then(|reply| reply.json::<Login>().ok()) else {
            return false;
        };
        *held = Held::of(answer.auth);
        true
    }

    async fn log_in(&self, auth: &Auth) -> Result<Held, StoreError> {
        let (mount, rest, body) = match auth {
            Auth::Nobody => return Err(StoreError::new(StoreErrorKind::Invalid, "nobody logs in")),
            Auth::Token(token) => return Held::given(token),
            Auth::AppRole {
                mount,
                role_id,
                secret_id,
            } => {
                let body = json!({ "role_id": role_id, "secret_id": text(secret_id)? });
                (mount, None, body)
            }
            Auth::Password {
                mount,
                user,
                password,
            } => (mount, Some(user), json!({ "password": text(password)? })),
            Auth::Jwt { mount, role, token } => {
                let token = token.get().await?;
                (mount, None, json!({ "role": role, "jwt": text(&token)? }))
            }
            Auth::Certificate { mount, role } => (mount, None, json!({ "name": role })),
        };
        let segments: Vec<&str> = ["auth"]
            .into_iter()
            .chain(mount.split('/').filter(|part| !part.is_empty()))
            .chain(["login"])
            .chain(rest.map(String::as_str))
            .collect();
        let call = self.call(Verb::Write, &segments, &[], self.token_namespace())?;
        let call = call.json(&body).map_err(|error| invalid(&error))?;
        let reply = self
            .client
            .send(call)
            .await
            .map_err(|error| unreachable(&error))?;
        if !reply.is_success() {
            return Err(self.not_logged_in(&reply, mount));
        }
        let login: Login = reply.json().map_err(|error| answer(&error))?;
        Ok(Held::of(login.auth))
    }

    fn not_logged_in(&self, reply: &Reply, mount: &str) -> StoreError {
        let server = crate::rest::server(&self.server);
        match reply.status {
            400 | 401 | 403 | 404 => StoreError::new(
                StoreErrorKind::Unauthenticated,
                format!(
                    "{server} refuses the login at `{mount}` with {}",
                    reply.status
                ),
            )
            .with_hint("check the role, the credentials and where the method is mounted"),
            _ => refused(reply, &format!("the login at `{mount}`")),
        }
    }

    fn token_namespace(&self) -> Option<&str> {
        self.auth_namespace.as_deref().or(self.namespace.as_deref())
    }

    fn call(
        &self,
        verb: Verb,
        path: &[&str],
        query: &[(&str, &str)],
        namespace: Option<&str>,
    ) -> Result<Call, StoreError> {
        let segments = ["v1"].into_iter().chain(path.iter().copied());
        let mut url = below(&self.server, segments).map_err(|_| {
            StoreError::new(
                StoreErrorKind::Invalid,
                format!("the path `{}` cannot be asked for", path.join("/")),
            )
        })?;
        let list = (verb == Verb::List).then_some(("list", "true"));
        for (name, value) in query.iter().copied().chain(list) {
            url.query_pairs_mut().append_pair(name, value);
        }
        let call = match verb {
            Verb::Read | Verb::List => Call::get(url),
            Verb::Write => Call::post(url),
            Verb::Delete => Call::delete(url),
        };
        let mut call = call
            .header("x-vault-request", "true")
            .map_err(|error| invalid(&error))?;
        for (name, value) in &self.headers {
            call = call
                .named_header(name, value)
                .map_err(|error| invalid(&error))?;
        }
        match namespace {
            Some(namespace) => call
                .header("x-vault-namespace", namespace)
                .map_err(|error| invalid(&error)),
            None => Ok(call),
        }
    }
}

impl Held {
    fn given(token: &Plaintext) -> Result<Self, StoreError> {
        Ok(Self {
            token: Zeroizing::new(text(token)?.trim().to_owned()),
            stale: None,
            ends: None,
            renewable: false,
            ours: false,
        })
    }

    /// Of a login, with two thirds of its time to be used before it is renewed.
    fn of(auth: LoginAuth) -> Self {
        let now = Instant::now();
        let lease = Some(Duration::from_secs(auth.lease_duration)).filter(|lease| !lease.is_zero());
        Self {
            token: auth.client_token,
            stale: lease.map(|lease| now + lease * 2 / 3),
            ends: lease.map(|lease| now + lease),
            renewable: auth.renewable,
            ours: true,
        }
    }
}

fn with_token(call: Call, token: &str) -> Result<Call, StoreError> {
    let call = call.header("x-vault-token", token);
    call.map_err(|error| invalid(&error))
}

/// What an answer that is no success means. What the server wrote is not told: it could quote a value.
pub(super) fn refused(reply: &Reply, what: &str) -> StoreError {
    let server = reply.server();
    let (kind, told, hint) = match reply.status {
        404 => (StoreErrorKind::Missing, "has no", None),
        403 => (
            StoreErrorKind::Denied,
            "denies",
            Some("the policy of the role does not allow this path"),
        ),
        429 => (
            StoreErrorKind::Throttled {
                retry_after: reply.retry_after(),
            },
            "asks for patience with",
            None,
        ),
        503 => (
            StoreErrorKind::Unavailable,
            "is sealed or in maintenance, and cannot answer",
            Some("unseal the server"),
        ),
        500..=599 | 472 | 473 => (StoreErrorKind::Unavailable, "cannot answer", None),
        _ => (StoreErrorKind::Invalid, "refuses", None),
    };
    let error = StoreError::new(kind, format!("{server} {told} {what} ({})", reply.status));
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// An answer that is not understood.
pub(super) fn answer(error: &RestError) -> StoreError {
    StoreError::new(StoreErrorKind::Answer, error.to_string())
}

pub(super) fn invalid(error: &RestError) -> StoreError {
    StoreError::new(StoreErrorKind::Invalid, error.to_string())
}

fn unreachable(error: &RestError) -> StoreError {
    let kind = match error {
        RestError::Local { .. } => StoreErrorKind::NotAllowed,
        RestError::Long { .. } => StoreErrorKind::Answer,
        _ => StoreErrorKind::Unavailable,
    };
    let told = StoreError::new(kind, error.to_string());
    match error.hint() {
        Some(hint) => told.with_hint(hint),
        None => told,
    }
}

fn text(secret: &Plaintext) -> Result<&str, StoreError> {
    std::str::from_utf8(secret.expose()).map_err(|_| {
        StoreError::new(
            StoreErrorKind::Invalid,
            "the credentials are not UTF-8 text",
        )
    })
}

fn authorities(settings: &Settings) -> Result<Vec<Certificate>, StoreError> {
    let Some(pem) = &settings.authorities else {
        return Ok(Vec::new());
    };
    let read = Certificate::from_pem_bundle(pem)
        .ok()
        .filter(|all| !all.is_empty());
    read.ok_or_else(|| {
        StoreError::new(
            StoreErrorKind::Invalid,
            "the authority of the server's certificate is not a certificate in PEM",
        )
    })
}

fn identity(settings: &Settings) -> Result<Option<Identity>, StoreError> {
    let Some(pair) = &settings.identity else {
        return Ok(None);
    };
    let both = Zeroizing::new([&pair.certificate[..], b"\n", pair.key.expose()].concat());
    Identity::from_pem(&both).map(Some).map_err(|_| {
        StoreError::new(
            StoreErrorKind::Invalid,
            "the client certificate and its key are not a pair in PEM",
        )
    })
}
