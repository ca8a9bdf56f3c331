//! The certificate of the cluster: asked of the controller, or read where the controller publishes
//! it.

use http::Method;
use serde_json::Value;
use signet_crds::constants::certificate;

use super::{Cluster, ClusterError, Controller, Fetched};

impl Cluster {
    /// The certificate that the controller seals with, PEM. Where the service proxy is refused or
    /// leads nowhere (sealed-secrets#282, #317, #368), the one that the controller has published; if
    /// that is not there either, why the proxy failed.
    pub fn certificate(&self, controller: &Controller) -> Result<Fetched, ClusterError> {
        let refused = match self.served_certificate(controller) {
            Ok(pem) => return Ok(Fetched { pem, refused: None }),
            Err(error) if is_refusal(&error) => error,
            Err(error) => return Err(error),
        };
        match self.published_certificate(controller) {
            Ok(Some(pem)) => Ok(Fetched {
                pem,
                refused: Some(refused),
            }),
            Ok(None) | Err(_) => Err(refused),
        }
    }

    fn published_certificate(
        &self,
        controller: &Controller,
    ) -> Result<Option<Vec<u8>>, ClusterError> {
        let Controller {
            namespace,
            config_map,
            ..
        } = controller;
        let path = format!("/api/v1/namespaces/{namespace}/configmaps/{config_map}");
        let what = format!("read ConfigMap `{namespace}/{config_map}`");
        let answer = self.request(&what, &Method::GET, &path, &[])?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let pem = answer["data"][certificate::ITEM].as_str();
        Ok(pem.map(|pem| pem.as_bytes().to_vec()))
    }
}

/// Whether another way may lead to the certificate. A Service that is not there is none: its name is
/// wrong, and so may be the controller.
fn is_refusal(error: &ClusterError) -> bool {
    matches!(error.code(), Some(403 | 500..))
}
