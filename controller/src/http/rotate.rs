//! `POST /v1/rotate`: the object with every item sealed anew to the newest key.

use axum::{
    body::Bytes,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use signet_engine::reseal::{self, ResealError, Which};

use super::{Endpoints, body};

/// 200 and JSON, 409 and the items that do not open, or 500; see [`super`].
pub(super) async fn post(State(endpoints): State<Endpoints>, body: Bytes) -> Response {
    let sealed = match body::read(&body) {
        Ok(sealed) => sealed,
        Err(error) => {
            return (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response();
        }
    };
    let (ring, policy) = (endpoints.ring.now(), endpoints.policy.clone());
    let Some(newest) = ring
        .newest()
        .map(|key| key.certificate.public_key().clone())
    else {
        return (StatusCode::CONFLICT, "no sealing key\n").into_response();
    };
    let work = move || {
        let resealed = reseal::reseal(&sealed, &ring, &newest, Which::All, &policy)?;
        Ok(reseal::object(&sealed, resealed))
    };
    match endpoints.pool.run(work).await {
        Ok(Ok(object)) => match serde_json::to_string(&object) {
            Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        // What is wrong and with which item; what would help is for the author's eyes, in the
        // status.
        Ok(Err(ResealError::Open(error))) => {
            (StatusCode::CONFLICT, format!("{}\n", error.brief())).into_response()
        }
        Ok(Err(ResealError::Seal { item, .. })) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("cannot encrypt {item}\n"),
        )
            .into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}
