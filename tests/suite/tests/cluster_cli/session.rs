//! A repository with a home of its own, and a cluster.

use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use signet_kit::controller::{NAME, NAMESPACE};
use signet_kit::kubeconfig::Access;
use signet_kit::{
    ControlPlane, Controller, ControllerOptions, Namespace, PlaneOptions, ServiceProxy, cargo,
    child,
};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// A control plane, a controller on it, and the service proxy.
pub struct Cluster {
    pub plane: ControlPlane,
    pub controller: Controller,
    pub proxy: ServiceProxy,
}

impl Cluster {
    /// A cluster of one test, whose keys it may change.
    pub async fn own() -> Self {
        let plane = ControlPlane::with_deployment(PlaneOptions::default())
            .await
            .unwrap();
        let controller = Controller::start(&plane, ControllerOptions::default())
            .await
            .unwrap();
        let proxy = ServiceProxy::start(&plane).unwrap();
        proxy.route(NAMESPACE, NAME, controller.http_port());
        Self {
            plane,
            controller,
            proxy,
        }
    }

    /// The cluster of tests that leave it as it is.
    pub async fn shared() -> &'static Self {
        static CLUSTER: OnceCell<Cluster> = OnceCell::const_new();
        CLUSTER.get_or_init(Self::own).await
    }

    pub async fn namespace(&self, prefix: &str) -> Namespace {
        Namespace::create(&self.plane, prefix).await.unwrap()
    }

    /// Applies a file of a session.
    pub async fn apply(&self, session: &Session, file: &str) {
        self.plane.apply(&session.path(file)).await.unwrap();
    }
}

/// A repository.
pub struct Session {
    folder: TempDir,
    kubeconfig: PathBuf,
}

/// What a command gave.
#[derive(Debug)]
pub struct Done {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Session {
    /// A repository whose user reaches the API server through this proxy.
    pub fn through(proxy: &ServiceProxy) -> Self {
        Self::of(&proxy.access())
    }

    /// A repository of somebody with this access.
    pub fn of(access: &Access) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::create_dir(folder.path().join("home")).unwrap();
        let kubeconfig = folder.path().join("home/kubeconfig");
        std::fs::write(&kubeconfig, access.kubeconfig()).unwrap();
        Self { folder, kubeconfig }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes the manifest of a Secret with one item.
    pub fn secret(&self, name: &str, namespace: &Namespace, value: &str) {
        self.write(
            "secret.yaml",
            format!(
                "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: {}\n\
                 stringData:\n  password: {value}\n",
                namespace.name()
            ),
        );
    }

    /// Runs `signet` in the repository; the arguments are split at spaces.
    pub async fn run(&self, args: &str) -> Done {
        self.pipe(args, "").await
    }

    /// Runs it under the name of the peer.
    pub async fn kubeseal(&self, args: &str) -> Done {
        self.run_as("kubeseal", args, "").await
    }

    /// With something on standard input.
    pub async fn pipe(&self, args: &str, stdin: &str) -> Done {
        self.run_as("signet", args, stdin).await
    }

    async fn run_as(&self, name: &str, args: &str, stdin: &str) -> Done {
        let mut command = Command::new(cargo::signet());
        command
            .arg0(name)
            .args(args.split_whitespace())
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.path("home"))
            .env("KUBECONFIG", &self.kubeconfig);
        let output = child::fed(command, stdin).await.unwrap();
        Done {
            status: output.status.code().expect("signet was killed"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Done {
    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.status, 0, "{}", self.stderr);
        self
    }

    #[track_caller]
    pub fn failed(self) -> Self {
        assert_eq!(self.status, 1, "{}{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub fn says(self, told: &[&str]) -> Self {
        for part in told {
            assert!(
                self.stderr.contains(part),
                "{part:?} is not in\n{}",
                self.stderr
            );
        }
        self
    }
}
