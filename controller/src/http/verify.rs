//! `POST /v1/verify`: whether every item opens where the object stands.

use axum::{
    body::Bytes,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use signet_engine::verify::verify;

use super::{Endpoints, body};

/// 200, 409 or 500; see [`super`].
pub(super) async fn post(State(endpoints): State<Endpoints>, body: Bytes) -> Response {
    let sealed = match body::read(&body) {
        Ok(sealed) => sealed,
        Err(error) => {
            return (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response();
        }
    };
    let (ring, policy) = (endpoints.ring.now(), endpoints.policy.clone());
    match endpoints
        .pool
        .run(move || verify(&sealed, &ring, &policy))
        .await
    {
        Ok(true) => StatusCode::OK.into_response(),
        Ok(false) => StatusCode::CONFLICT.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}
