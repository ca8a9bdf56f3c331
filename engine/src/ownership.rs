//! Whose an existing Secret is, and so what may be done with it.
//!
//! A SealedSecret gives its author no right over Secrets that he could not write himself: one that
//! exists already is touched only when it belongs to the SealedSecret, or when its owner says so by
//! an annotation on the Secret itself.

use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use signet_crds::constants::annotation;
use signet_crds::sealed_secret::{SealedSecret, TargetMode};

/// The relation of an existing Secret to a SealedSecret of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Ours: what others added to its metadata stays.
    Owned,
    /// Given to us as a whole: it becomes what is described, and ours.
    Handed,
    /// What it holds stays, and we add to it.
    Patched {
        /// It becomes ours as well.
        handed: bool,
        /// It is ours already.
        owned: bool,
    },
    /// Written by us on request without an owner, so only the status knows. Enough to leave it
    /// alone, not to overwrite it: a status can be written by others than us.
    Released,
    /// It belongs to a SealedSecret of this name that is gone, and goes away with it.
    Orphaned,
    /// Somebody else's.
    Foreign,
}

impl Relation {
    /// Decides by owner references, by the annotations on the Secret, and last by the status.
    pub fn of(sealed: &SealedSecret, secret: &Secret) -> Self {
        let (managed, patch) = (
            has(secret, annotation::MANAGED),
            has(secret, annotation::PATCH),
        );
        let controller = controller(secret);
        let owned =
            controller.is_some_and(|owner| Some(&owner.uid) == sealed.metadata.uid.as_ref());
        if patch {
            Self::Patched {
                handed: managed,
                owned,
            }
        } else if owned {
            Self::Owned
        } else if managed {
            Self::Handed
        } else if controller.is_some_and(|owner| is_namesake(owner, sealed)) {
            Self::Orphaned
        } else if is_released(sealed, secret) {
            Self::Released
        } else {
            Self::Foreign
        }
    }

    /// How the status names the relation once the Secret is written.
    pub fn mode(self) -> TargetMode {
        match self {
            Self::Patched {
                handed: false,
                owned: false,
            } => TargetMode::Patched,
            _ => TargetMode::Owned,
        }
    }
}

/// The owner that controls a Secret.
pub(crate) fn controller(secret: &Secret) -> Option<&OwnerReference> {
    let owners = secret.metadata.owner_references.iter().flatten();
    owners
        .into_iter()
        .find(|owner| owner.controller == Some(true))
}

fn is_namesake(owner: &OwnerReference, sealed: &SealedSecret) -> bool {
    owner.kind == "SealedSecret"
        && owner.api_version.starts_with("bitnami.com/")
        && Some(&owner.name) == sealed.metadata.name.as_ref()
}

fn is_released(sealed: &SealedSecret, secret: &Secret) -> bool {
    let applied = sealed
        .status
        .as_ref()
        .and_then(|status| status.applied.as_ref());
    let ours = applied.filter(|applied| applied.mode == TargetMode::Owned);
    ours.is_some_and(|applied| Some(&applied.secret_uid) == secret.metadata.uid.as_ref())
}

fn has(secret: &Secret, name: &str) -> bool {
    let annotations = secret.metadata.annotations.as_ref();
    annotations
        .and_then(|all| all.get(name))
        .is_some_and(|value| value == "true")
}
