//! Why a Secret is not written.

use crate::text;

/// A reason in the cluster for not writing the Secret. `Display` says what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A Secret of this name exists and is somebody else's. The first words are matched by scripts.
    #[error(
        "Resource {0:?} already exists and is not managed by SealedSecret: delete it, or annotate it \
         with sealedsecrets.bitnami.com/managed: \"true\" to have it overwritten, or with \
         sealedsecrets.bitnami.com/patch: \"true\" to have the items added"
    )]
    Foreign(String),
    /// Its data would have to change, and it is immutable.
    #[error(
        "Error updating {namespace}/{name}: the target Secret is immutable: delete it, or annotate \
         the SealedSecret with signet.dev/recreate-immutable: \"true\" to have it made again"
    )]
    Immutable {
        /// Namespace of the Secret.
        namespace: String,
        /// Name of the Secret.
        name: String,
    },
    /// It belongs to an earlier SealedSecret of the same name.
    #[error(
        "Resource {0:?} belongs to an earlier SealedSecret of the same name: it is made again when \
         garbage collection has removed it"
    )]
    Orphaned(String),
    /// It would be taken for a sealing key, which whoever may create SealedSecrets in the controller's
    /// namespace could thereby plant. Refused everywhere, so that it does not depend on the place.
    #[error(
        "Resource {0:?} would be taken for a sealing key: take the label \
         sealedsecrets.bitnami.com/sealed-secrets-key off the template, or choose another name; a key \
         of your own is a Secret, and is brought as one"
    )]
    SealingKey(String),
    /// It was somebody else's, was added to, and is gone.
    #[error(
        "Resource {0:?}, which this SealedSecret adds to, does not exist any more: its owner has to \
         make it again; a change of the SealedSecret makes one that belongs to the SealedSecret"
    )]
    TargetGone(String),
    /// It is about to go.
    #[error("Resource {0:?} is being deleted: it is made again when it is gone")]
    Terminating(String),
    /// Its type would have to change, which Kubernetes does not allow.
    #[error(
        "Resource {name:?} has the type {} and would need {}: set spec.template.type, or delete \
         it, or annotate the SealedSecret with signet.dev/recreate-immutable: \"true\" to have it made \
         again",
        text::name(from),
        text::name(to)
    )]
    TypeChange {
        /// Name of the Secret.
        name: String,
        /// The type that it has.
        from: String,
        /// The type that it should have.
        to: String,
    },
}
