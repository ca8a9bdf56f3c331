//! `/healthz`: the process answers. `/readyz`: it can do its work, and if not, why.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};

use super::Endpoints;

/// Alive.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Ready, or 503 and the first thing that is missing.
pub(super) async fn readyz(State(endpoints): State<Endpoints>) -> Response {
    match endpoints.health.ready() {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("not ready: {why}\n"),
        )
            .into_response(),
    }
}
