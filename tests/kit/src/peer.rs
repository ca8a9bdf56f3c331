//! The real sealed-secrets-controller.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::control_plane::{ControlPlane, until_answer};
use crate::controller::usage::{self, Usage};
use crate::controller::{NAME, NAMESPACE};
use crate::error::KitError;
use crate::metrics::Metrics;
use crate::port;
use crate::process::{Launch, Process};
use crate::sealer::Sealer;
use crate::tools::tools;

/// It knows no other configuration than that of a pod, at a fixed path: a mount namespace of its own
/// has it there, and the rest of the machine does not see it.
const IN_POD: &str = r#"
set -e
mount -t tmpfs tmpfs /run
folder=/run/secrets/kubernetes.io/serviceaccount
mkdir -p "$folder"
cp "$1/token" "$1/ca.crt" "$1/namespace" "$folder/"
# Where /var/run is no link to /run.
if [ ! -e "/var$folder/token" ]; then
  mount -t tmpfs tmpfs /var/run
  mkdir -p "/var$folder"
  cp "$1/token" "$1/ca.crt" "$1/namespace" "/var$folder/"
fi
shift
exec "$@"
"#;

/// The peer's controller, running as if in a pod. Dropping it kills it.
#[derive(Debug)]
pub struct PeerController {
    process: Process,
    http: u16,
    metrics: u16,
}

impl PeerController {
    /// Starts it under the same ServiceAccount as ours, and returns when it answers.
    pub async fn start(plane: &ControlPlane, args: &[&str]) -> Result<Self, KitError> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("controller-peer-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let files = pod_files(plane, &name).await?;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let free = || port::free().map_err(KitError::io("bind", "127.0.0.1"));
            let (http, metrics) = (free()?, free()?);
            let root = rustix::process::geteuid().is_root();
            let launch = Launch::new(&name, "unshare")
                .arg(if root { "--mount" } else { "--map-root-user" })
                .args(["--mount", "/bin/sh", "-c", IN_POD, "pod"])
                .arg(&files)
                .arg(tools().path("sealed-secrets-controller"))
                .arg(format!("--listen-addr=127.0.0.1:{http}"))
                .arg(format!("--listen-metrics-addr=127.0.0.1:{metrics}"))
                .args(["--key-size=2048", "--kubeclient-qps=-1", "--update-status"])
                .args(args)
                .env("POD_NAMESPACE", NAMESPACE)
                .env("KUBERNETES_SERVICE_HOST", "127.0.0.1")
                .env("KUBERNETES_SERVICE_PORT", plane.port().to_string());
            let mut process = Process::spawn(&launch, &plane.log_path(&name))?;
            // It serves the certificate when it has a key, which is when it begins to work.
            match until_answer(
                &mut process,
                &format!("http://127.0.0.1:{http}/v1/cert.pem"),
            )
            .await
            {
                Ok(()) => {
                    return Ok(Self {
                        process,
                        http,
                        metrics,
                    });
                }
                Err(error) if attempt == 3 => return Err(error),
                Err(_) => {}
            }
        }
    }

    /// Its HTTP port.
    pub fn http_port(&self) -> u16 {
        self.http
    }

    /// Seals for the certificate that it serves.
    pub async fn sealer(&self) -> Result<Sealer, KitError> {
        let http = reqwest::Client::builder().no_proxy().build()?;
        let answer = http
            .get(format!("http://127.0.0.1:{}/v1/cert.pem", self.http))
            .send()
            .await?;
        Sealer::new(&answer.error_for_status()?.text().await?)
    }

    /// Its metrics.
    pub async fn metrics(&self) -> Result<Metrics, KitError> {
        let http = reqwest::Client::builder().no_proxy().build()?;
        let answer = http
            .get(format!("http://127.0.0.1:{}/metrics", self.metrics))
            .send()
            .await?;
        Ok(Metrics::parse(&answer.error_for_status()?.text().await?))
    }

    /// Memory and processor time used so far.
    pub fn usage(&self) -> Usage {
        usage::of(self.process.pid())
    }

    /// All that it has printed.
    pub fn log(&self) -> String {
        self.process.log()
    }

    /// Asks it to end.
    pub fn stop(self) {
        self.process.stop(Duration::from_secs(10));
    }
}

/// The files that the kubelet would mount.
async fn pod_files(plane: &ControlPlane, name: &str) -> Result<PathBuf, KitError> {
    let access = plane.service_account(NAMESPACE, NAME).await?;
    let folder = plane.workdir().path().join(name);
    std::fs::create_dir_all(&folder).map_err(KitError::io("create", &folder))?;
    for (file, content) in [
        ("token", access.token.as_str()),
        ("ca.crt", plane.ca()),
        ("namespace", NAMESPACE),
    ] {
        plane.workdir().write(&format!("{name}/{file}"), content)?;
    }
    Ok(folder)
}
