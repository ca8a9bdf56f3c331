//! What `--validate`, `--re-encrypt` and the certificate of the cluster have in common.

use signet_documents::manifest::Resource;

use crate::cluster::ClusterError;
use crate::manifest::Manifest;

use super::sealed::{Sealed, SealedError};

/// An error on the way to the controller, with the words that scripts know.
pub(super) fn told(error: &ClusterError) -> String {
    if error.is_about_service() {
        format!(
            "cannot get sealed secret service: {error}.\nPlease, use the flag --controller-name \
             and --controller-namespace to set up the name and namespace of the sealed secrets \
             controller"
        )
    } else {
        error.to_string()
    }
}

/// Every document as a `SealedSecret`.
pub(super) fn read_all(manifest: &Manifest) -> Result<Vec<(Resource<'_>, Sealed)>, SealedError> {
    manifest
        .resources()
        .map(|resource| Ok((resource, Sealed::read(manifest, &resource)?)))
        .collect()
}
