//! What is done for each request: counted, and those that cost private-key work limited.

use std::{net::SocketAddr, time::Instant};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::Endpoints;

/// The paths that there are, for labels: others come from the caller and are one.
const PATHS: [&str; 5] = [
    "/healthz",
    "/readyz",
    "/v1/cert.pem",
    "/v1/rotate",
    "/v1/verify",
];

/// Counts a request and the time it took.
pub(super) async fn count(
    State(endpoints): State<Endpoints>,
    request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let path = PATHS
        .into_iter()
        .find(|path| *path == request.uri().path())
        .unwrap_or("other");
    let method = request.method().clone();
    let response = next.run(request).await;
    endpoints
        .metrics
        .observe_http(path, &method, response.status().as_u16(), began.elapsed());
    response
}

/// Lets a request through, or answers 429 and after how many seconds to come again.
///
/// The caller is the TCP peer: what `X-Forwarded-For` says is not asked (D21).
pub(super) async fn limit(
    State(endpoints): State<Endpoints>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let taken = endpoints
        .limiter()
        .take(peer.ip().to_canonical(), Instant::now());
    match taken {
        Ok(()) => next.run(request).await,
        Err(wait) => {
            let seconds = wait.as_secs_f64().ceil().max(1.0);
            let mut response = (StatusCode::TOO_MANY_REQUESTS, "limit exceeded\n").into_response();
            if let Ok(value) = HeaderValue::from_str(&format!("{seconds:.0}")) {
                response.headers_mut().insert(header::RETRY_AFTER, value);
            }
            response
        }
    }
}
