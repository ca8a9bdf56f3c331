//! The command lines of the servers, and the start of each.

use std::path::Path;
use std::time::Duration;

use super::ADMIN_TOKEN;
use crate::error::KitError;
use crate::pki::Pki;
use crate::port;
use crate::process::{Launch, Process};
use crate::tools::tools;
use crate::workdir::Workdir;

/// Another process may take a free port before our server does.
const ATTEMPTS: u32 = 5;

/// A running etcd.
#[derive(Debug)]
pub(super) struct Etcd {
    url: String,
    _process: Process,
}

impl Etcd {
    pub(super) async fn start(workdir: &Workdir) -> Result<Self, KitError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let (client, peer) = (free()?, free()?);
            let mut process = Process::spawn(
                &etcd(workdir.path(), client, peer),
                &workdir.path().join("etcd.log"),
            )?;
            let health = format!("http://127.0.0.1:{client}/health");
            match until_answer(&mut process, &health).await {
                Ok(()) => {
                    return Ok(Self {
                        url: format!("http://127.0.0.1:{client}"),
                        _process: process,
                    });
                }
                Err(error) if attempt == ATTEMPTS => return Err(error),
                Err(_) => {}
            }
        }
    }
}

/// Starts the API server. A new one chooses its port and tries others while it loses the race for it.
pub(super) async fn start_apiserver(
    workdir: &Workdir,
    etcd: &Etcd,
    port: Option<u16>,
) -> Result<(u16, Process), KitError> {
    let log = workdir.path().join("kube-apiserver.log");
    let mut attempt = 0;
    loop {
        attempt += 1;
        let chosen = match port {
            Some(port) => port,
            None => free()?,
        };
        let mut process = Process::spawn(&apiserver(workdir.path(), &etcd.url, chosen), &log)?;
        // A port in use ends it at once; readiness takes longer and is waited for elsewhere.
        let listening = listens(&mut process, chosen).await;
        match listening {
            Ok(()) => return Ok((chosen, process)),
            Err(error) if attempt == ATTEMPTS => return Err(error),
            Err(_) => {}
        }
    }
}

/// Starts kube-controller-manager. Nobody talks to it, so nobody waits for it.
pub(super) fn start_controller_manager(
    workdir: &Workdir,
    kubeconfig: &Path,
) -> Result<Process, KitError> {
    let dir = workdir.path();
    let controllers = "garbage-collector-controller,namespace-controller,serviceaccount-controller,serviceaccount-token-controller";
    let launch = Launch::new(
        "kube-controller-manager",
        tools().path("kube-controller-manager"),
    )
    .arg(format!("--kubeconfig={}", kubeconfig.display()))
    .arg(format!("--controllers={controllers}"))
    .arg(format!(
        "--service-account-private-key-file={}",
        dir.join("token.key").display()
    ))
    .arg(format!("--root-ca-file={}", dir.join("ca.crt").display()))
    .arg(format!(
        "--cert-dir={}",
        dir.join("controller-manager").display()
    ))
    .args([
        "--use-service-account-credentials=true",
        "--leader-elect=false",
        "--secure-port=0",
    ])
    .args(["--kube-api-qps=200", "--kube-api-burst=400"]);
    Process::spawn(&launch, &dir.join("kube-controller-manager.log"))
}

/// The files that the command lines name.
pub(super) fn write_pki(workdir: &Workdir, pki: &Pki) -> Result<(), KitError> {
    workdir.write("ca.crt", &pki.ca)?;
    workdir.write("server.crt", &pki.certificate)?;
    workdir.write("server.key", &pki.key)?;
    workdir.write("token.key", &pki.token_key)?;
    workdir.write("token.pub", &pki.token_public_key)?;
    workdir.write(
        "tokens.csv",
        format!("{ADMIN_TOKEN},admin,admin,system:masters\n"),
    )?;
    Ok(())
}

fn etcd(dir: &Path, client: u16, peer: u16) -> Launch {
    let data = dir.join(format!("etcd-{client}"));
    let client = format!("http://127.0.0.1:{client}");
    let peer = format!("http://127.0.0.1:{peer}");
    Launch::new("etcd", tools().path("etcd"))
        .arg(format!("--data-dir={}", data.display()))
        .arg(format!("--listen-client-urls={client}"))
        .arg(format!("--advertise-client-urls={client}"))
        .arg(format!("--listen-peer-urls={peer}"))
        .arg(format!("--initial-advertise-peer-urls={peer}"))
        .arg(format!("--initial-cluster=default={peer}"))
        .args(["--unsafe-no-fsync", "--log-level=warn"])
}

fn apiserver(dir: &Path, etcd: &str, port: u16) -> Launch {
    let file = |name: &str| dir.join(name).display().to_string();
    Launch::new("kube-apiserver", tools().path("kube-apiserver"))
        .arg(format!("--etcd-servers={etcd}"))
        .arg(format!("--secure-port={port}"))
        .args([
            "--bind-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
        ])
        .arg(format!("--tls-cert-file={}", file("server.crt")))
        .arg(format!("--tls-private-key-file={}", file("server.key")))
        .arg(format!("--service-account-key-file={}", file("token.pub")))
        .arg(format!(
            "--service-account-signing-key-file={}",
            file("token.key")
        ))
        .arg("--service-account-issuer=https://kubernetes.default.svc")
        .arg("--service-cluster-ip-range=10.0.0.0/24")
        .arg("--authorization-mode=RBAC")
        .arg(format!("--token-auth-file={}", file("tokens.csv")))
        // Pods of tests have no ServiceAccount, as nobody makes one without a controller manager.
        .arg("--disable-admission-plugins=ServiceAccount")
        // No server-side throttling: several tests share two cores.
        .args(["--enable-priority-and-fairness=false", "--profiling=false"])
}

fn free() -> Result<u16, KitError> {
    port::free().map_err(KitError::io("bind", "127.0.0.1"))
}

/// Waits until the server accepts connections.
async fn listens(process: &mut Process, port: u16) -> Result<(), KitError> {
    for _ in 0..1200 {
        if let Some(status) = process.exited() {
            return Err(process.not_ready(format!("ended with {status}")));
        }
        if tokio::net::TcpStream::connect(("127.0.0.1", port))
            .await
            .is_ok()
        {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(process.not_ready("does not listen after a minute"))
}

/// Waits until the URL answers with success.
pub(crate) async fn until_answer(process: &mut Process, url: &str) -> Result<(), KitError> {
    let http = reqwest::Client::builder().no_proxy().build()?;
    for _ in 0..1500 {
        if let Some(status) = process.exited() {
            return Err(process.not_ready(format!("ended with {status}")));
        }
        if http
            .get(url)
            .send()
            .await
            .is_ok_and(|answer| answer.status().is_success())
        {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Err(process.not_ready(format!("{url} does not answer after half a minute")))
}
