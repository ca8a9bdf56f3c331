//! What is counted of ExternalSecrets, under the peer's names.

use std::time::Duration;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use crate::object::ObjectKey;

/// Counters of ExternalSecrets; clones are the same counters.
#[derive(Clone, Debug, Default)]
pub struct ExternalMetrics {
    syncs: Family<Object, Counter>,
    errors: Family<Object, Counter>,
    durations: Family<Object, Gauge>,
    calls: Family<Request, Gauge>,
    depth: Gauge,
    delayed: Gauge,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Object {
    name: String,
    namespace: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Request {
    provider: &'static str,
    call: &'static str,
    status: &'static str,
}

impl ExternalMetrics {
    /// Adds them to what is served.
    pub fn register(&self, registry: &mut Registry) {
        registry.register(
            "externalsecret_sync_calls",
            "Reconciles of ExternalSecrets",
            self.syncs.clone(),
        );
        registry.register(
            "externalsecret_sync_calls_error",
            "Reconciles of ExternalSecrets that failed",
            self.errors.clone(),
        );
        registry.register(
            "externalsecret_reconcile_duration",
            "Duration of the last reconcile of each ExternalSecret, in nanoseconds",
            self.durations.clone(),
        );
        registry.register(
            "externalsecret_provider_api_calls_count",
            "Requests to stores",
            self.calls.clone(),
        );
        registry.register(
            "signet_external_queue_depth",
            "ExternalSecrets and stores that are due",
            self.depth.clone(),
        );
        registry.register(
            "signet_external_queue_delayed",
            "ExternalSecrets and stores that wait for their time",
            self.delayed.clone(),
        );
    }

    /// Takes how many objects are due, and how many wait for their time.
    pub fn show_queue(&self) -> impl Fn(usize, usize) + Send + Sync + use<> {
        super::show(self.depth.clone(), self.delayed.clone())
    }

    /// A reconcile begins.
    pub fn count_sync(&self, key: &ObjectKey) {
        self.syncs.get_or_create(&Object::of(key)).inc();
    }

    /// A reconcile failed.
    pub fn count_sync_error(&self, key: &ObjectKey) {
        self.errors.get_or_create(&Object::of(key)).inc();
    }

    /// A reconcile has ended.
    pub fn observe_reconcile(&self, key: &ObjectKey, took: Duration) {
        let nanoseconds = i64::try_from(took.as_nanos()).unwrap_or(i64::MAX);
        self.durations
            .get_or_create(&Object::of(key))
            .set(nanoseconds);
    }

    /// A store was asked.
    pub fn count_call(&self, provider: &'static str, call: &'static str, ok: bool) {
        let status = if ok { "success" } else { "error" };
        let call = Request {
            provider,
            call,
            status,
        };
        self.calls.get_or_create(&call).inc();
    }
}

impl Object {
    fn of(key: &ObjectKey) -> Self {
        Self {
            name: key.name.clone(),
            namespace: key.namespace.clone(),
        }
    }
}
