//! Google Cloud KMS and the servers that give tokens for it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::aead::{AES_256_GCM, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::server::{Fields, Json, Server};
use crate::error::KitError;

/// The one key.
pub const KEY: &str = "projects/p/locations/global/keyRings/r/cryptoKeys/sops";
/// What a user's credentials have for a secret.
pub const REFRESH: &str = "a refresh token";
/// The token of somebody else, for workload identity.
pub const SUBJECT: &str = "a.subject.token";
/// A token that is taken as it is.
pub const TOKEN: &str = "ya29.an-access-token";

const ACCOUNT: &str = "sops@p.iam.gserviceaccount.com";

/// A running service.
#[derive(Debug)]
pub struct FakeKms {
    server: Server,
    account_key: String,
    seen: Arc<Mutex<Vec<String>>>,
}

struct Service {
    key: RandomizedNonceKey,
    account: Vec<u8>,
    url: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl FakeKms {
    /// Starts it.
    pub fn start() -> Result<Self, KitError> {
        let failed = |_| KitError::Seal("no key".into());
        let account = RsaKeyPair::generate(KeySize::Rsa2048).map_err(failed)?;
        let der = account.as_der().map_err(failed)?;
        let key = RandomizedNonceKey::new(&AES_256_GCM, &[7; 32]).map_err(failed)?;
        let seen = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&seen);
        let public = account.public_key().as_ref().to_vec();
        let server = Server::start(|url| {
            router(Service {
                key,
                account: public,
                url: url.to_owned(),
                seen: notes,
            })
        })?;
        let lines: Vec<String> = STANDARD
            .encode(der.as_ref())
            .as_bytes()
            .chunks(64)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        let account_key = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            lines.join("\n")
        );
        Ok(Self {
            server,
            account_key,
            seen,
        })
    }

    /// The address, which is also that of the token servers.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The certificate of its authority.
    pub fn ca(&self) -> PathBuf {
        self.server.ca()
    }

    /// The verbs and tokens that were asked for.
    pub fn seen(&self) -> Vec<String> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The JSON of a service account.
    pub fn service_account(&self) -> Value {
        json!({
            "type": "service_account", "project_id": "p", "private_key_id": "k1",
            "private_key": self.account_key, "client_email": ACCOUNT, "client_id": "1",
            "token_uri": format!("{}/token", self.url()),
        })
    }

    /// What `gcloud auth application-default login` leaves.
    pub fn user(&self) -> Value {
        json!({
            "type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": REFRESH,
            "token_uri": format!("{}/token", self.url()),
        })
    }

    /// Workload identity: a token of somebody else in a file, exchanged, and then a service account's.
    pub fn external(&self) -> Result<Value, KitError> {
        let file = self.server.folder().join("subject");
        std::fs::write(&file, json!({"id_token": SUBJECT}).to_string())
            .map_err(KitError::io("write", &file))?;
        Ok(json!({
            "type": "external_account", "audience": "//iam.googleapis.com/x",
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "token_url": format!("{}/sts", self.url()),
            "service_account_impersonation_url": self.impersonation(),
            "credential_source": {
                "file": file, "format": {"type": "json", "subject_token_field_name": "id_token"},
            },
        }))
    }

    /// A user that acts as a service account.
    pub fn impersonated(&self) -> Value {
        json!({
            "type": "impersonated_service_account", "source_credentials": self.user(),
            "service_account_impersonation_url": self.impersonation(),
        })
    }

    fn impersonation(&self) -> String {
        format!(
            "{}/v1/projects/-/serviceAccounts/{ACCOUNT}:generateAccessToken",
            self.url()
        )
    }
}

fn router(service: Service) -> Router {
    Router::new()
        .route("/token", post(token))
        .route("/sts", post(exchange))
        .route(
            "/computeMetadata/v1/instance/service-accounts/default/token",
            get(metadata),
        )
        .route("/v1/{*name}", post(operate))
        .with_state(Arc::new(service))
}

fn granted(token: &str) -> Response {
    Json(json!({"access_token": token, "expires_in": 3599, "token_type": "Bearer"})).into_response()
}

async fn token(State(service): State<Arc<Service>>, body: Bytes) -> Response {
    let grant = Fields::parse(&body);
    service.note(grant.get("grant_type"));
    let is_right = match grant.get("grant_type") {
        "refresh_token" => grant.get("refresh_token") == REFRESH,
        "urn:ietf:params:oauth:grant-type:jwt-bearer" => {
            service.signed(grant.get("assertion"), "/token")
        }
        _ => false,
    };
    if is_right {
        granted(TOKEN)
    } else {
        refuse(StatusCode::BAD_REQUEST, "invalid_grant")
    }
}

async fn exchange(State(service): State<Arc<Service>>, body: Bytes) -> Response {
    let grant = Fields::parse(&body);
    service.note(grant.get("grant_type"));
    if grant.get("subject_token") == SUBJECT {
        return granted("a-federated-token");
    }
    refuse(StatusCode::BAD_REQUEST, "invalid_grant")
}

async fn metadata(State(service): State<Arc<Service>>, headers: HeaderMap) -> Response {
    service.note("metadata");
    if headers
        .get("metadata-flavor")
        .is_some_and(|flavor| flavor == "Google")
    {
        return granted(TOKEN);
    }
    StatusCode::FORBIDDEN.into_response()
}

async fn operate(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    Path(name): Path<String>,
    body: Bytes,
) -> Response {
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (name, verb) = name.rsplit_once(':').unwrap_or((&name, ""));
    service.note(verb);
    let bearer = headers
        .get("authorization")
        .and_then(|header| header.to_str().ok());
    let bearer = bearer
        .and_then(|header| header.strip_prefix("Bearer "))
        .unwrap_or_default();
    if verb == "generateAccessToken" {
        let is_caller = [TOKEN, "a-federated-token"].contains(&bearer);
        let lent = json!({"accessToken": TOKEN, "expireTime": "2036-01-01T00:00:00Z"});
        return if is_caller {
            Json(lent).into_response()
        } else {
            refuse(StatusCode::FORBIDDEN, "no")
        };
    }
    if bearer != TOKEN && !service.signed(bearer, "/") {
        return refuse(
            StatusCode::UNAUTHORIZED,
            "Request had invalid authentication credentials",
        );
    }
    if name != KEY {
        return refuse(StatusCode::NOT_FOUND, "CryptoKey not found");
    }
    let field = |name: &str| {
        STANDARD
            .decode(body[name].as_str().unwrap_or_default())
            .ok()
    };
    let answer = match verb {
        "encrypt" => field("plaintext").and_then(|value| service.seal(value)).map(|value| {
            json!({"name": format!("{KEY}/cryptoKeyVersions/1"), "ciphertext": STANDARD.encode(value)})
        }),
        "decrypt" => field("ciphertext")
            .and_then(|value| service.open(&value))
            .map(|value| json!({"plaintext": STANDARD.encode(value), "usedPrimary": true})),
        _ => None,
    };
    match answer {
        Some(answer) => Json(answer).into_response(),
        None => refuse(
            StatusCode::BAD_REQUEST,
            "Decryption failed: the ciphertext is invalid.",
        ),
    }
}

impl Service {
    fn note(&self, what: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push(what.to_owned());
    }

    /// Whether the service account signed it, for this server.
    fn signed(&self, token: &str, path: &str) -> bool {
        let Some((signed, signature)) = token.rsplit_once('.') else {
            return false;
        };
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &self.account);
        let claims = signed
            .split('.')
            .nth(1)
            .map(|part| URL_SAFE_NO_PAD.decode(part).unwrap_or_default());
        let claims: Value = serde_json::from_slice(&claims.unwrap_or_default()).unwrap_or_default();
        let is_for_here = path == "/" || claims["aud"] == format!("{}{path}", self.url);
        let is_account = claims["iss"] == ACCOUNT;
        key.verify(signed.as_bytes(), &signature).is_ok() && is_for_here && is_account
    }

    fn seal(&self, mut value: Vec<u8>) -> Option<Vec<u8>> {
        let nonce = self
            .key
            .seal_in_place_append_tag(Aad::from(KEY), &mut value)
            .ok()?;
        Some([&nonce.as_ref()[..], &value].concat())
    }

    fn open(&self, value: &[u8]) -> Option<Vec<u8>> {
        let (nonce, body) = value.split_at_checked(12)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = body.to_vec();
        Some(
            self.key
                .open_in_place(nonce, Aad::from(KEY), &mut body)
                .ok()?
                .to_vec(),
        )
    }
}

fn refuse(status: StatusCode, message: &str) -> Response {
    let code = status.as_u16();
    (
        status,
        Json(json!({"error": {"code": code, "message": message, "status": "ERROR"}})),
    )
        .into_response()
}
