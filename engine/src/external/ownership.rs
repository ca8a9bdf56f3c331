//! Whose an existing Secret is, and so what may be done with it.

use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use signet_crds::external::constants::{GROUP, annotation, label};
use signet_crds::external::external_secret::{CreationPolicy, ExternalSecret};

use super::hash;
use super::policy::Policy;

/// Why an existing Secret may not be written or deleted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Another ExternalSecret owns it.
    #[error(
        "target is owned by another ExternalSecret: Secret `{name}` belongs to `{owner}`; give one of the two another target.name"
    )]
    OtherOwner {
        /// Name of the Secret.
        name: String,
        /// Name of the other ExternalSecret.
        owner: String,
    },
    /// Something else controls it.
    #[error(
        "failed to take ownership of target secret: Secret `{name}` is controlled by {owner}; use creationPolicy Merge to add to it, or another target.name"
    )]
    Controlled {
        /// Name of the Secret.
        name: String,
        /// Kind and name of what controls it.
        owner: String,
    },
    /// Nobody knows who made it, and it would be lost.
    #[error(
        "Secret `{0}` exists and was not made by an ExternalSecret, so what it holds is not replaced; annotate the Secret with signet.dev/adopt: \"true\" to allow that, use creationPolicy Merge or CreateOrMerge to add to it, or another target.name"
    )]
    Foreign(String),
    /// It goes away.
    #[error("Secret `{0}` is being deleted; it is made anew when it is gone")]
    Terminating(String),
    /// It cannot change.
    #[error(
        "could not update secret, target is immutable: Secret `{0}` would have to change; delete it, and it is made anew"
    )]
    Immutable(String),
    /// Kubernetes does not let the type change.
    #[error(
        "could not update secret: Secret `{name}` has the type `{from}`, which cannot become `{to}`; delete it, and it is made anew"
    )]
    TypeChange {
        /// Name of the Secret.
        name: String,
        /// Its type.
        from: String,
        /// What is asked for.
        to: String,
    },
    /// It is not the ExternalSecret's own.
    #[error(
        "could not delete secret: Secret `{0}` does not belong to this ExternalSecret, so deletionPolicy Delete leaves it; remove it by hand, or use deletionPolicy Retain"
    )]
    NotOwn(String),
}

/// Checks that an existing Secret may be written.
///
/// A Secret that was made by an ExternalSecret is known by its labels or its owner; what somebody else
/// made is not replaced unless the Secret itself, or the administrator, says so. The policies that
/// merge replace nothing.
pub(super) fn may_write(
    external: &ExternalSecret,
    secret: &Secret,
    policy: &Policy,
) -> Result<(), Refusal> {
    let metadata = &secret.metadata;
    let name = metadata.name.clone().unwrap_or_default();
    if metadata.deletion_timestamp.is_some() {
        return Err(Refusal::Terminating(name));
    }
    let creation = external.spec.target.creation_policy;
    let controller = controller(metadata);
    if let Some(owner) = controller {
        if is_external(owner) && !is(owner, external) {
            let owner = owner.name.clone();
            return Err(Refusal::OtherOwner { name, owner });
        }
        if creation == CreationPolicy::Owner && !is_external(owner) {
            let owner = format!("{} `{}`", owner.kind, owner.name);
            return Err(Refusal::Controlled { name, owner });
        }
    }
    let replaces = matches!(creation, CreationPolicy::Owner | CreationPolicy::Orphan);
    let is_made = is_managed(metadata) || controller.is_some_and(is_external);
    let is_given = has(metadata, annotation::ADOPT) || policy.takes_over;
    if replaces && !is_made && !is_given && !is_empty(secret) {
        return Err(Refusal::Foreign(name));
    }
    Ok(())
}

/// Checks that an existing Secret may be deleted because nothing is left in the stores.
pub(super) fn may_delete(external: &ExternalSecret, secret: &Secret) -> Result<(), Refusal> {
    let owner = controller(&secret.metadata);
    if owner.is_some_and(|owner| is_same(owner, external)) {
        return Ok(());
    }
    let name = secret.metadata.name.clone().unwrap_or_default();
    Err(Refusal::NotOwn(name))
}

/// Whether a Secret was this ExternalSecret's target under another name, and nobody's now.
pub fn is_left_behind(external: &ExternalSecret, secret: &ObjectMeta) -> bool {
    let metadata = &external.metadata;
    let own = metadata.name.as_deref().unwrap_or_default();
    let namespace = metadata.namespace.as_deref().unwrap_or_default();
    let labels = secret.labels.as_ref();
    let creator = labels.and_then(|labels| labels.get(label::CREATED_BY));
    let target = external.spec.target.name(own);
    secret.namespace == metadata.namespace
        && secret.name.as_deref().is_some_and(|name| name != target)
        && creator.is_some_and(|creator| *creator == hash::of_creator(namespace, own))
        && controller(secret).is_some_and(|owner| is_same(owner, external))
}

/// The reference by which a Secret belongs to the ExternalSecret; none outside of a cluster.
pub(super) fn owner(external: &ExternalSecret) -> Option<OwnerReference> {
    Some(OwnerReference {
        api_version: format!("{GROUP}/v1"),
        kind: "ExternalSecret".to_owned(),
        name: external.metadata.name.clone()?,
        uid: external
            .metadata
            .uid
            .clone()
            .filter(|uid| !uid.is_empty())?,
        controller: Some(true),
        block_owner_deletion: Some(true),
    })
}

/// Whether an owner is this ExternalSecret, or one of its name that is gone: after a restore it has
/// another UID.
pub(super) fn is(owner: &OwnerReference, external: &ExternalSecret) -> bool {
    is_external(owner) && Some(&owner.name) == external.metadata.name.as_ref()
}

fn is_same(owner: &OwnerReference, external: &ExternalSecret) -> bool {
    is_external(owner) && Some(&owner.uid) == external.metadata.uid.as_ref()
}

fn is_external(owner: &OwnerReference) -> bool {
    let group = owner.api_version.split_once('/').map(|(group, _)| group);
    owner.kind == "ExternalSecret" && group == Some(GROUP)
}

fn controller(metadata: &ObjectMeta) -> Option<&OwnerReference> {
    let mut owners = metadata.owner_references.iter().flatten();
    owners.find(|owner| owner.controller == Some(true))
}

fn is_managed(metadata: &ObjectMeta) -> bool {
    let labels = metadata.labels.as_ref();
    let labels = |name| labels.and_then(|labels| labels.get(name));
    labels(label::MANAGED).is_some_and(|value| value == label::MANAGED_VALUE)
        || labels(label::CREATED_BY).is_some()
}

fn has(metadata: &ObjectMeta, name: &str) -> bool {
    let annotations = metadata.annotations.as_ref();
    annotations
        .and_then(|all| all.get(name))
        .is_some_and(|value| value == "true")
}

/// There is nothing to lose.
fn is_empty(secret: &Secret) -> bool {
    secret
        .data
        .as_ref()
        .is_none_or(std::collections::BTreeMap::is_empty)
}
