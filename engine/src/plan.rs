//! What to do to the Secret in the cluster.

use k8s_openapi::api::core::v1::Secret;
use signet_crds::constants::{annotation, label};
use signet_crds::sealed_secret::{SealedSecret, TargetMode};

use crate::attention;
use crate::desired::DesiredSecret;
use crate::manifest::SecretManifest;
use crate::ownership::Relation;
use crate::policy::Policy;
use crate::recognise;
use crate::unseal::Unsealed;

mod merge;
mod refusal;

pub use refusal::Refusal;

/// What to do, and how the Secret relates to the SealedSecret after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The one thing to do.
    pub action: Action,
    /// To be remembered in the status.
    pub mode: TargetMode,
}

/// The one thing to do to the Secret.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Make it. If it exists by then, the API server says so, and the next attempt sees it.
    Create(SecretManifest),
    /// Write it whole. It carries the UID and the resource version that were observed, so a change in
    /// between fails the write and nothing of anybody is lost.
    Replace(SecretManifest),
    /// Delete the one with this UID and resource version, then make the other: what Kubernetes asks
    /// for to change an immutable Secret or its type. Only on its author's request.
    Recreate {
        /// Precondition of the deletion.
        uid: String,
        /// Precondition of the deletion.
        resource_version: String,
        /// The Secret to make.
        create: SecretManifest,
    },
    /// Nothing: it is as described.
    Keep,
    /// Nothing: others changed it, and repairing that is switched off.
    LeaveDrift,
    /// Nothing: it may not be written, and why.
    Refuse(Refusal),
}

/// Compares the Secret as described with the one in the cluster. `observed` is the Secret as read
/// after the decision to work on it, or `None` when there is none.
///
/// # Guarantees
///
/// A Secret that is neither the SealedSecret's own nor opened to it by an annotation of its own is
/// never written, and neither is one that would be taken for a sealing key. Nothing is written that would change nothing. Items of a Secret that belongs to
/// the SealedSecret become exactly the described ones; labels and annotations that others set stay.
pub fn plan(
    sealed: &SealedSecret,
    unsealed: &Unsealed,
    observed: Option<&Secret>,
    policy: &Policy,
) -> Plan {
    if is_sealing_key(&unsealed.secret, policy) {
        let name = unsealed.secret.name.clone();
        return Plan {
            action: Action::Refuse(Refusal::SealingKey(name)),
            mode: TargetMode::Owned,
        };
    }
    let Some(secret) = observed else {
        return absent(sealed, unsealed, policy);
    };
    let relation = Relation::of(sealed, secret);
    Plan {
        action: present(sealed, unsealed, secret, relation, policy),
        mode: relation.mode(),
    }
}

fn is_sealing_key(desired: &DesiredSecret, policy: &Policy) -> bool {
    let place = (desired.namespace.as_deref(), desired.name.as_str());
    let unlabelled = policy.unlabelled_key.as_ref();
    desired.labels.contains_key(label::SEALING_KEY)
        || unlabelled
            .is_some_and(|(namespace, name)| place == (Some(namespace.as_str()), name.as_str()))
}

fn absent(sealed: &SealedSecret, unsealed: &Unsealed, policy: &Policy) -> Plan {
    let applied = recognise::applied_to(sealed, policy);
    if applied.is_some_and(|applied| applied.mode == TargetMode::Patched) {
        // It was somebody else's to make, and nothing new is asked of us.
        let action = Action::Refuse(Refusal::TargetGone(unsealed.secret.name.clone()));
        return Plan {
            action,
            mode: TargetMode::Patched,
        };
    }
    Plan {
        action: Action::Create(unsealed.secret.manifest()),
        mode: TargetMode::Owned,
    }
}

fn present(
    sealed: &SealedSecret,
    unsealed: &Unsealed,
    secret: &Secret,
    relation: Relation,
    policy: &Policy,
) -> Action {
    let desired = &unsealed.secret;
    let name = || desired.name.clone();
    if secret.metadata.deletion_timestamp.is_some() {
        return Action::Refuse(Refusal::Terminating(name()));
    }
    match relation {
        Relation::Foreign => return Action::Refuse(Refusal::Foreign(name())),
        Relation::Orphaned => return Action::Refuse(Refusal::Orphaned(name())),
        Relation::Owned | Relation::Handed | Relation::Patched { .. } | Relation::Released => {}
    }
    let merged = merge::merge(sealed, desired, secret, relation);
    if merge::is_same(merged.expose(), secret) {
        return Action::Keep;
    }
    if relation == Relation::Released {
        return Action::Refuse(Refusal::Foreign(name()));
    }
    if !repairs_drift(sealed, policy) && is_drift(sealed, secret, policy) {
        return Action::LeaveDrift;
    }
    let obstacle = merge::obstacle(merged.expose(), secret);
    let own = relation.mode() == TargetMode::Owned;
    match obstacle {
        None => Action::Replace(merged),
        Some(_) if own && attention::has(sealed, annotation::RECREATE_IMMUTABLE, "true") => {
            Action::Recreate {
                uid: secret.metadata.uid.clone().unwrap_or_default(),
                resource_version: secret.metadata.resource_version.clone().unwrap_or_default(),
                create: merge::anew(&merged, desired),
            }
        }
        Some(merge::Obstacle::Immutable) => {
            let namespace = desired.namespace.clone().unwrap_or_default();
            Action::Refuse(Refusal::Immutable {
                namespace,
                name: name(),
            })
        }
        Some(merge::Obstacle::Type { from, to }) => Action::Refuse(Refusal::TypeChange {
            name: name(),
            from,
            to,
        }),
    }
}

fn repairs_drift(sealed: &SealedSecret, policy: &Policy) -> bool {
    let off = attention::has(sealed, annotation::DRIFT_REPAIR, "false");
    let on = attention::has(sealed, annotation::DRIFT_REPAIR, "true");
    on || (policy.drift_repair && !off)
}

/// Whether the difference comes from others: this very SealedSecret was applied to this very Secret.
fn is_drift(sealed: &SealedSecret, secret: &Secret, policy: &Policy) -> bool {
    let applied = recognise::applied_to(sealed, policy);
    applied.is_some_and(|applied| Some(&applied.secret_uid) == secret.metadata.uid.as_ref())
}

#[cfg(test)]
mod tests;
