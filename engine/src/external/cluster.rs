//! ClusterExternalSecrets: the same ExternalSecret in many namespaces.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use signet_crds::constants::condition_status;
use signet_crds::external::cluster_external_secret::{
    ClusterExternalSecret, ClusterExternalSecretStatus, NamespaceFailure,
};
use signet_crds::external::constants::{GROUP, annotation, finalizer, message};
use signet_crds::external::external_secret::ExternalSecret;

use crate::outcome::Remedy;

use super::conditions::{self, READY, Verdict};
use super::store::selects;

/// What to do in one namespace.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Make the ExternalSecret.
    Create(ExternalSecret),
    /// Write it whole. It carries the resource version that was observed.
    Update(ExternalSecret),
    /// Nothing: it is as it should be.
    Keep {
        /// Where.
        namespace: String,
    },
    /// Delete the one with this UID: its namespace is selected no more, or it has another name now.
    Delete {
        /// Where.
        namespace: String,
        /// Its name.
        name: String,
        /// Precondition of the deletion.
        uid: String,
    },
    /// Nothing: one of that name is there and somebody else's.
    Refuse {
        /// Where, and why.
        failure: NamespaceFailure,
    },
}

/// Compares what should be with what is there.
///
/// `namespaces` are all of the cluster, as metadata; `existing` are at least the ExternalSecrets that
/// belong to this resource, and those of the child's name in any namespace. A namespace that is being
/// deleted is left alone, and none ever gets a finalizer: it would keep it from going away
/// (external-secrets#5426).
pub fn plan(
    cluster: &ClusterExternalSecret,
    namespaces: &[ObjectMeta],
    existing: &[ExternalSecret],
) -> Vec<Step> {
    let selected = selected(cluster, namespaces);
    let name = child_name(cluster);
    let mut steps = Vec::new();
    for namespace in &selected {
        let there = existing.iter().find(|external| {
            external.metadata.namespace.as_ref() == Some(namespace)
                && external.metadata.name.as_deref() == Some(name)
        });
        steps.push(step(cluster, namespace, there));
    }
    for external in existing
        .iter()
        .filter(|external| is_child(cluster, external))
    {
        let metadata = &external.metadata;
        let namespace = metadata.namespace.clone().unwrap_or_default();
        let is_wanted = selected.contains(&namespace) && metadata.name.as_deref() == Some(name);
        if !is_wanted && metadata.deletion_timestamp.is_none() {
            steps.push(Step::Delete {
                namespace,
                name: metadata.name.clone().unwrap_or_default(),
                uid: metadata.uid.clone().unwrap_or_default(),
            });
        }
    }
    steps
}

/// The finalizers of a namespace without the one that the peer put there for this resource; `None` if it
/// has none, and nothing is to be written.
pub fn without_finalizer(
    cluster: &ClusterExternalSecret,
    namespace: &ObjectMeta,
) -> Option<Vec<String>> {
    let own = cluster.metadata.name.as_deref().unwrap_or_default();
    let theirs = format!("{}{own}", finalizer::NAMESPACE_PREFIX);
    let finalizers = namespace.finalizers.as_ref()?;
    let rest: Vec<_> = finalizers
        .iter()
        .filter(|name| **name != theirs)
        .cloned()
        .collect();
    (rest.len() < finalizers.len()).then_some(rest)
}

/// The status after the steps were taken; `None` when the present one says it already. `failed` has the
/// reason for each namespace in which a step failed or was refused. `Ready` stays last, where Argo CD
/// looks.
pub fn after(
    cluster: &ClusterExternalSecret,
    provisioned: &BTreeSet<String>,
    failed: &BTreeMap<String, String>,
    now: Timestamp,
) -> Option<ClusterExternalSecretStatus> {
    let before = cluster.status.clone().unwrap_or_default();
    let generation = cluster.metadata.generation;
    let verdict = if failed.is_empty() {
        Verdict {
            status: condition_status::TRUE,
            reason: "Provisioned",
            message: String::new(),
            remedy: None,
        }
    } else {
        Verdict {
            status: condition_status::FALSE,
            reason: "NamespacesFailed",
            message: message::NAMESPACES_FAILED.to_owned(),
            remedy: Some(Remedy::Retry),
        }
    };
    let mut conditions = conditions::after(&before.conditions, &verdict, generation, now);
    conditions.sort_by_key(|condition| condition.type_ == READY);
    let failure = |(namespace, reason): (&String, &String)| NamespaceFailure {
        namespace: namespace.clone(),
        reason: conditions::told(reason),
    };
    let after = ClusterExternalSecretStatus {
        external_secret_name: child_name(cluster).to_owned(),
        failed_namespaces: failed.iter().map(failure).collect(),
        provisioned_namespaces: provisioned.iter().cloned().collect(),
        observed_generation: generation,
        conditions,
    };
    (cluster.status.as_ref() != Some(&after)).then_some(after)
}

/// Name of the ExternalSecrets.
pub fn child_name(cluster: &ClusterExternalSecret) -> &str {
    let own = cluster.metadata.name.as_deref().unwrap_or_default();
    cluster.spec.external_secret_name.as_deref().unwrap_or(own)
}

/// Whether an ExternalSecret belongs to this resource.
pub fn is_child(cluster: &ClusterExternalSecret, external: &ExternalSecret) -> bool {
    let mut owners = external.metadata.owner_references.iter().flatten();
    owners.any(|owner| {
        let group = owner.api_version.split_once('/').map(|(group, _)| group);
        owner.controller == Some(true)
            && owner.kind == "ClusterExternalSecret"
            && group == Some(GROUP)
            && Some(&owner.name) == cluster.metadata.name.as_ref()
    })
}

fn selected(cluster: &ClusterExternalSecret, namespaces: &[ObjectMeta]) -> BTreeSet<String> {
    let spec = &cluster.spec;
    let none = BTreeMap::new();
    let stays = namespaces
        .iter()
        .filter(|namespace| namespace.deletion_timestamp.is_none());
    let fits = stays.filter(|namespace| {
        let labels = namespace.labels.as_ref().unwrap_or(&none);
        let mut selectors = spec
            .namespace_selectors
            .iter()
            .chain(&spec.namespace_selector);
        selectors.any(|selector| selects(selector, labels))
            || namespace
                .name
                .as_ref()
                .is_some_and(|name| spec.namespaces.contains(name))
    });
    fits.filter_map(|namespace| namespace.name.clone())
        .collect()
}

fn step(cluster: &ClusterExternalSecret, namespace: &str, there: Option<&ExternalSecret>) -> Step {
    let wanted = child(cluster, namespace);
    let Some(there) = there else {
        return Step::Create(wanted);
    };
    if !is_child(cluster, there) {
        let name = child_name(cluster);
        return Step::Refuse {
            failure: NamespaceFailure {
                namespace: namespace.to_owned(),
                reason: format!(
                    "external secret already exists in namespace: `{name}` does not belong to this ClusterExternalSecret; delete it, or choose another externalSecretName"
                ),
            },
        };
    }
    if is_same(there, &wanted) {
        return Step::Keep {
            namespace: namespace.to_owned(),
        };
    }
    let metadata = ObjectMeta {
        labels: wanted.metadata.labels,
        annotations: wanted.metadata.annotations,
        owner_references: wanted.metadata.owner_references,
        managed_fields: None,
        ..there.metadata.clone()
    };
    Step::Update(ExternalSecret {
        metadata,
        spec: wanted.spec,
        status: None,
    })
}

/// Spec, labels and annotations decide: what others add to them would make the stores be read again.
fn is_same(there: &ExternalSecret, wanted: &ExternalSecret) -> bool {
    let same = |a: &Option<BTreeMap<_, _>>, b: &Option<BTreeMap<String, String>>| {
        a.iter().flatten().eq(b.iter().flatten())
    };
    there.spec == wanted.spec
        && same(&there.metadata.labels, &wanted.metadata.labels)
        && same(&there.metadata.annotations, &wanted.metadata.annotations)
}

fn child(cluster: &ClusterExternalSecret, namespace: &str) -> ExternalSecret {
    let metadata = &cluster.spec.external_secret_metadata;
    let mut annotations = metadata.annotations.clone();
    let own = cluster.metadata.annotations.as_ref();
    if let Some(force) = own.and_then(|own| own.get(annotation::FORCE_SYNC)) {
        annotations.insert(annotation::FORCE_SYNC.to_owned(), force.clone());
    }
    let spec = cluster.spec.external_secret_spec.clone();
    let mut child = ExternalSecret::new(child_name(cluster), spec);
    child.metadata.namespace = Some(namespace.to_owned());
    child.metadata.labels = Some(metadata.labels.clone()).filter(|labels| !labels.is_empty());
    child.metadata.annotations = Some(annotations).filter(|all| !all.is_empty());
    child.metadata.owner_references = owner(cluster).map(|owner| vec![owner]);
    child
}

fn owner(cluster: &ClusterExternalSecret) -> Option<OwnerReference> {
    Some(OwnerReference {
        api_version: format!("{GROUP}/v1"),
        kind: "ClusterExternalSecret".to_owned(),
        name: cluster.metadata.name.clone()?,
        uid: cluster.metadata.uid.clone().filter(|uid| !uid.is_empty())?,
        controller: Some(true),
        block_owner_deletion: Some(true),
    })
}

#[cfg(test)]
mod tests;
