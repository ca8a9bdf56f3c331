//! The HTTP endpoints: paths, methods and answers that `kubeseal` and its scripts rely on.
//!
//! | path | answer |
//! |---|---|
//! | `GET /healthz` | 200 while the process runs |
//! | `GET /readyz` | 200, or 503 and what is missing |
//! | `GET /v1/cert.pem` | the newest certificate, 500 without a key |
//! | `POST /v1/verify` | 200 if every item opens, 409 if not, 413 if that is too much work, 500 if the body is no SealedSecret |
//! | `POST /v1/rotate` | 200 and the object sealed anew, 409 and the items that do not open, 413 and 500 as above |
//! | `GET /metrics` | on the port of metrics |
//!
//! Whoever reaches the port may ask, so nothing here tells more than yes or no about a ciphertext:
//! all items are tried whatever the first comes to, no template is rendered, and which key or which
//! scope came near is not said.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    Router,
    error_handling::HandleErrorLayer,
    extract::{DefaultBodyLimit, State},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use signet_engine::{pace::Stopped, policy::Policy};
use tower::{BoxError, ServiceBuilder, timeout::TimeoutLayer};

use self::limit::{Limiter, Rate};
use crate::{health::Health, metrics, metrics::Metrics, pool::Pool, ring::Ring};

mod body;
mod cap;
mod cert;
mod health;
mod limit;
mod observe;
mod rotate;
pub mod serve;
mod verify;

/// Bytes of a request: what the API server would store of an object at most.
const BODY_LIMIT: usize = 1_572_864;
/// Private-key operations of a request: more than the largest object needs that is on the newest
/// key, and some seconds of one core.
const MOST_OPERATIONS: usize = 4096;

/// What the endpoints use. Clones share all of it.
#[derive(Debug, Clone)]
pub struct Endpoints {
    health: Arc<Health>,
    ring: Arc<Ring>,
    metrics: Metrics,
    /// One request of a kind at a time does private-key work: reconciles are not held up by
    /// callers, nor those who check a file by those who re-seal a repository.
    verifiers: Pool,
    rotators: Pool,
    /// Bodies are read off the threads that answer.
    readers: Pool,
    limiter: Arc<Mutex<Limiter>>,
    policy: Arc<Policy>,
}

impl Endpoints {
    /// Endpoints with a limit of so many requests a second and so many above it at once.
    pub fn new(
        health: Arc<Health>,
        ring: Arc<Ring>,
        metrics: Metrics,
        policy: Policy,
        (per_second, burst): (u32, u32),
    ) -> Self {
        let rate = Rate {
            per_second: f64::from(per_second),
            burst: f64::from(burst),
        };
        let limiter = Arc::new(Mutex::new(Limiter::new(rate, Instant::now())));
        Self {
            health,
            ring,
            metrics,
            verifiers: Pool::new(1).at_most(MOST_OPERATIONS),
            rotators: Pool::new(1).at_most(MOST_OPERATIONS),
            readers: Pool::new(2),
            limiter,
            policy: Arc::new(policy),
        }
    }

    /// The routes of the main port; a request that is not answered within `timeout` is given up.
    pub fn router(&self, timeout: Duration) -> Router {
        let limited = Router::new()
            .route("/v1/verify", post(verify::post))
            .route("/v1/rotate", post(rotate::post))
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .layer(middleware::from_fn_with_state(self.clone(), observe::limit));
        let timely = ServiceBuilder::new()
            .layer(HandleErrorLayer::new(async |_: BoxError| {
                (StatusCode::SERVICE_UNAVAILABLE, "took too long\n")
            }))
            .layer(TimeoutLayer::new(timeout));
        Router::new()
            .route("/healthz", get(health::healthz))
            .route("/readyz", get(health::readyz))
            .route("/v1/cert.pem", get(cert::get))
            .merge(limited)
            .layer(timely)
            .layer(middleware::from_fn_with_state(self.clone(), observe::count))
            .with_state(self.clone())
    }

    /// The routes of the port of metrics.
    pub fn metrics_router(&self) -> Router {
        Router::new()
            .route("/metrics", get(scrape))
            .with_state(self.metrics.clone())
    }

    fn limiter(&self) -> MutexGuard<'_, Limiter> {
        self.limiter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A body with more items than a caller may have opened at once.
fn too_costly(stopped: Stopped) -> Response {
    (StatusCode::PAYLOAD_TOO_LARGE, format!("{stopped}\n")).into_response()
}

async fn scrape(State(metrics): State<Metrics>) -> Response {
    match metrics.encode() {
        Ok(text) => ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests;
