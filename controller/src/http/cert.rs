//! `GET /v1/cert.pem`: the certificate to seal with.

use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

use super::Endpoints;

/// The newest key's certificate.
pub(super) async fn get(State(endpoints): State<Endpoints>) -> Response {
    match endpoints.ring.now().newest() {
        Some(key) => {
            let content_type = [(header::CONTENT_TYPE, "application/x-pem-file")];
            (content_type, key.certificate.pem().to_owned()).into_response()
        }
        None => (StatusCode::INTERNAL_SERVER_ERROR, "no sealing key\n").into_response(),
    }
}
