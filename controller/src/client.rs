//! The connection to the cluster: from inside it, or by a kubeconfig.

use std::{
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use futures::{FutureExt, future::BoxFuture};
use http::Request;
use kube::{
    Client, Config,
    client::{Body, ClientBuilder},
    config::{KubeConfigOptions, Kubeconfig},
};
use thiserror::Error;
use tower::{Layer, Service};

use self::retry_after::RetryAfter;
use crate::args::Args;

mod retry_after;

/// Name under which writes appear in managedFields.
pub const FIELD_MANAGER: &str = "signet-controller";

/// Where the program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a pod of the cluster.
    Inside,
    /// Elsewhere, with a kubeconfig.
    Outside,
}

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// The kubeconfig does not serve.
    #[error("cannot use the kubeconfig: {0}")]
    Kubeconfig(#[source] kube::config::KubeconfigError),
    /// The files of the service account are not there.
    #[error("cannot use the service account of the pod: {0}")]
    Inside(#[source] kube::config::InClusterError),
    /// The parts do not make a client.
    #[error("cannot make a client: {0}")]
    Client(#[source] kube::Error),
}

impl ConnectError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Kubeconfig(_) => "outside a cluster give --kubeconfig, or set KUBECONFIG",
            Self::Inside(_) => {
                "let the pod mount its service account token (automountServiceAccountToken)"
            }
            Self::Client(_) => "check the certificates and the address in the configuration",
        }
    }
}

/// A client, where it runs, and the namespace of the configuration.
pub async fn connect(args: &Args) -> Result<(Client, Place, String), ConnectError> {
    let inside = args.kubeconfig.is_none() && args.context.is_none() && in_a_pod();
    let (mut config, place) = if inside {
        (
            Config::incluster().map_err(ConnectError::Inside)?,
            Place::Inside,
        )
    } else {
        (
            outside(args).await.map_err(ConnectError::Kubeconfig)?,
            Place::Outside,
        )
    };
    // The queue decides when to try again: a client that waits on its own would hold a worker.
    config.default_retry = false;
    let namespace = config.default_namespace.clone();
    let limit = Limit::new(args.kubeclient_qps, args.kubeclient_burst);
    let builder = ClientBuilder::try_from(config)
        .map_err(ConnectError::Client)?
        .with_layer(&RetryAfter);
    let client = match limit {
        Some(limit) => builder.with_layer(&limit).build(),
        None => builder.build(),
    };
    Ok((client, place, namespace))
}

/// Whether the environment is that of a pod.
fn in_a_pod() -> bool {
    std::env::var_os("KUBERNETES_SERVICE_HOST").is_some()
}

async fn outside(args: &Args) -> Result<Config, kube::config::KubeconfigError> {
    let options = KubeConfigOptions {
        context: args.context.clone(),
        ..Default::default()
    };
    match &args.kubeconfig {
        Some(path) => Config::from_custom_kubeconfig(Kubeconfig::read_from(path)?, &options).await,
        None => Config::from_kubeconfig(&options).await,
    }
}

/// An upper bound of requests a second, for those who ask for one.
#[derive(Debug, Clone)]
struct Limit(Arc<Mutex<Tokens>>);

#[derive(Debug)]
struct Tokens {
    per_second: f64,
    burst: f64,
    left: f64,
    filled: Instant,
}

impl Limit {
    /// None for zero or less, as in the peer.
    fn new(per_second: f32, burst: u32) -> Option<Self> {
        let burst = f64::from(burst.max(1));
        let tokens = Tokens {
            per_second: f64::from(per_second),
            burst,
            left: burst,
            filled: Instant::now(),
        };
        (per_second > 0.0).then(|| Self(Arc::new(Mutex::new(tokens))))
    }

    /// Takes a turn and says how long to wait for it.
    fn turn(&self, now: Instant) -> Duration {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(tokens.filled).as_secs_f64();
        tokens.left = (tokens.left + passed * tokens.per_second).min(tokens.burst) - 1.0;
        tokens.filled = now;
        Duration::from_secs_f64((-tokens.left).max(0.0) / tokens.per_second)
    }
}

impl<S> Layer<S> for Limit {
    type Service = Limited<S>;

    fn layer(&self, inner: S) -> Limited<S> {
        Limited {
            inner,
            limit: self.clone(),
        }
    }
}

/// A service whose requests wait for their turn.
#[derive(Debug, Clone)]
struct Limited<S> {
    inner: S,
    limit: Limit,
}

impl<S> Service<Request<Body>> for Limited<S>
where
    S: Service<Request<Body>>,
    S::Future: Send + 'static,
    S::Response: 'static,
    S::Error: 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<S::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let wait = self.limit.turn(Instant::now());
        // Nothing is sent before the future is polled.
        let answer = self.inner.call(request);
        async move {
            tokio::time::sleep(wait).await;
            answer.await
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn without_a_rate_there_is_no_limit() {
        assert!(Limit::new(0.0, 10).is_none());
        assert!(Limit::new(-1.0, 10).is_none());
    }

    #[test]
    fn after_the_burst_each_request_waits_for_its_turn() {
        let limit = Limit::new(10.0, 2).unwrap();
        let now = Instant::now();
        assert_eq!([limit.turn(now), limit.turn(now)], [Duration::ZERO; 2]);
        assert!((limit.turn(now).as_secs_f64() - 0.1).abs() < 0.01);
        assert!((limit.turn(now).as_secs_f64() - 0.2).abs() < 0.01);
        assert_eq!(limit.turn(now + Duration::from_secs(2)), Duration::ZERO);
    }
}
