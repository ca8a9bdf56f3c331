//! A blocking connection to the API server.

use http::{Method, Request, header};
use kube::Client;
use kube::client::Body;
use tokio::runtime::{Builder, Runtime};

use super::{ClusterError, Connection, config};
use crate::Env;

/// A connection to one cluster, as one user.
pub struct Cluster {
    runtime: Runtime,
    client: Client,
    url: String,
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
        })
    }

    /// The answer to one request; an error unless it is a success. `what` completes "cannot …".
    pub(super) fn request(
        &self,
        what: &str,
        method: Method,
        path: &str,
        body: Vec<u8>,
    ) -> Result<Vec<u8>, ClusterError> {
        let unreachable = |error: &dyn std::error::Error| ClusterError::Unreachable {
            what: what.to_owned(),
            url: self.url.clone(),
            cause: crate::error::chain(error),
        };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .map_err(|error| unreachable(&error))?;
        let (status, body) = self
            .runtime
            .block_on(async {
                let answer = self.client.send(request).await?;
                let status = answer.status();
                let body = answer.into_body().collect_bytes().await?;
                Ok::<_, kube::Error>((status, body))
            })
            .map_err(|error| unreachable(&error))?;
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
    fn an_answer_is_told_in_one_line() {
        assert_eq!(message(br#"{"kind":"Status","message":"no"}"#), "no");
        assert_eq!(message(b"not ready\nmore\n"), "not ready");
        assert_eq!(message(b"<html>a page</html>"), "");
        assert_eq!(message(b""), "");
    }
}
