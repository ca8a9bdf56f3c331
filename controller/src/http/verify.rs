//! `POST /v1/verify`: whether every item opens where the object stands.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use signet_engine::{unseal::Hints, verify::verify};

use super::{Endpoints, body::Body, too_costly};

/// 200, 409, 413 or 500; see [`super`].
pub(super) async fn post(State(endpoints): State<Endpoints>, Body(sealed): Body) -> Response {
    let (ring, policy) = (endpoints.ring.now(), endpoints.policy.clone());
    let verified = endpoints
        .verifiers
        .run(move |seat| verify(&sealed, &ring, &Hints::default(), &policy, seat));
    match verified.await {
        Ok(Ok(true)) => StatusCode::OK.into_response(),
        Ok(Ok(false)) => StatusCode::CONFLICT.into_response(),
        Ok(Err(stopped)) => too_costly(stopped),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}
