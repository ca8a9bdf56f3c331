//! What a busy API server says of when to come again.
//!
//! It says so in a header, also where its answer is plain text; of an answer that is an error the
//! client of this program keeps the `Status` in the body alone. So the header is put there.

use std::task::{Context, Poll};

use axum::body::{Body as Answer, Bytes, HttpBody};
use futures::{FutureExt, future::BoxFuture};
use http::{Request, Response, StatusCode, header};
use kube::client::Body;
use serde_json::json;
use tower::{BoxError, Layer, Service};

/// Puts the header into the answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct RetryAfter;

/// A service whose answers say it.
#[derive(Debug, Clone)]
pub(super) struct Telling<S>(S);

impl<S> Layer<S> for RetryAfter {
    type Service = Telling<S>;

    fn layer(&self, inner: S) -> Telling<S> {
        Telling(inner)
    }
}

impl<S, B> Service<Request<Body>> for Telling<S>
where
    S: Service<Request<Body>, Response = Response<B>>,
    S::Future: Send + 'static,
    S::Error: 'static,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<Answer>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Self::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let answer = self.0.call(request);
        async move { answer.await.map(told) }.boxed()
    }
}

fn told<B>(answer: Response<B>) -> Response<Answer>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let Some(seconds) = seconds(&answer) else {
        return answer.map(Answer::new);
    };
    let status = json!({
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "reason": "TooManyRequests",
        "message": "too many requests",
        "code": 429,
        "details": {"retryAfterSeconds": seconds},
    });
    let mut told = Response::new(Answer::from(status.to_string()));
    *told.status_mut() = answer.status();
    told
}

fn seconds<B>(answer: &Response<B>) -> Option<u32> {
    let busy = answer.status() == StatusCode::TOO_MANY_REQUESTS;
    let after = answer.headers().get(header::RETRY_AFTER).filter(|_| busy)?;
    after.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{convert::Infallible, time::Duration};

    use k8s_openapi::api::core::v1::Secret;
    use kube::{Api, Client};

    use super::*;
    use crate::api::{ApiError, ask};

    async fn asked(status: u16, after: Option<&'static str>) -> ApiError {
        let server = tower::service_fn(move |_: Request<Body>| async move {
            let mut answer = Response::new(Answer::from("Too many requests"));
            *answer.status_mut() = StatusCode::from_u16(status).unwrap();
            if let Some(after) = after {
                let value = http::HeaderValue::from_static(after);
                answer.headers_mut().insert(header::RETRY_AFTER, value);
            }
            Ok::<_, Infallible>(answer)
        });
        let client = Client::new(RetryAfter.layer(server), "default");
        let secrets: Api<Secret> = Api::namespaced(client, "team");
        ask(secrets.get("db")).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_busy_server_is_heard_when_it_says_when_to_come_again() {
        let told = ApiError::TooManyRequests(Some(Duration::from_secs(7)));
        assert_eq!(asked(429, Some("7")).await, told);
        let untold = ApiError::TooManyRequests(None);
        assert_eq!(asked(429, None).await, untold);
        assert_eq!(asked(429, Some("soon")).await, untold);
        assert_eq!(asked(503, Some("7")).await.code(), 503);
    }
}
