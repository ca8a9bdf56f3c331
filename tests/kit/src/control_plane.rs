//! etcd and kube-apiserver, and what tests do with them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kube::Client;
use tokio::process::Command;

use crate::error::KitError;
use crate::kubeconfig::{Access, service_account_token};
use crate::pki::Pki;
use crate::process::Process;
use crate::tools::{repository, tools};
use crate::workdir::Workdir;

mod servers;

pub(crate) use servers::until_answer;

/// The token of a member of `system:masters`.
const ADMIN_TOKEN: &str = "signet-test-admin";

/// What a control plane is started with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    controller_manager: bool,
}

impl Options {
    /// Also kube-controller-manager: garbage collection, namespaces, service accounts.
    #[must_use]
    pub fn with_controller_manager(mut self) -> Self {
        self.controller_manager = true;
        self
    }
}

/// A running control plane. Dropping it stops it.
#[derive(Debug)]
pub struct ControlPlane {
    port: u16,
    ca: String,
    apiserver: Mutex<Option<Process>>,
    manager: Option<Process>,
    etcd: servers::Etcd,
    // Last, so that the folder goes after the servers that write in it.
    workdir: Workdir,
}

impl ControlPlane {
    /// Starts the servers, each on a free port of loopback, and returns when the API server is ready
    /// and the namespaces that it makes itself exist.
    pub async fn start(options: Options) -> Result<Self, KitError> {
        let workdir = Workdir::create()?;
        let pki = Pki::generate()?;
        servers::write_pki(&workdir, &pki)?;
        let etcd = servers::Etcd::start(&workdir).await?;
        let (port, apiserver) = servers::start_apiserver(&workdir, &etcd, None).await?;
        let mut plane = Self {
            port,
            ca: pki.ca,
            apiserver: Mutex::new(Some(apiserver)),
            manager: None,
            etcd,
            workdir,
        };
        plane.wait_ready().await?;
        if options.controller_manager {
            let kubeconfig = plane.admin().write(&plane, "controller-manager")?;
            plane.manager = Some(servers::start_controller_manager(
                &plane.workdir,
                &kubeconfig,
            )?);
        }
        Ok(plane)
    }

    /// A control plane with the CRD, the RBAC and the Service of `deploy/base` in it.
    pub async fn with_deployment(options: Options) -> Result<Self, KitError> {
        let plane = Self::start(options).await?;
        plane
            .apply_kustomize(&repository().join("deploy/base"))
            .await?;
        let crd = "crd/sealedsecrets.bitnami.com";
        plane
            .kubectl(["wait", "--for=condition=Established", "--timeout=30s", crd])
            .await?;
        Ok(plane)
    }

    /// The folder of state, kubeconfigs and logs.
    pub fn workdir(&self) -> &Workdir {
        &self.workdir
    }

    /// The URL of the API server.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// The port of the API server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// PEM of the authority that signed the API server's certificate.
    pub fn ca(&self) -> &str {
        &self.ca
    }

    /// The access of a cluster administrator.
    pub fn admin(&self) -> Access {
        self.access(ADMIN_TOKEN)
    }

    /// The access that a ServiceAccount's token gives. The account must exist.
    pub async fn service_account(&self, namespace: &str, name: &str) -> Result<Access, KitError> {
        let token = service_account_token(&self.client().await?, namespace, name).await?;
        Ok(self.access(&token))
    }

    /// An administrator's client. It belongs to the runtime of the test that made it.
    pub async fn client(&self) -> Result<Client, KitError> {
        self.admin().client().await
    }

    /// Runs kubectl as administrator and returns its standard output.
    pub async fn kubectl<'a>(
        &self,
        args: impl IntoIterator<Item = &'a str>,
    ) -> Result<String, KitError> {
        let config = self.workdir.path().join("admin.kubeconfig");
        if !config.exists() {
            self.admin().write(self, "admin")?;
        }
        let program = tools().path("kubectl");
        let mut command = Command::new(&program);
        // Without a home of its own, runs at once would share and spoil one discovery cache.
        command
            .arg("--kubeconfig")
            .arg(&config)
            .args(args)
            .env("HOME", self.workdir.path());
        let shown = format!("{:?}", command.as_std());
        let output = command
            .output()
            .await
            .map_err(KitError::io("run", program))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let text = [output.stdout, output.stderr].concat();
        let output_text = String::from_utf8_lossy(&text).into_owned();
        Err(KitError::Command {
            command: shown,
            status: output.status,
            output: output_text,
        })
    }

    /// `kubectl apply --server-side -f`.
    pub async fn apply(&self, path: &Path) -> Result<(), KitError> {
        let path = path.display().to_string();
        self.kubectl(["apply", "--server-side", "--force-conflicts", "-f", &path])
            .await
            .map(drop)
    }

    /// `kubectl apply --server-side -k`.
    pub async fn apply_kustomize(&self, path: &Path) -> Result<(), KitError> {
        let path = path.display().to_string();
        self.kubectl(["apply", "--server-side", "--force-conflicts", "-k", &path])
            .await
            .map(drop)
    }

    /// Kills the API server: an outage. etcd keeps running.
    pub fn stop_apiserver(&self) {
        if let Some(apiserver) = self.lock().take() {
            apiserver.kill();
        }
    }

    /// Starts the API server again on its old port, and returns when it is ready.
    pub async fn start_apiserver(&self) -> Result<(), KitError> {
        let (_, apiserver) =
            servers::start_apiserver(&self.workdir, &self.etcd, Some(self.port)).await?;
        *self.lock() = Some(apiserver);
        self.wait_ready().await
    }

    /// Where a server of that name logs.
    pub fn log_path(&self, name: &str) -> PathBuf {
        self.workdir.path().join(format!("{name}.log"))
    }

    fn access(&self, token: &str) -> Access {
        Access {
            server: self.url(),
            ca: self.ca.clone(),
            token: token.into(),
            namespace: None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Process>> {
        self.apiserver
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn wait_ready(&self) -> Result<(), KitError> {
        let http = trusting(&self.ca)?;
        // The last of the namespaces that the API server makes by itself.
        let path = format!("{}/api/v1/namespaces/kube-system", self.url());
        let ready = format!("{}/readyz", self.url());
        for _ in 0..1200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if let Some(apiserver) = self.lock().as_mut()
                && let Some(status) = apiserver.exited()
            {
                return Err(apiserver.not_ready(format!("ended with {status}")));
            }
            let mut all = true;
            for url in [&ready, &path] {
                let answer = http.get(url).bearer_auth(ADMIN_TOKEN).send().await;
                all = all && answer.is_ok_and(|answer| answer.status().is_success());
            }
            if all {
                return Ok(());
            }
        }
        let why = "not ready after a minute";
        Err(self.lock().as_ref().map_or_else(
            || KitError::Start {
                server: "kube-apiserver".into(),
                why: why.into(),
                log: String::new(),
            },
            |apiserver| apiserver.not_ready(why),
        ))
    }
}

/// An HTTP client that trusts the control plane's authority and nobody else.
pub(crate) fn trusting(ca: &str) -> Result<reqwest::Client, KitError> {
    let root = reqwest::Certificate::from_pem(ca.as_bytes())?;
    Ok(reqwest::Client::builder()
        .tls_certs_only([root])
        .no_proxy()
        .http1_only()
        .build()?)
}
