//! Azure Key Vault and the part of Microsoft Entra that gives tokens for it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::rsa::{
    KeySize, OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, OaepPublicEncryptingKey,
    PrivateDecryptingKey,
};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::server::{Fields, Json, Server};
use crate::error::KitError;

/// The tenant, and one client of it.
pub const TENANT: &str = "11111111-2222-3333-4444-555555555555";
/// The client.
pub const CLIENT: &str = "99999999-2222-3333-4444-555555555555";
/// Its secret.
pub const SECRET: &str = "the secret of the client";
/// The federated token that is taken in place of the secret.
pub const FEDERATED: &str = "a.federated.token";
/// The newest version of each key; `VERSIONS[0]` is older, and another key.
pub const VERSIONS: [&str; 2] = [
    "00000000000000000000000000000001",
    "00000000000000000000000000000002",
];

const TOKEN: &str = "an-access-token";

/// A running vault that has one key, `sops`, in two versions.
#[derive(Debug)]
pub struct FakeKeyVault {
    server: Server,
    seen: Arc<Mutex<Vec<String>>>,
}

struct Vault {
    url: String,
    keys: [PrivateDecryptingKey; 2],
    seen: Arc<Mutex<Vec<String>>>,
}

impl FakeKeyVault {
    /// Starts it. Making the keys takes a moment.
    pub fn start() -> Result<Self, KitError> {
        let key = || PrivateDecryptingKey::generate(KeySize::Rsa2048);
        let unspecified = |_| KitError::Seal("no RSA key".into());
        let keys = [key().map_err(unspecified)?, key().map_err(unspecified)?];
        let seen = Arc::new(Mutex::new(Vec::new()));
        let state = Arc::clone(&seen);
        let server = Server::start(|url| {
            router(Vault {
                url: url.to_owned(),
                keys,
                seen: state,
            })
        })?;
        Ok(Self { server, seen })
    }

    /// The address: of the vault, and of the authority that gives tokens.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The certificate of its authority.
    pub fn ca(&self) -> PathBuf {
        self.server.ca()
    }

    /// Which requests it had, method and path, without those for tokens.
    pub fn seen(&self) -> Vec<String> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn router(vault: Vault) -> Router {
    Router::new()
        .route("/{tenant}/oauth2/v2.0/token", post(token))
        .route(
            "/{tenant}/v2.0/.well-known/openid-configuration",
            get(configuration),
        )
        .route("/msi/token", get(managed))
        .route("/keys", get(challenge))
        .route("/keys/{name}", get(newest))
        .route("/keys/{name}/", get(newest))
        .route("/keys/{name}/{version}", get(described))
        .route("/keys/{name}/{version}/{operation}", post(operate))
        .with_state(Arc::new(vault))
}

async fn token(
    State(vault): State<Arc<Vault>>,
    Path(tenant): Path<String>,
    body: Bytes,
) -> Response {
    let grant = Fields::parse(&body);
    let is_client =
        grant.get("client_secret") == SECRET || grant.get("client_assertion") == FEDERATED;
    // Python's library asks for some scopes of its own beside.
    let is_for_vault = grant
        .get("scope")
        .split(' ')
        .any(|scope| scope == format!("{}/.default", vault.url));
    if tenant != TENANT || grant.get("client_id") != CLIENT || !is_client || !is_for_vault {
        let body =
            json!({"error": "invalid_client", "error_description": "AADSTS7000215: wrong secret"});
        return (StatusCode::UNAUTHORIZED, Json(body)).into_response();
    }
    Json(json!({"token_type": "Bearer", "expires_in": 3599, "access_token": TOKEN})).into_response()
}

async fn configuration(State(vault): State<Arc<Vault>>, Path(tenant): Path<String>) -> Json {
    let base = format!("{}/{tenant}", vault.url);
    Json(json!({
        "issuer": format!("{base}/v2.0"),
        "authorization_endpoint": format!("{base}/oauth2/v2.0/authorize"),
        "token_endpoint": format!("{base}/oauth2/v2.0/token"),
    }))
}

/// The managed identity of a service.
async fn managed(
    State(vault): State<Arc<Vault>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let resource = vault.url.replace(':', "%3A").replace('/', "%2F");
    let is_for_vault = query
        .unwrap_or_default()
        .contains(&format!("resource={resource}"));
    if headers
        .get("x-identity-header")
        .is_none_or(|header| header != SECRET)
        || !is_for_vault
    {
        return StatusCode::FORBIDDEN.into_response();
    }
    Json(json!({"access_token": TOKEN, "expires_on": "1", "expires_in": "3600"})).into_response()
}

async fn challenge(State(vault): State<Arc<Vault>>) -> Response {
    vault.unauthorized()
}

async fn newest(
    State(vault): State<Arc<Vault>>,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Response {
    vault.describe(&headers, &name, VERSIONS[1])
}

async fn described(
    State(vault): State<Arc<Vault>>,
    headers: HeaderMap,
    Path((name, version)): Path<(String, String)>,
) -> Response {
    vault.describe(&headers, &name, &version)
}

async fn operate(
    State(vault): State<Arc<Vault>>,
    headers: HeaderMap,
    Path((name, version, verb)): Path<(String, String, String)>,
    body: Bytes,
) -> Response {
    vault.note("POST", &format!("/keys/{name}/{version}/{verb}"));
    if !is_known(&headers) {
        return vault.unauthorized();
    }
    let Some(key) = vault.key(&name, &version) else {
        return not_found(&name);
    };
    let operation: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = operation["value"].as_str().unwrap_or_default();
    let value = URL_SAFE_NO_PAD.decode(text.trim_end_matches('='));
    let result = value
        .ok()
        .filter(|_| operation["alg"] == "RSA-OAEP-256")
        .and_then(|value| match verb.as_str() {
            "encrypt" => encrypt(key, &value),
            "decrypt" => decrypt(key, &value),
            _ => None,
        });
    match result {
        Some(value) => Json(json!({
            "kid": format!("{}/keys/{name}/{version}", vault.url), "value": URL_SAFE_NO_PAD.encode(value),
        }))
        .into_response(),
        None => problem(StatusCode::BAD_REQUEST, "BadParameter", "the value is not right"),
    }
}

fn encrypt(key: &PrivateDecryptingKey, value: &[u8]) -> Option<Vec<u8>> {
    let key = OaepPublicEncryptingKey::new(key.public_key()).ok()?;
    let mut out = vec![0; key.ciphertext_size()];
    Some(
        key.encrypt(&OAEP_SHA256_MGF1SHA256, value, &mut out, None)
            .ok()?
            .to_vec(),
    )
}

fn decrypt(key: &PrivateDecryptingKey, value: &[u8]) -> Option<Vec<u8>> {
    let key = OaepPrivateDecryptingKey::new(key.clone()).ok()?;
    let mut out = vec![0; key.min_output_size()];
    Some(
        key.decrypt(&OAEP_SHA256_MGF1SHA256, value, &mut out, None)
            .ok()?
            .to_vec(),
    )
}

impl Vault {
    fn note(&self, method: &str, path: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push(format!("{method} {path}"));
    }

    fn key(&self, name: &str, version: &str) -> Option<&PrivateDecryptingKey> {
        let index = VERSIONS.iter().position(|known| *known == version)?;
        (name == "sops").then(|| &self.keys[index])
    }

    fn unauthorized(&self) -> Response {
        let url = &self.url;
        let challenge = format!("Bearer authorization=\"{url}/{TENANT}\", resource=\"{url}\"");
        let body = json!({"error": {"code": "Unauthorized", "message": "a token is missing"}});
        (
            StatusCode::UNAUTHORIZED,
            [("WWW-Authenticate", challenge)],
            Json(body),
        )
            .into_response()
    }

    fn describe(&self, headers: &HeaderMap, name: &str, version: &str) -> Response {
        self.note("GET", &format!("/keys/{name}"));
        if !is_known(headers) {
            return self.unauthorized();
        }
        if self.key(name, version).is_none() {
            return not_found(name);
        }
        let id = format!("{}/keys/{name}/{version}", self.url);
        let operations = ["encrypt", "decrypt"];
        Json(json!({
            "key": {"kid": id, "kty": "RSA", "key_ops": operations, "n": "AQAB", "e": "AQAB"},
            "attributes": {"enabled": true, "created": 1, "updated": 1},
        }))
        .into_response()
    }
}

fn is_known(headers: &HeaderMap) -> bool {
    headers
        .get("authorization")
        .is_some_and(|header| header == &format!("Bearer {TOKEN}"))
}

fn not_found(name: &str) -> Response {
    problem(
        StatusCode::NOT_FOUND,
        "KeyNotFound",
        &format!("A key with (name/id) {name} was not found"),
    )
}

fn problem(status: StatusCode, code: &str, message: &str) -> Response {
    (
        status,
        Json(json!({"error": {"code": code, "message": message}})),
    )
        .into_response()
}
