//! What the tests share: a control plane, a store, and the controller that keeps ExternalSecrets.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Secret;
use kube::ResourceExt;
use kube::api::{Api, DynamicObject, ListParams, PostParams};
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::{Value as Json, json};
use signet_kit::control_plane::Options as PlaneOptions;
use signet_kit::tools::repository;
use signet_kit::wait::{PATIENCE, wait_for};
use signet_kit::{ControlPlane, Controller, ControllerOptions, Namespace, OpenBao};
use tokio::sync::OnceCell;

/// A control plane with the resources of ExternalSecrets, and the rules that the component ships.
pub struct Stage {
    pub plane: ControlPlane,
    pub bao: OpenBao,
}

/// The shared stage. Each test has namespaces, and a controller or the shared one.
pub async fn stage() -> &'static (Stage, Controller) {
    static STAGE: OnceCell<(Stage, Controller)> = OnceCell::const_new();
    STAGE
        .get_or_init(async || {
            let stage = Stage::new().await;
            let controller = stage.controller(&[]).await;
            (stage, controller)
        })
        .await
}

impl Stage {
    pub async fn new() -> Self {
        let options = PlaneOptions::default().with_controller_manager();
        let plane = ControlPlane::with_deployment(options).await.unwrap();
        for folder in [
            "deploy/crds/external-secrets",
            "deploy/components/external-secrets",
        ] {
            let folder = repository().join(folder);
            // A component alone is not a kustomization: its rules are applied as they stand.
            if folder.join("rbac.yaml").exists() {
                let rules = folder.join("rbac.yaml").display().to_string();
                plane.kubectl(["apply", "-f", &rules]).await.unwrap();
            } else {
                plane.apply_kustomize(&folder).await.unwrap();
            }
        }
        for kind in ["externalsecrets", "secretstores", "clustersecretstores"] {
            let crd = format!("crd/{kind}.external-secrets.io");
            let wait = ["wait", "--for=condition=Established", "--timeout=30s", &crd];
            plane.kubectl(wait).await.unwrap();
        }
        Self {
            plane,
            bao: OpenBao::start().await.unwrap(),
        }
    }

    /// Starts a controller that keeps ExternalSecrets.
    pub async fn controller(&self, args: &[&str]) -> Controller {
        let options = ControllerOptions::default()
            .arg("--external-secrets=true")
            .arg("--danger-local-stores=true");
        let options = args.iter().fold(options, |options, arg| options.arg(arg));
        Controller::start(&self.plane, options).await.unwrap()
    }

    pub async fn namespace(&self, prefix: &str) -> Namespace {
        Namespace::create(&self.plane, prefix).await.unwrap()
    }

    /// Writes a secret into the store.
    pub async fn put(&self, key: &str, value: &Json) {
        let data = json!({ "data": value });
        self.bao
            .write(&format!("secret/data/{key}"), &data)
            .await
            .unwrap();
    }

    /// A SecretStore `vault` of the namespace, that logs in with a token.
    pub async fn vault_store(&self, namespace: &Namespace) {
        let token = [("token", signet_kit::openbao::TOKEN)];
        let data: BTreeMap<_, _> = token.into();
        let secret: Secret = serde_json::from_value(json!({
            "metadata": {"name": "vault-token"}, "stringData": data,
        }))
        .unwrap();
        namespace
            .secrets()
            .create(&PostParams::default(), &secret)
            .await
            .unwrap();
        let spec = json!({"provider": {"vault": {
            "server": self.bao.url(),
            "path": "secret",
            "auth": {"tokenSecretRef": {"name": "vault-token", "key": "token"}},
        }}});
        self.create(namespace.name(), "SecretStore", "vault", &spec)
            .await;
    }

    /// With a client of its own: the runtime of the test that made a shared one may have ended.
    pub async fn api(&self, namespace: &str, kind: &str) -> Api<DynamicObject> {
        let gvk = GroupVersionKind::gvk("external-secrets.io", "v1", kind);
        let client = self.plane.client().await.unwrap();
        Api::namespaced_with(client, namespace, &ApiResource::from_gvk(&gvk))
    }

    pub async fn create(
        &self,
        namespace: &str,
        kind: &str,
        name: &str,
        spec: &Json,
    ) -> DynamicObject {
        let object = json!({
            "apiVersion": "external-secrets.io/v1", "kind": kind,
            "metadata": {"name": name, "namespace": namespace}, "spec": spec,
        });
        let object: DynamicObject = serde_json::from_value(object).unwrap();
        self.api(namespace, kind)
            .await
            .create(&PostParams::default(), &object)
            .await
            .unwrap()
    }

    /// An ExternalSecret that reads from the SecretStore `vault`.
    pub async fn external(&self, namespace: &Namespace, name: &str, spec: Json) -> DynamicObject {
        let mut whole = json!({
            "secretStoreRef": {"name": "vault", "kind": "SecretStore"}, "refreshInterval": "1h",
        });
        whole
            .as_object_mut()
            .unwrap()
            .extend(spec.as_object().unwrap().clone());
        self.create(namespace.name(), "ExternalSecret", name, &whole)
            .await
    }

    /// Waits until the condition `Ready` of an object has a status and its message contains a text.
    pub async fn expect_ready(
        &self,
        namespace: &str,
        kind: &str,
        name: &str,
        status: &str,
        text: &str,
    ) -> Json {
        let api = self.api(namespace, kind).await;
        let found = wait_for(PATIENCE, async || {
            let object = api.get(name).await.ok()?;
            let conditions = object.data["status"]["conditions"].as_array()?.clone();
            let ready = conditions
                .into_iter()
                .find(|condition| condition["type"] == "Ready")?;
            let message = ready["message"].as_str().unwrap_or_default();
            (ready["status"] == status && message.contains(text)).then(|| object.data.clone())
        });
        if let Some(data) = found.await {
            return data;
        }
        let object = api.get(name).await.unwrap();
        panic!(
            "{kind} {name} never was {status} ({text}): {:#}",
            object.data["status"]
        );
    }

    /// Everything that the cluster has under the group, as versions: to see that nothing is written.
    pub async fn versions(&self, namespace: &str) -> Vec<(String, String)> {
        let list = self
            .api(namespace, "ExternalSecret")
            .await
            .list(&ListParams::default())
            .await
            .unwrap();
        let versions = list.items.into_iter().map(|object| {
            (
                object.name_any(),
                object.resource_version().unwrap_or_default(),
            )
        });
        versions.collect()
    }
}
