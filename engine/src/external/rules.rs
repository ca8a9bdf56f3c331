//! What an ExternalSecret may not say. The API server refuses most of it; a file that is rendered has met
//! none, and an installed resource definition may be older.

use signet_crds::external::external_secret::{
    CreationPolicy, DeletionPolicy, ExternalSecret, Template, TemplateTarget,
};

use super::outcome::Failure;
use super::sync_window::{SyncWindowError, Windows};

/// Something that makes no sense, or that nobody may do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// Only a Secret of its own is deleted.
    #[error(
        "deletionPolicy Delete needs creationPolicy Owner: only a Secret of its own is deleted"
    )]
    DeleteNotOwn,
    /// There is nothing to take items from.
    #[error("deletionPolicy Merge has nothing to take items from with creationPolicy None")]
    MergeNothing,
    /// A Secret that gives a credential to the cluster.
    #[error(
        "a Secret of type `{0}` would get a credential of the cluster, which an ExternalSecret may not ask for"
    )]
    Credential(&'static str),
    /// Another kind of object.
    #[error("target.manifest asks for {0} `{1}`; this version makes Secrets only")]
    Manifest(String, String),
    /// When refreshes are allowed is not said right.
    #[error(transparent)]
    SyncWindow(#[from] SyncWindowError),
}

const BOOTSTRAP: &str = "bootstrap.kubernetes.io/token";
const SERVICE_ACCOUNT: &str = "kubernetes.io/service-account-token";
const SERVICE_ACCOUNT_NAME: &str = "kubernetes.io/service-account.name";

/// Checks all of it.
pub(super) fn check(external: &ExternalSecret) -> Result<(), Failure> {
    Ok(rules(external)?)
}

fn rules(external: &ExternalSecret) -> Result<(), RuleError> {
    let spec = &external.spec;
    let target = &spec.target;
    match (target.deletion_policy, target.creation_policy) {
        (DeletionPolicy::Delete, CreationPolicy::Owner) => {}
        (DeletionPolicy::Delete, _) => return Err(RuleError::DeleteNotOwn),
        (DeletionPolicy::Merge, CreationPolicy::None) => return Err(RuleError::MergeNothing),
        _ => {}
    }
    if let Some(manifest) = &target.manifest
        && (&*manifest.api_version, &*manifest.kind) != ("v1", "Secret")
    {
        let (kind, version) = (manifest.kind.clone(), manifest.api_version.clone());
        return Err(RuleError::Manifest(kind, version));
    }
    if let Some(template) = &target.template {
        credentials(template)?;
    }
    if let Some(windows) = &spec.sync_windows {
        Windows::parse(windows)?;
    }
    Ok(())
}

/// Kubernetes puts a token of a `ServiceAccount` into a Secret of that type, and takes one of the other
/// for its own.
fn credentials(template: &Template) -> Result<(), RuleError> {
    match template.type_.as_deref() {
        Some(BOOTSTRAP) => Err(RuleError::Credential(BOOTSTRAP)),
        Some(SERVICE_ACCOUNT) => {
            let annotations = &template.metadata.annotations;
            let names_one = annotations.contains_key(SERVICE_ACCOUNT_NAME);
            let mut from = template.template_from.iter();
            let may_name_one = from.any(|from| from.target() == TemplateTarget::Annotations);
            if names_one || may_name_one {
                return Err(RuleError::Credential(SERVICE_ACCOUNT));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
