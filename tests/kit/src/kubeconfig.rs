//! Kubeconfigs for tools and controllers.

use std::path::PathBuf;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::api::PostParams;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Api, Client, Config};
use serde_json::json;

use crate::control_plane::ControlPlane;
use crate::error::KitError;

/// Who talks to the API server, and where it is.
#[derive(Clone, Debug)]
pub struct Access {
    /// The URL of the API server, or of a proxy before it.
    pub server: String,
    /// PEM of the authority that signed the server's certificate.
    pub ca: String,
    /// A bearer token.
    pub token: String,
    /// The namespace of the context; `None` leaves it out.
    pub namespace: Option<String>,
}

impl Access {
    /// The text of a kubeconfig (JSON, which every reader of YAML reads).
    pub fn kubeconfig(&self) -> String {
        let mut context = json!({"cluster": "test", "user": "test"});
        if let Some(namespace) = &self.namespace {
            context["namespace"] = json!(namespace);
        }
        let ca = base64(self.ca.as_bytes());
        json!({
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "test", "cluster": {"server": self.server, "certificate-authority-data": ca}}],
            "users": [{"name": "test", "user": {"token": self.token}}],
            "contexts": [{"name": "test", "context": context}],
            "current-context": "test",
        })
        .to_string()
    }

    /// The same in another namespace.
    #[must_use]
    pub fn in_namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// The same through another server.
    #[must_use]
    pub fn through(mut self, server: &str) -> Self {
        self.server = server.into();
        self
    }

    /// Writes the kubeconfig to a file of the control plane's folder.
    pub fn write(&self, plane: &ControlPlane, name: &str) -> Result<PathBuf, KitError> {
        plane
            .workdir()
            .write(&format!("{name}.kubeconfig"), self.kubeconfig())
    }

    /// A client. It belongs to the runtime of the test that made it.
    pub async fn client(&self) -> Result<Client, KitError> {
        let config = Kubeconfig::from_yaml(&self.kubeconfig())?;
        let config = Config::from_custom_kubeconfig(config, &KubeConfigOptions::default()).await?;
        Ok(Client::try_from(config)?)
    }
}

/// A token of a ServiceAccount, as the kubelet would ask for it, valid for an hour.
pub async fn service_account_token(
    client: &Client,
    namespace: &str,
    name: &str,
) -> Result<String, KitError> {
    let request = TokenRequest {
        spec: TokenRequestSpec {
            expiration_seconds: Some(3600),
            ..TokenRequestSpec::default()
        },
        ..TokenRequest::default()
    };
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), namespace);
    let answer = accounts
        .create_token_request(name, &PostParams::default(), &request)
        .await?;
    Ok(answer.status.map(|status| status.token).unwrap_or_default())
}

/// Standard base64 with padding, by the one encoder that is here anyway.
fn base64(bytes: &[u8]) -> String {
    let text = serde_json::to_value(k8s_openapi::ByteString(bytes.to_vec())).unwrap_or_default();
    text.as_str().unwrap_or_default().to_owned()
}
