//! What the tests share.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use k8s_openapi::api::core::v1::Secret;
use kube::Api;
use kube::api::ListParams;
use signet_kit::control_plane::Options as PlaneOptions;
use signet_kit::controller::{NAME, NAMESPACE};
use signet_kit::tools::repository;
use signet_kit::wait::{PATIENCE, wait_for};
use signet_kit::{ControlPlane, Controller, ControllerOptions, Namespace, Sealer, ServiceProxy};
use tokio::sync::OnceCell;

/// A control plane with garbage collection, a controller with default flags, and the service proxy.
pub struct Stage {
    pub plane: ControlPlane,
    pub controller: Controller,
    pub proxy: ServiceProxy,
    pub sealer: Sealer,
}

/// The shared stage. Its controller is never stopped and its keys are never changed.
pub async fn stage() -> &'static Stage {
    static STAGE: OnceCell<Stage> = OnceCell::const_new();
    STAGE
        .get_or_init(async || {
            Stage::start(PlaneOptions::default().with_controller_manager(), &[]).await
        })
        .await
}

impl Stage {
    /// A stage of one test.
    pub async fn own(args: &[&str]) -> Self {
        Self::start(PlaneOptions::default(), args).await
    }

    /// The same with garbage collection.
    pub async fn own_with_collector(args: &[&str]) -> Self {
        Self::start(PlaneOptions::default().with_controller_manager(), args).await
    }

    async fn start(options: PlaneOptions, args: &[&str]) -> Self {
        let plane = ControlPlane::with_deployment(options).await.unwrap();
        let controller = Controller::start(&plane, with(args)).await.unwrap();
        let sealer = controller.sealer().await.unwrap();
        let proxy = ServiceProxy::start(&plane).unwrap();
        proxy.route(NAMESPACE, NAME, controller.http_port());
        Self {
            plane,
            controller,
            proxy,
            sealer,
        }
    }

    /// A namespace that no other test uses.
    pub async fn namespace(&self, prefix: &str) -> Namespace {
        Namespace::create(&self.plane, prefix).await.unwrap()
    }
}

/// The control plane of controllers that look after one namespace each.
pub async fn shared_plane() -> &'static ControlPlane {
    static PLANE: OnceCell<ControlPlane> = OnceCell::const_new();
    PLANE
        .get_or_init(async || {
            ControlPlane::with_deployment(PlaneOptions::default())
                .await
                .unwrap()
        })
        .await
}

/// A namespace with a controller of its own in it, keys included, which has no right anywhere else:
/// `deploy/namespaced`, so each of these tests shows that namespaced RBAC is enough.
pub struct Solo {
    pub namespace: Namespace,
    pub controller: Controller,
}

impl Solo {
    /// With keys that the controller makes.
    pub async fn start(prefix: &str, args: &[&str]) -> Self {
        let namespace = Self::namespace(prefix).await;
        let controller =
            Controller::start(shared_plane().await, Self::options(&namespace, args).await);
        Self {
            controller: controller.await.unwrap(),
            namespace,
        }
    }

    /// A namespace with the RBAC in it and no controller yet.
    pub async fn namespace(prefix: &str) -> Namespace {
        let plane = shared_plane().await;
        let namespace = Namespace::create(plane, prefix).await.unwrap();
        let overlay = plane
            .workdir()
            .path()
            .join(format!("overlay-{}", namespace.name()));
        std::fs::create_dir(&overlay).unwrap();
        let base = relative(&repository().join("deploy/namespaced"), &overlay);
        let text = format!(
            "namespace: {}\nresources: [{}]\n",
            namespace.name(),
            base.display()
        );
        std::fs::write(overlay.join("kustomization.yaml"), text).unwrap();
        plane.apply_kustomize(&overlay).await.unwrap();
        namespace
    }

    /// How the controller of such a namespace is started.
    pub async fn options(namespace: &Namespace, args: &[&str]) -> ControllerOptions {
        let access = shared_plane()
            .await
            .service_account(namespace.name(), NAME)
            .await
            .unwrap();
        with(args)
            .arg("--all-namespaces=false")
            .namespace(namespace.name())
            .access(access)
    }

    /// Seals for the newest key.
    pub async fn sealer(&self) -> Sealer {
        self.controller.sealer().await.unwrap()
    }

    /// The key Secrets, oldest first.
    pub async fn keys(&self) -> Vec<Secret> {
        keys(&self.namespace).await
    }

    /// Waits until there are so many key Secrets.
    pub async fn expect_keys(&self, count: usize) {
        let probe = async || (self.keys().await.len() == count).then_some(());
        let found = wait_for(PATIENCE, probe).await;
        assert!(
            found.is_some(),
            "{} keys in place of {count}",
            self.keys().await.len()
        );
    }

    /// Waits until the controller serves another certificate than this one.
    pub async fn expect_new_certificate(&self, old: &str) -> String {
        let probe = async || {
            self.controller
                .certificate()
                .await
                .ok()
                .filter(|pem| pem != old)
        };
        wait_for(PATIENCE, probe)
            .await
            .expect("still the same certificate")
    }
}

/// The key Secrets of a namespace, oldest first.
pub async fn keys(namespace: &Namespace) -> Vec<Secret> {
    let selector = ListParams::default().labels(signet_kit::key_secret::LABEL);
    let mut keys = namespace.secrets().list(&selector).await.unwrap().items;
    keys.sort_by_key(|key| key.metadata.creation_timestamp.clone());
    keys
}

pub fn with(args: &[&str]) -> ControllerOptions {
    args.iter()
        .fold(ControllerOptions::default(), |options, arg| {
            options.arg(arg)
        })
}

/// The resourceVersion of every Secret of the cluster, by namespace and name.
pub async fn secret_versions(plane: &ControlPlane) -> Vec<(String, String, String)> {
    let secrets: Api<Secret> = Api::all(plane.client().await.unwrap());
    let list = secrets.list(&ListParams::default()).await.unwrap().items;
    let mut versions: Vec<_> = list
        .into_iter()
        .map(|secret| {
            let meta = secret.metadata;
            (
                meta.namespace.unwrap_or_default(),
                meta.name.unwrap_or_default(),
                meta.resource_version.unwrap_or_default(),
            )
        })
        .collect();
    versions.sort();
    versions
}

/// Waits until nothing but watches, probes and the Lease has gone through the proxy for `quiet`.
pub async fn wait_idle(proxy: &ServiceProxy, quiet: Duration) {
    let busy = || {
        proxy
            .requests()
            .iter()
            .filter(|seen| !seen.path.contains("/leases"))
            .count()
    };
    for _ in 0..600 {
        let before = busy();
        tokio::time::sleep(quiet).await;
        if busy() == before {
            return;
        }
    }
    panic!(
        "the controller never rests, last seen: {:#?}",
        proxy.requests().iter().rev().take(20).collect::<Vec<_>>()
    );
}

/// kustomize takes bases by relative path only.
fn relative(target: &Path, from: &Path) -> PathBuf {
    let up = from
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .map(|_| "..");
    let down = target
        .components()
        .filter(|part| matches!(part, Component::Normal(_)));
    up.map(PathBuf::from)
        .chain(down.map(|part| PathBuf::from(part.as_os_str())))
        .collect()
}
