//! Key Secrets and `SealedSecrets` as the API server has them.

use http::Method;
use signet_crds::constants::label::SEALING_KEY;
use zeroize::Zeroizing;

use super::{Cluster, ClusterError, Identity};

impl Cluster {
    /// The key Secrets of a namespace, active and retired, as a JSON list.
    pub fn key_secrets(&self, namespace: &str) -> Result<Zeroizing<Vec<u8>>, ClusterError> {
        let selector = SEALING_KEY.replace('/', "%2F");
        let path = format!("/api/v1/namespaces/{namespace}/secrets?labelSelector={selector}");
        let what = format!("list the key Secrets of namespace `{namespace}`");
        self.request(&what, &Method::GET, &path, &[])
            .map(Zeroizing::new)
    }

    /// A Secret as JSON; nothing when there is none.
    pub fn secret(
        &self,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Zeroizing<Vec<u8>>>, ClusterError> {
        let path = format!("/api/v1/namespaces/{namespace}/secrets/{name}");
        let what = format!("read Secret `{namespace}/{name}`");
        found(self.request(&what, &Method::GET, &path, &[]))
            .map(|secret| secret.map(Zeroizing::new))
    }

    /// Creates a Secret from its JSON; with `dry_run`, only asks whether that would be allowed.
    pub fn create_secret(
        &self,
        namespace: &str,
        name: &str,
        secret: &[u8],
        dry_run: bool,
    ) -> Result<(), ClusterError> {
        let query = if dry_run { "?dryRun=All" } else { "" };
        let path = format!("/api/v1/namespaces/{namespace}/secrets{query}");
        let what = format!("create Secret `{namespace}/{name}`");
        self.request(&what, &Method::POST, &path, secret).map(drop)
    }

    /// Deletes a Secret if it still is this one.
    pub fn delete_secret(
        &self,
        namespace: &str,
        name: &str,
        is: &Identity,
    ) -> Result<(), ClusterError> {
        let path = format!("/api/v1/namespaces/{namespace}/secrets/{name}");
        let what = format!("delete Secret `{namespace}/{name}`");
        let options = serde_json::json!({
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "preconditions": {"uid": is.uid, "resourceVersion": is.resource_version},
        });
        let body = options.to_string().into_bytes();
        self.request(&what, &Method::DELETE, &path, &body).map(drop)
    }

    /// The `SealedSecrets` of a namespace, or of all, as a JSON list.
    pub fn sealed_secrets(&self, namespace: Option<&str>) -> Result<Vec<u8>, ClusterError> {
        let (path, of) = match namespace {
            Some(namespace) => (
                format!("/apis/bitnami.com/v1alpha1/namespaces/{namespace}/sealedsecrets"),
                format!("namespace `{namespace}`"),
            ),
            None => (
                "/apis/bitnami.com/v1alpha1/sealedsecrets".to_owned(),
                "all namespaces".to_owned(),
            ),
        };
        let what = format!("list the SealedSecrets of {of}");
        self.request(&what, &Method::GET, &path, &[])
    }

    /// Whether a namespace exists; nothing when that may not be asked.
    pub fn has_namespace(&self, name: &str) -> Option<bool> {
        let path = format!("/api/v1/namespaces/{name}");
        let what = format!("read namespace `{name}`");
        match found(self.request(&what, &Method::GET, &path, &[])) {
            Ok(namespace) => Some(namespace.is_some()),
            Err(_) => None,
        }
    }

    /// A `SealedSecret` as JSON; nothing when there is none.
    pub fn sealed_secret(
        &self,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Vec<u8>>, ClusterError> {
        let path =
            format!("/apis/bitnami.com/v1alpha1/namespaces/{namespace}/sealedsecrets/{name}");
        let what = format!("read SealedSecret `{namespace}/{name}`");
        found(self.request(&what, &Method::GET, &path, &[]))
    }
}

fn found(answer: Result<Vec<u8>, ClusterError>) -> Result<Option<Vec<u8>>, ClusterError> {
    match answer {
        Ok(body) => Ok(Some(body)),
        Err(error) if error.code() == Some(404) => Ok(None),
        Err(error) => Err(error),
    }
}
