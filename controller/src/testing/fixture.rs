//! A controller without watches and workers: what has happened in the cluster is fed to it, and
//! each object that is due is worked on in turn.

use std::sync::Arc;

use k8s_openapi::api::core::v1::{Event, Secret};
use serde_json::{Value, json};
use signet_crds::sealed_secret::{Condition, SealedSecret};
use tokio::sync::mpsc;

use super::{Cluster, ring_of, seal, sealed_secret, test_key};
use crate::{
    args::Args,
    context::{Context, Settings},
    events::Events,
    health::Health,
    keys::Loaded,
    lease::Leadership,
    metrics::{Metrics, Written},
    object::ObjectKey,
    pool::Pool,
    reconcile,
    ring::Ring,
    rival::Rivals,
    store::{SealedSecrets, Targets},
    unwritten::Unwritten,
    vacancy::Vacancies,
    watch::{self, Source},
    work::Work,
};

pub(crate) const SEALED: &str = "/apis/bitnami.com/v1alpha1/namespaces/team/sealedsecrets";
pub(crate) const SECRETS: &str = "/api/v1/namespaces/team/secrets";
pub(crate) const VALUE: &[u8] = b"canary-password";

pub(crate) struct Controller {
    pub(crate) cluster: Cluster,
    pub(crate) context: Arc<Context>,
    events: mpsc::Receiver<Event>,
}

impl Controller {
    pub(crate) fn new(cluster: &Cluster) -> Self {
        Self::with_flags(cluster, &[])
    }

    /// A controller that has just started on the cluster, with nothing seen yet.
    pub(crate) fn with_flags(cluster: &Cluster, flags: &[&str]) -> Self {
        let args =
            Args::parse_from(std::iter::once("controller").chain(flags.iter().copied())).unwrap();
        let (sealed, ring) = (
            Arc::new(SealedSecrets::default()),
            Arc::new(Ring::default()),
        );
        ring.replace(ring_of(&[test_key()]));
        let metrics = Metrics::new("v0", Vec::new());
        let (events_in, events) = Events::channel();
        let context = Arc::new(Context {
            client: cluster.client(),
            settings: Settings::new(&args, "kube-system".into()),
            sealed,
            targets: Targets::default(),
            keys: Loaded::new(&args.keys),
            health: Arc::new(Health::new(ring.clone(), false)),
            ring,
            work: Work::new(1, metrics.show_queue()),
            pool: Pool::new(1),
            metrics,
            leadership: Leadership::channel(true).1,
            events: events_in,
            rivals: Rivals::default(),
            gone: std::sync::Mutex::default(),
            vacancies: Vacancies::default(),
            unwritten: Unwritten::default(),
        });
        Self {
            cluster: cluster.clone(),
            context,
            events,
        }
    }

    /// Lets the controller see the SealedSecrets and the Secrets as they are now.
    pub(crate) fn see(&self) {
        for object in self.cluster.list(SEALED) {
            watch::keep(
                &self.context,
                serde_json::from_value(object).unwrap(),
                Source::Watch,
            );
        }
        for object in self.cluster.list(SECRETS) {
            let secret: Secret = serde_json::from_value(object).unwrap();
            watch::target_changed(&self.context, ObjectKey::of(&secret), secret.metadata);
        }
    }

    /// Works on what is due, and returns how many objects that were.
    pub(crate) async fn work(&self) -> usize {
        let mut worked = 0;
        loop {
            let next = tokio::time::timeout(
                std::time::Duration::from_millis(20),
                self.context.work.next(),
            )
            .await;
            let Ok(turn) = next else { return worked };
            reconcile::run(&self.context, &turn.key).await;
            self.context.work.done(&turn.key);
            worked += 1;
        }
    }

    /// [`Self::see`] and [`Self::work`].
    pub(crate) async fn settle(&self) -> usize {
        self.see();
        self.work().await
    }

    /// Works on one object whether it is due or not.
    pub(crate) async fn once(&self, name: &str) {
        reconcile::run(&self.context, &ObjectKey::new("team", name)).await;
    }

    /// The events so far, as `reason: message`.
    pub(crate) fn events(&mut self) -> Vec<String> {
        let events = std::iter::from_fn(|| self.events.try_recv().ok());
        events
            .map(|event| {
                format!(
                    "{}: {}",
                    event.reason.unwrap_or_default(),
                    event.message.unwrap_or_default()
                )
            })
            .collect()
    }

    /// The conditions of an object as `type=status (reason)`.
    pub(crate) fn conditions(&self, name: &str) -> Vec<String> {
        let show = |condition: &Condition| {
            format!(
                "{}={} ({})",
                condition.type_, condition.status, condition.reason
            )
        };
        self.sealed(name)
            .status
            .unwrap_or_default()
            .conditions
            .iter()
            .map(show)
            .collect()
    }

    /// The message of an object's first condition.
    pub(crate) fn message(&self, name: &str) -> String {
        self.sealed(name)
            .status
            .unwrap_or_default()
            .conditions
            .first()
            .map(|c| c.message.clone())
            .unwrap_or_default()
    }

    pub(crate) fn sealed(&self, name: &str) -> SealedSecret {
        serde_json::from_value(self.cluster.get(&format!("{SEALED}/{name}")).unwrap()).unwrap()
    }

    /// A value of a Secret, if both are there.
    pub(crate) fn value(&self, name: &str, item: &str) -> Option<Vec<u8>> {
        let secret: Secret =
            serde_json::from_value(self.cluster.get(&format!("{SECRETS}/{name}"))?).unwrap();
        secret.data?.get(item).map(|value| value.0.clone())
    }

    pub(crate) fn written(&self, written: Written) -> u64 {
        self.context.metrics.written(written)
    }
}

/// A cluster with one SealedSecret `team/db`, item `password`, that opens to [`VALUE`].
pub(crate) fn cluster_with_db() -> Cluster {
    let cluster = Cluster::new();
    cluster.put(SEALED, db());
    cluster
}

pub(crate) fn db() -> Value {
    object(sealed_secret(
        "team",
        "db",
        &[("password", &seal("team/db", VALUE))],
    ))
}

pub(crate) fn object(sealed: SealedSecret) -> Value {
    serde_json::to_value(sealed).unwrap()
}

/// A Secret that somebody else made.
pub(crate) fn foreign(name: &str) -> Value {
    json!({"metadata": {"name": name}, "data": {"theirs": "eA=="}, "type": "Opaque"})
}

/// Changes an object as somebody else would.
pub(crate) fn edit(
    cluster: &Cluster,
    collection: &str,
    name: &str,
    change: impl FnOnce(&mut Value),
) {
    let mut object = cluster.get(&format!("{collection}/{name}")).unwrap();
    change(&mut object);
    cluster.put(collection, object);
}
