//! The SealedSecret in a request: one document, JSON or YAML, as `kubeseal` sends its input.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use signet_crds::sealed_secret::SealedSecret;
use signet_documents::{
    source, value,
    yaml::{Document, Stream},
};
use thiserror::Error;

use super::Endpoints;

/// The SealedSecret in a request. What is none is answered with 500, as the peer does.
#[derive(Debug)]
pub(super) struct Body(pub(super) SealedSecret);

impl FromRequest<Endpoints> for Body {
    type Rejection = Response;

    async fn from_request(request: Request, endpoints: &Endpoints) -> Result<Self, Response> {
        let bytes = Bytes::from_request(request, endpoints)
            .await
            .map_err(IntoResponse::into_response)?;
        let failed = |error: &dyn std::fmt::Display| {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response()
        };
        // A large text takes long enough to hold up the thread that answers.
        match endpoints.readers.run(move |_| read(&bytes)).await {
            Ok(Ok(sealed)) => Ok(Self(sealed)),
            Ok(Err(error)) => Err(failed(&error)),
            Err(error) => Err(failed(&error)),
        }
    }
}

/// Why a body is no SealedSecret. What it holds is not quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum BodyError {
    /// Neither JSON nor YAML, or not UTF-8.
    #[error("the body is neither JSON nor YAML")]
    Unreadable,
    /// None or several documents.
    #[error("the body must hold one document")]
    NotOne,
    /// Another kind.
    #[error("the body is not a SealedSecret of bitnami.com/v1alpha1")]
    OtherKind,
}

/// Reads a body.
fn read(body: &[u8]) -> Result<SealedSecret, BodyError> {
    let text = source::decode(body).map_err(|_| BodyError::Unreadable)?;
    let stream = Stream::parse(text.as_str()).map_err(|_| BodyError::Unreadable)?;
    let mut roots = stream.documents().iter().filter_map(Document::root);
    let (Some(root), None) = (roots.next(), roots.next()) else {
        return Err(BodyError::NotOne);
    };
    let json = value::to_json(root).map_err(|_| BodyError::Unreadable)?;
    if json["kind"] != "SealedSecret" || json["apiVersion"] != "bitnami.com/v1alpha1" {
        return Err(BodyError::OtherKind);
    }
    serde_json::from_value(json).map_err(|_| BodyError::Unreadable)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    const YAML: &str = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: a\n  namespace: team\nspec:\n  encryptedData:\n    k: AgA=\n";

    #[test]
    fn yaml_and_json_are_read_alike() {
        let json = r#"{"apiVersion":"bitnami.com/v1alpha1","kind":"SealedSecret","metadata":{"name":"a","namespace":"team"},"spec":{"encryptedData":{"k":"AgA="}}}"#;
        let read_yaml = read(YAML.as_bytes()).expect("YAML is read");
        assert_eq!(read_yaml.spec, read(json.as_bytes()).expect("JSON").spec);
        assert_eq!(read_yaml.spec.encrypted_data["k"], "AgA=");
    }

    #[test]
    fn what_is_not_one_sealed_secret_is_refused() {
        let two = format!("{YAML}---\n{YAML}");
        let secret = YAML.replace("SealedSecret", "Secret");
        for (body, error) in [
            ("", BodyError::Unreadable),
            ("\u{0}", BodyError::Unreadable),
            ("{", BodyError::Unreadable),
            ("# nothing\n", BodyError::NotOne),
            (two.as_str(), BodyError::NotOne),
            (secret.as_str(), BodyError::OtherKind),
            ("[1]", BodyError::OtherKind),
        ] {
            assert_eq!(read(body.as_bytes()).err(), Some(error), "{body:?}");
        }
    }
}
