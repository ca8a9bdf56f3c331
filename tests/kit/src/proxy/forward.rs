//! The way of one request.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State as Shared};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, future};

use super::fault::{Effect, refusal};
use super::{Seen, State, lock};

/// Larger than anything that etcd takes.
const BODY_LIMIT: usize = 64 << 20;

/// These belong to one connection, not to the request.
const HOP_BY_HOP: [header::HeaderName; 5] = [
    header::HOST,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

pub(super) async fn handle(Shared(state): Shared<Arc<State>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_LIMIT).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let path = parts
        .uri
        .path_and_query()
        .map_or("/", |path| path.as_str())
        .to_owned();
    let accept = parts
        .headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    let seen = Seen {
        method: parts.method.to_string(),
        path: path.clone(),
        accept: accept.unwrap_or_default().into(),
    };
    lock(&state.requests).push(seen);

    match state.faults.take(parts.method.as_str(), &path) {
        None => {}
        Some(Effect::Delay(time)) => tokio::time::sleep(time).await,
        Some(Effect::Drop) => hang_up(),
        Some(Effect::LoseAnswer) => {
            forward(&state, &state.upstream, &path, &parts, body).await;
            hang_up();
        }
        Some(Effect::Silence) => future::pending().await,
        Some(Effect::Status(code)) => return refuse(code),
    }
    let answer = forward(&state, &state.upstream, &path, &parts, body.clone()).await;
    match service(&state, &path) {
        // Allowed by RBAC, and no pod to send it to.
        Some((port, rest)) if answer.status() == StatusCode::SERVICE_UNAVAILABLE => {
            forward(
                &state,
                &format!("http://127.0.0.1:{port}"),
                &rest,
                &parts,
                body,
            )
            .await
        }
        _ => answer,
    }
}

async fn forward(
    state: &State,
    upstream: &str,
    path: &str,
    parts: &Parts,
    body: Bytes,
) -> Response {
    let request = state
        .http
        .request(parts.method.clone(), format!("{upstream}{path}"))
        .headers(end_to_end(&parts.headers))
        .body(body);
    // When the API server is down, so is the proxy, as far as the client can tell.
    let Ok(answer) = request.send().await else {
        hang_up()
    };
    let (status, headers) = (answer.status(), end_to_end(answer.headers()));
    let mut cut = state.cut.subscribe();
    let until_cut = async move { cut.changed().await };
    let body = answer.bytes_stream().take_until(Box::pin(until_cut));
    (status, headers, Body::from_stream(body)).into_response()
}

/// The port and the rest of the path, for a path of the service proxy that a test has routed.
fn service(state: &State, path: &str) -> Option<(u16, String)> {
    let (namespace, rest) = path
        .strip_prefix("/api/v1/namespaces/")?
        .split_once("/services/")?;
    let (service, rest) = rest.split_once("/proxy")?;
    // `name`, `name:port` or `scheme:name:port`.
    let ([name] | [name, _] | [_, name, _]) = service.split(':').collect::<Vec<_>>()[..] else {
        return None;
    };
    let port = *lock(&state.services).get(&(namespace.to_owned(), name.to_owned()))?;
    Some((
        port,
        if rest.is_empty() {
            "/".into()
        } else {
            rest.into()
        },
    ))
}

fn refuse(code: u16) -> Response {
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        refusal(code),
    )
        .into_response();
    if code == 429 {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    response
}

/// Ends the connection: the server has no other way out of a request than an answer, but the end of
/// its task. No panic hook runs, as nothing is wrong.
fn hang_up() -> ! {
    std::panic::resume_unwind(Box::new("connection dropped on purpose"))
}

fn end_to_end(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
    headers
}
