//! A blocking connection to the API server.

use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use kube::Client;
use kube::client::Body;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use super::{ClusterError, Connection, config};
use crate::Env;

/// How long to wait for an answer, unless the connection says otherwise: a person is waiting too.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(45);

/// A connection to one cluster, as one user.
pub struct Cluster {
    runtime: Runtime,
    client: Client,
    url: String,
    timeout: Duration,
}

impl Cluster {
    /// Reads the kubeconfig. No request is made yet.
    pub fn connect(connection: &Connection, env: &Env) -> Result<Self, ClusterError> {
        // Fails when a provider is installed already, which is as good.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let failed =
            |error: &dyn std::error::Error| ClusterError::Kubeconfig(crate::error::chain(error));
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let config = runtime.block_on(config::config(connection, env))?;
        let url = config.cluster_url.to_string();
        // The client starts its background tasks on the runtime.
        let client = runtime
            .block_on(async { Client::try_from(config) })
            .map_err(|error| failed(&error))?;
        Ok(Self {
            runtime,
            client,
            url,
            timeout: connection.timeout.unwrap_or(ANSWER_TIMEOUT),
        })
    }

    /// The answer to one request; an error unless it is a success. `what` completes "cannot …".
    pub(super) fn request(
        &self,
        what: &str,
        method: &Method,
        path: &str,
        body: &[u8],
    ) -> Result<Vec<u8>, ClusterError> {
        let unreachable = |error: &dyn std::error::Error| ClusterError::Unreachable {
            what: what.to_owned(),
            url: self.url.clone(),
            cause: crate::error::chain(error),
        };
        let send = async || {
            let request = Request::builder()
                .method(method.clone())
                .uri(path)
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_vec()))
                .map_err(kube::Error::HttpError)?;
            let answer = self.client.send(request).await?;
            let (status, pause) = (answer.status(), pause(&answer));
            let body = answer.into_body().collect_bytes().await?;
            Ok::<_, kube::Error>((status, pause, body))
        };
        let (status, body) = self.runtime.block_on(async {
            let send = async || {
                let answer = timeout(self.timeout, send()).await;
                answer
                    .map_err(|late| unreachable(&late))?
                    .map_err(|error| unreachable(&error))
            };
            for _ in 0..PATIENCE {
                match send().await? {
                    (_, Some(pause), _) => sleep(pause).await,
                    (status, None, body) => return Ok((status, body)),
                }
            }
            send().await.map(|(status, _, body)| (status, body))
        })?;
        if status.is_success() {
            Ok(body.to_vec())
        } else {
            Err(ClusterError::Answer {
                what: what.to_owned(),
                code: status.as_u16(),
                message: message(&body),
            })
        }
    }
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// How often a request is repeated that comes too soon: as often as other clients of Kubernetes do.
const PATIENCE: usize = 10;
/// No server makes us wait longer at once.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long to wait before the same request again, for an answer that asks for it. (Controllers of
/// Sealed Secrets take two re-encryptions a second.)
fn pause<B>(answer: &Response<B>) -> Option<Duration> {
    if answer.status() != StatusCode::TOO_MANY_REQUESTS {
        return None;
    }
    let after = answer.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    Some(Duration::from_secs(after.parse().ok()?).min(LONGEST_PAUSE))
}

/// What an answer says: the message of a Status, or the first line of a short plain text.
fn message(body: &[u8]) -> String {
    /// Longer answers are pages of a proxy, not messages.
    const LONGEST: usize = 300;

    if let Ok(status) = serde_json::from_slice::<serde_json::Value>(body) {
        return status["message"].as_str().unwrap_or_default().to_owned();
    }
    let text = String::from_utf8_lossy(body);
    let line = text.trim().lines().next().unwrap_or_default();
    if line.len() > LONGEST || line.starts_with('<') {
        String::new()
    } else {
        line.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_870_a_request_that_comes_too_soon_waits_as_long_as_it_is_told() {
        let answer = |status, after: Option<&str>| {
            let mut answer = Response::builder().status(status);
            if let Some(after) = after {
                answer = answer.header(header::RETRY_AFTER, after);
            }
            answer.body(()).ok()
        };
        let pause = |status, after| answer(status, after).as_ref().and_then(pause);
        assert_eq!(pause(429, Some("1")), Some(Duration::from_secs(1)));
        assert_eq!(pause(429, Some("86400")), Some(LONGEST_PAUSE));
        assert_eq!(pause(429, None), None);
        assert_eq!(pause(503, Some("1")), None);
    }

    #[test]
    fn an_answer_is_told_in_one_line() {
        assert_eq!(message(br#"{"kind":"Status","message":"no"}"#), "no");
        assert_eq!(message(b"not ready\nmore\n"), "not ready");
        assert_eq!(message(b"<html>a page</html>"), "");
        assert_eq!(message(b""), "");
    }
}
