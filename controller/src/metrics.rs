//! Metrics: the peer's under its names, ours as `signet_*` beside them.
//!
//! Every series that can be known beforehand exists from the first scrape (sealed-secrets#543,
//! #545). What is a matter of state rather than of counting, such as the condition of each object,
//! is read from the state at the scrape ([`state`]), so that it cannot drift away from it.

use std::{fmt, sync::Arc, time::Duration};

use prometheus_client::{
    collector::Collector,
    encoding::{EncodeLabelSet, prometheus_text},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
    },
    registry::Registry,
};

pub mod external;
pub mod process;
pub mod state;

/// `Content-Type` of [`Metrics::encode`].
pub use prometheus_text::CONTENT_TYPE;

/// Bounds of the peer's HTTP histogram, in seconds: those that Go's client library has by default.
const HTTP_BUCKETS: [f64; 11] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];
/// Bounds of waits and reconciles, in seconds.
const WORK_BUCKETS: [f64; 10] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];

/// All that is counted; clones are the same counters.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    unseal_requests: Counter,
    unseal_errors: Family<UnsealError, Counter>,
    http_requests: Family<HttpRequest, Counter>,
    http_durations: Family<HttpDuration, Histogram, fn() -> Histogram>,
    queue_depth: Gauge,
    queue_delayed: Gauge,
    queue_wait: Histogram,
    reconciles: Family<Reconcile, Histogram, fn() -> Histogram>,
    private_operations: Counter,
    writes: Family<Write, Counter>,
    rivals: Counter,
    leader: Gauge,
    external: external::ExternalMetrics,
}

/// Shows a queue in two gauges: objects that are due, and those that wait for their time.
fn show(depth: Gauge, delayed: Gauge) -> impl Fn(usize, usize) + Send + Sync {
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    move |due, waiting| {
        depth.set(number(due));
        delayed.set(number(waiting));
    }
}

/// Reasons of failed attempts, as the peer names them.
pub const ERROR_REASONS: [&str; 5] = ["fetch", "status", "unmanaged", "unseal", "update"];

/// How a reconcile ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Nothing had changed: recognised without work.
    Unchanged,
    /// The Secret is as described.
    Synced,
    /// It is not.
    Failed,
}

/// What was written to the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// A new Secret.
    SecretCreated,
    /// A Secret changed.
    SecretReplaced,
    /// A Secret deleted.
    SecretDeleted,
    /// A status.
    Status,
    /// An event.
    Event,
    /// The published certificate.
    Certificate,
    /// A workload restarted.
    Workload,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct UnsealError {
    reason: &'static str,
    namespace: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct HttpRequest {
    path: &'static str,
    code: u16,
    method: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct HttpDuration {
    path: &'static str,
    method: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Reconcile {
    result: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Write {
    object: &'static str,
    verb: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Build {
    revision: &'static str,
}

impl Metrics {
    /// Counters at zero, and beside them what `collectors` read from the state at each scrape.
    pub fn new(version: &'static str, collectors: Vec<Box<dyn Collector>>) -> Self {
        let mut registry = Registry::default();
        let peer = registry.sub_registry_with_prefix("sealed_secrets_controller");
        let build = Family::<Build, ConstGauge>::new_with_constructor(|| ConstGauge::new(0_i64));
        drop(build.get_or_create(&Build { revision: version }));
        peer.register("build_info", "Build information", build);
        let unseal_requests = registered(peer, "unseal_requests", "Objects worked on");
        let unseal_errors = registered(
            peer,
            "unseal_errors",
            "Attempts that failed, by reason and namespace",
        );
        let http_requests = registered(
            peer,
            "http_requests",
            "HTTP requests, by path, code and method",
        );
        let http_durations: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(HTTP_BUCKETS));
        peer.register(
            "http_request_duration_seconds",
            "Duration of HTTP requests",
            http_durations.clone(),
        );

        let external = external::ExternalMetrics::default();
        external.register(&mut registry);
        let own = registry.sub_registry_with_prefix("signet");
        let queue_wait = Histogram::new(WORK_BUCKETS);
        own.register(
            "queue_wait_seconds",
            "Time that objects stood in the queue after they were due",
            queue_wait.clone(),
        );
        let reconciles: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(WORK_BUCKETS));
        own.register(
            "reconcile_duration_seconds",
            "Duration of reconciles, by result",
            reconciles.clone(),
        );
        let metrics = Self {
            external,
            unseal_requests,
            unseal_errors,
            http_requests,
            http_durations,
            queue_depth: registered(own, "queue_depth", "Objects that are due"),
            queue_delayed: registered(
                own,
                "queue_delayed",
                "Objects that wait for another attempt",
            ),
            queue_wait,
            reconciles,
            private_operations: registered(
                own,
                "private_operations",
                "RSA private-key operations of reconciles",
            ),
            writes: registered(own, "writes", "Writes to the cluster, by object and verb"),
            rivals: registered(
                own,
                "other_writer",
                "Times that another controller wrote over us",
            ),
            leader: registered(own, "leader", "1 while this replica writes"),
            registry: Arc::default(),
        };
        for collector in collectors {
            registry.register_collector(collector);
        }
        let metrics = Self {
            registry: Arc::new(registry),
            ..metrics
        };
        metrics.initialise();
        metrics
    }

    /// Makes the series whose labels are known.
    fn initialise(&self) {
        for reason in ERROR_REASONS {
            drop(self.unseal_errors.get_or_create(&UnsealError {
                reason,
                namespace: String::new(),
            }));
        }
        for ended in [Ended::Unchanged, Ended::Synced, Ended::Failed] {
            drop(self.reconciles.get_or_create(&Reconcile {
                result: ended.name(),
            }));
        }
        for written in Written::ALL {
            drop(self.writes.get_or_create(&written.labels()));
        }
    }

    /// What is counted of ExternalSecrets.
    pub fn external(&self) -> external::ExternalMetrics {
        self.external.clone()
    }

    /// The text that Prometheus reads.
    pub fn encode(&self) -> Result<String, fmt::Error> {
        let mut text = String::with_capacity(16 * 1024);
        prometheus_text::encode(&mut text, &self.registry)?;
        Ok(text)
    }

    /// An object is worked on, or its deletion.
    pub fn count_request(&self) {
        self.unseal_requests.inc();
    }

    /// An attempt failed, for one of [`ERROR_REASONS`].
    pub fn count_error(&self, reason: &'static str, namespace: &str) {
        let labels = UnsealError {
            reason,
            namespace: namespace.to_owned(),
        };
        self.unseal_errors.get_or_create(&labels).inc();
    }

    /// A reconcile ended.
    pub fn observe_reconcile(&self, ended: Ended, took: Duration) {
        self.reconciles
            .get_or_create(&Reconcile {
                result: ended.name(),
            })
            .observe(took.as_secs_f64());
    }

    /// An object left the queue.
    pub fn observe_wait(&self, waited: Duration) {
        self.queue_wait.observe(waited.as_secs_f64());
    }

    /// Takes how many objects are due, and how many wait for their time.
    pub fn show_queue(&self) -> impl Fn(usize, usize) + Send + Sync + use<> {
        show(self.queue_depth.clone(), self.queue_delayed.clone())
    }

    /// Private-key operations were done.
    pub fn count_private_operations(&self, number: usize) {
        self.private_operations.inc_by(number as u64);
    }

    /// Something was written.
    pub fn count_write(&self, written: Written) {
        self.writes.get_or_create(&written.labels()).inc();
    }

    /// Another controller wrote over us.
    pub fn count_rival(&self) {
        self.rivals.inc();
    }

    /// Whether this replica writes.
    pub fn set_leader(&self, leads: bool) {
        self.leader.set(i64::from(leads));
    }

    /// An HTTP request was answered.
    pub fn observe_http(
        &self,
        path: &'static str,
        method: &http::Method,
        code: u16,
        took: Duration,
    ) {
        let method = method_name(method);
        self.http_requests
            .get_or_create(&HttpRequest {
                path,
                code,
                method: method.clone(),
            })
            .inc();
        self.http_durations
            .get_or_create(&HttpDuration { path, method })
            .observe(took.as_secs_f64());
    }

    /// How many writes of a kind there have been.
    #[cfg(test)]
    pub(crate) fn written(&self, written: Written) -> u64 {
        self.writes.get_or_create(&written.labels()).get()
    }

    /// How many private-key operations there have been.
    #[cfg(test)]
    pub(crate) fn private_operations(&self) -> u64 {
        self.private_operations.get()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

impl Ended {
    fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Synced => "synced",
            Self::Failed => "failed",
        }
    }
}

impl Written {
    const ALL: [Self; 7] = [
        Self::SecretCreated,
        Self::SecretReplaced,
        Self::SecretDeleted,
        Self::Status,
        Self::Event,
        Self::Certificate,
        Self::Workload,
    ];

    fn labels(self) -> Write {
        let (object, verb) = match self {
            Self::SecretCreated => ("secret", "create"),
            Self::SecretReplaced => ("secret", "replace"),
            Self::SecretDeleted => ("secret", "delete"),
            Self::Status => ("status", "replace"),
            Self::Event => ("event", "create"),
            Self::Certificate => ("certificate", "apply"),
            Self::Workload => ("workload", "patch"),
        };
        Write { object, verb }
    }
}

/// A metric at zero that the registry knows.
fn registered<M>(registry: &mut Registry, name: &str, help: &str) -> M
where
    M: prometheus_client::registry::Metric + Clone + Default,
{
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

/// Methods that nobody should use are not told apart: their names come from the caller.
fn method_name(method: &http::Method) -> String {
    match *method {
        http::Method::GET
        | http::Method::POST
        | http::Method::HEAD
        | http::Method::PUT
        | http::Method::DELETE => method.as_str().to_ascii_lowercase(),
        _ => "other".to_owned(),
    }
}

#[cfg(test)]
mod tests;
