//! Restart of the workloads that use a changed Secret, for SealedSecrets that ask for it.
//!
//! As `kubectl rollout restart` does: an annotation of the pod template changes, and the workload's
//! controller rolls.

use std::fmt::Debug;

use jiff::Timestamp;
use k8s_openapi::{
    NamespaceResourceScope,
    api::{
        apps::v1::{DaemonSet, Deployment, StatefulSet},
        core::v1::{Container, PodSpec, Volume},
    },
};
use kube::{
    Api, Client, Resource, ResourceExt,
    api::{ListParams, Patch, PatchParams},
};
use serde::de::DeserializeOwned;
use serde_json::json;
use signet_crds::constants::annotation;
use tracing::info;

use crate::{
    api::{ApiError, ask},
    client::FIELD_MANAGER,
    metrics::{Metrics, Written},
    object::ObjectKey,
};

/// Restarts the Deployments, StatefulSets and DaemonSets of the namespace that use the Secret;
/// returns how many.
pub async fn workloads_using(
    secret: &ObjectKey,
    client: &Client,
    metrics: &Metrics,
    now: Timestamp,
) -> Result<usize, ApiError> {
    let deployments = restart::<Deployment>(secret, client, metrics, now).await?;
    let stateful_sets = restart::<StatefulSet>(secret, client, metrics, now).await?;
    let daemon_sets = restart::<DaemonSet>(secret, client, metrics, now).await?;
    Ok(deployments + stateful_sets + daemon_sets)
}

async fn restart<W>(
    secret: &ObjectKey,
    client: &Client,
    metrics: &Metrics,
    now: Timestamp,
) -> Result<usize, ApiError>
where
    W: Workload,
{
    let api: Api<W> = Api::namespaced(client.clone(), &secret.namespace);
    let patch = json!({"spec": {"template": {"metadata": {"annotations": {annotation::RESTARTED_AT: now.to_string()}}}}});
    let params = PatchParams {
        field_manager: Some(FIELD_MANAGER.into()),
        ..Default::default()
    };
    let mut restarted = 0;
    for workload in ask(api.list(&ListParams::default())).await? {
        if !workload.pod().is_some_and(|pod| uses(pod, &secret.name)) {
            continue;
        }
        let name = workload.name_any();
        match ask(api.patch(&name, &params, &Patch::Merge(&patch))).await {
            Ok(_) => restarted += 1,
            // Deleted since the list.
            Err(ApiError::NotFound) => continue,
            Err(error) => return Err(error),
        }
        metrics.count_write(Written::Workload);
        info!(secret = %secret, kind = %W::kind(&()), %name, "restarted a workload whose Secret has changed");
    }
    Ok(restarted)
}

/// What has a pod template.
trait Workload:
    Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + Clone
    + Debug
    + DeserializeOwned
    + Send
    + Sync
{
    /// The pods that it makes.
    fn pod(&self) -> Option<&PodSpec>;
}

impl Workload for Deployment {
    fn pod(&self) -> Option<&PodSpec> {
        self.spec.as_ref()?.template.spec.as_ref()
    }
}

impl Workload for StatefulSet {
    fn pod(&self) -> Option<&PodSpec> {
        self.spec.as_ref()?.template.spec.as_ref()
    }
}

impl Workload for DaemonSet {
    fn pod(&self) -> Option<&PodSpec> {
        self.spec.as_ref()?.template.spec.as_ref()
    }
}

/// Whether a pod reads the Secret, as a volume or in its environment.
fn uses(pod: &PodSpec, secret: &str) -> bool {
    let mut volumes = pod.volumes.iter().flatten();
    let mut containers = pod
        .containers
        .iter()
        .chain(pod.init_containers.iter().flatten());
    volumes.any(|volume| mounts(volume, secret))
        || containers.any(|container| reads(container, secret))
}

fn mounts(volume: &Volume, secret: &str) -> bool {
    let direct = volume
        .secret
        .as_ref()
        .and_then(|source| source.secret_name.as_deref());
    let projected = volume
        .projected
        .as_ref()
        .and_then(|projected| projected.sources.as_ref());
    let mut within = projected
        .into_iter()
        .flatten()
        .filter_map(|source| source.secret.as_ref());
    direct == Some(secret) || within.any(|source| source.name == secret)
}

fn reads(container: &Container, secret: &str) -> bool {
    let mut whole = container
        .env_from
        .iter()
        .flatten()
        .filter_map(|source| source.secret_ref.as_ref());
    let variables = container
        .env
        .iter()
        .flatten()
        .filter_map(|variable| variable.value_from.as_ref());
    let mut single = variables.filter_map(|source| source.secret_key_ref.as_ref());
    whole.any(|reference| reference.name == secret)
        || single.any(|reference| reference.name == secret)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::Cluster;

    fn pod(spec: serde_json::Value) -> PodSpec {
        serde_json::from_value(spec).unwrap()
    }

    #[test]
    fn every_way_in_which_a_pod_can_read_a_secret_counts() {
        for spec in [
            json!({"containers": [{"name": "c", "env": [{"name": "P", "valueFrom": {"secretKeyRef": {"name": "db", "key": "p"}}}]}]}),
            json!({"containers": [{"name": "c", "envFrom": [{"secretRef": {"name": "db"}}]}]}),
            json!({"containers": [], "initContainers": [{"name": "i", "envFrom": [{"secretRef": {"name": "db"}}]}]}),
            json!({"containers": [], "volumes": [{"name": "v", "secret": {"secretName": "db"}}]}),
            json!({"containers": [], "volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "db"}}]}}]}),
        ] {
            assert!(uses(&pod(spec.clone()), "db"), "{spec}");
            assert!(!uses(&pod(spec), "other"));
        }
    }

    #[tokio::test]
    async fn only_workloads_that_use_the_secret_are_restarted() {
        let cluster = Cluster::new();
        for (name, secret) in [("web", "db"), ("idle", "other")] {
            let template = json!({"spec": {"containers": [{"name": "c", "envFrom": [{"secretRef": {"name": secret}}]}]}});
            let object =
                json!({"metadata": {"name": name}, "spec": {"selector": {}, "template": template}});
            cluster.put("/apis/apps/v1/namespaces/team/deployments", object);
        }
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let metrics = Metrics::new("v0", Vec::new());
        let restarted = workloads_using(
            &ObjectKey::new("team", "db"),
            &cluster.client(),
            &metrics,
            now,
        )
        .await;
        assert_eq!(restarted, Ok(1));
        let at = |name: &str| {
            let object = cluster
                .get(&format!("/apis/apps/v1/namespaces/team/deployments/{name}"))
                .unwrap();
            object["spec"]["template"]["metadata"]["annotations"]["signet.dev/restarted-at"].clone()
        };
        assert_eq!(
            (at("web"), at("idle")),
            (json!("2026-01-01T00:00:00Z"), serde_json::Value::Null)
        );
    }
}
