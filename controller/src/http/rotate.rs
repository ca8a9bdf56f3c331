//! `POST /v1/rotate`: the object with every item sealed anew to the newest key.

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use signet_engine::{
    pace::Pace,
    reseal::{self, ResealError, Which},
};

use super::{Endpoints, body::Body, too_costly};

/// 200 and JSON, 409 and the items that do not open, 413 or 500; see [`super`].
pub(super) async fn post(State(endpoints): State<Endpoints>, Body(sealed): Body) -> Response {
    let (ring, policy) = (endpoints.ring.now(), endpoints.policy.clone());
    let Some(newest) = ring
        .newest()
        .map(|key| key.certificate.public_key().clone())
    else {
        return (StatusCode::CONFLICT, "no sealing key\n").into_response();
    };
    let work = move |pace: &mut dyn Pace| {
        let resealed = reseal::reseal(&sealed, &ring, &newest, Which::All, &policy, pace)?;
        Ok(reseal::object(&sealed, resealed))
    };
    match endpoints.rotators.run(move |seat| work(seat)).await {
        Ok(Ok(object)) => match serde_json::to_string(&object) {
            Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        },
        // What is wrong and with which item; what would help is for the author's eyes, in the
        // status.
        Ok(Err(ResealError::Open(error))) => {
            (StatusCode::CONFLICT, format!("{}\n", error.brief())).into_response()
        }
        Ok(Err(ResealError::Stopped(stopped))) => too_costly(stopped),
        Ok(Err(ResealError::Seal { item, .. })) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("cannot encrypt {item}\n"),
        )
            .into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}
