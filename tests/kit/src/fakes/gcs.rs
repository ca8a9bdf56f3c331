//! Google Cloud Storage: uploads of whole objects, alone or with their metadata in front.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};

use super::server::{Json, Server};
use crate::error::KitError;

/// The one bucket.
pub const BUCKET: &str = "bucket";

type Objects = Arc<Mutex<BTreeMap<String, Object>>>;

/// An object as it was uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its content.
    pub bytes: Vec<u8>,
    /// What its uploader said that it is.
    pub kind: String,
    /// The token that came with it.
    pub token: Option<String>,
}

/// A running service.
#[derive(Debug)]
pub struct FakeStorage {
    server: Server,
    objects: Objects,
}

impl FakeStorage {
    /// Starts it.
    pub fn start() -> Result<Self, KitError> {
        let objects = Objects::default();
        let state = Arc::clone(&objects);
        let server = Server::start(|_| {
            Router::new()
                .route("/upload/storage/v1/b/{bucket}/o", post(upload))
                .with_state(state)
        })?;
        Ok(Self { server, objects })
    }

    /// The address: the value of `STORAGE_EMULATOR_HOST`.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The certificate of its authority.
    pub fn ca(&self) -> PathBuf {
        self.server.ca()
    }

    /// An object, if it is there.
    pub fn object(&self, name: &str) -> Option<Object> {
        let objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        objects.get(name).cloned()
    }
}

async fn upload(
    State(objects): State<Objects>,
    Path(bucket): Path<String>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if bucket != BUCKET {
        return refuse(
            StatusCode::NOT_FOUND,
            "The specified bucket does not exist.",
        );
    }
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::to_owned);
    let kind = header("content-type").unwrap_or_default();
    let field = |name: &str| query.get(name).map_or("", String::as_str);
    let uploaded = match field("uploadType") {
        "media" => Some((field("name").to_owned(), kind, body.to_vec())),
        "multipart" => parts(&kind, &body),
        _ => None,
    };
    let Some((name, kind, bytes)) = uploaded.filter(|(name, ..)| !name.is_empty()) else {
        return refuse(StatusCode::BAD_REQUEST, "Required parameter: name");
    };
    let answer = json!({
        "kind": "storage#object", "bucket": bucket, "name": &name, "contentType": &kind,
        "size": bytes.len().to_string(), "generation": "1",
    });
    let token = header("authorization");
    let object = Object { bytes, kind, token };
    let mut objects = objects.lock().unwrap_or_else(PoisonError::into_inner);
    objects.insert(name, object);
    Json(answer).into_response()
}

/// Name, type and content of `multipart/related`: JSON, and then the object.
fn parts(kind: &str, body: &[u8]) -> Option<(String, String, Vec<u8>)> {
    let (_, boundary) = kind.split_once("boundary=")?;
    let boundary = format!("--{}", boundary.trim_matches('"'));
    // A SOPS file is text.
    let text = String::from_utf8(body.to_vec()).ok()?;
    let mut parts = text.split(&boundary).skip(1);
    let (_, metadata) = parts.next()?.split_once("\r\n\r\n")?;
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    let (headers, content) = parts.next()?.split_once("\r\n\r\n")?;
    let kind = headers
        .lines()
        .find_map(|line| line.strip_prefix("Content-Type: "));
    Some((
        metadata["name"].as_str()?.to_owned(),
        kind.unwrap_or_default().to_owned(),
        content.strip_suffix("\r\n")?.as_bytes().to_vec(),
    ))
}

fn refuse(status: StatusCode, message: &str) -> Response {
    let code = status.as_u16();
    let error = json!({"error": {"code": code, "message": message}});
    (status, Json(error)).into_response()
}
