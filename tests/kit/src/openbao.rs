//! `OpenBao`: the server that speaks Vault's protocol.

use std::time::Duration;

use serde_json::Value;

use crate::error::KitError;
use crate::port;
use crate::process::{Launch, Process};
use crate::tools::tools;
use crate::wait::wait_for;
use crate::workdir::Workdir;

/// The token that may do everything.
pub const TOKEN: &str = "root";

const ATTEMPTS: u32 = 5;

/// A running server in development mode: unsealed, in memory, with a root token.
#[derive(Debug)]
pub struct OpenBao {
    url: String,
    http: reqwest::Client,
    workdir: Workdir,
    _process: Process,
}

impl OpenBao {
    /// Starts a server on a free port, in plain HTTP.
    pub async fn start() -> Result<Self, KitError> {
        Self::launch(false).await
    }

    /// The same over TLS, with an authority of its own: [`Self::ca`].
    pub async fn start_tls() -> Result<Self, KitError> {
        Self::launch(true).await
    }

    async fn launch(tls: bool) -> Result<Self, KitError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            // Another process may take a free port before our server does.
            match Self::try_start(tls).await {
                Err(_) if attempt < ATTEMPTS => {}
                other => return other,
            }
        }
    }

    async fn try_start(tls: bool) -> Result<Self, KitError> {
        let workdir = Workdir::create()?;
        let port = port::free().map_err(KitError::io("bind", "127.0.0.1"))?;
        let mut launch = Launch::new("bao", tools().path("bao"))
            .args(["server", "-dev", "-dev-no-store-token"])
            .arg(format!("-dev-root-token-id={TOKEN}"))
            .arg(format!("-dev-listen-address=127.0.0.1:{port}"))
            .env("HOME", workdir.path());
        if tls {
            let folder = workdir.path().display();
            launch = launch
                .arg("-dev-tls")
                .arg(format!("-dev-tls-cert-dir={folder}"));
        }
        let mut process = Process::spawn(&launch, &workdir.path().join("bao.log"))?;
        let scheme = if tls { "https" } else { "http" };
        let url = format!("{scheme}://127.0.0.1:{port}");
        // Only the kit's own requests: tests of TLS bring their own client.
        let http = reqwest::Client::builder()
            .tls_danger_accept_invalid_certs(true)
            .build()?;
        let health = format!("{url}/v1/sys/health");
        let ready = wait_for(Duration::from_secs(30), async || {
            let ended = process.exited().is_some();
            let answer = http.get(&health).send().await;
            let is_ready = answer.is_ok_and(|answer| answer.status().is_success());
            (ended || is_ready).then_some(is_ready)
        });
        if ready.await != Some(true) {
            return Err(process.not_ready("no healthy answer"));
        }
        Ok(Self {
            url,
            http,
            workdir,
            _process: process,
        })
    }

    /// Scheme, host and port.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The file with the certificate of the authority, of a server over TLS.
    pub fn ca(&self) -> std::path::PathBuf {
        self.workdir.path().join("vault-ca.pem")
    }

    /// Writes below `/v1/`, with all rights, and gives the answer.
    pub async fn write(&self, path: &str, body: &Value) -> Result<Value, KitError> {
        self.write_in("", path, body).await
    }

    /// Reads below `/v1/`, with all rights.
    pub async fn read(&self, path: &str) -> Result<Value, KitError> {
        let request = self.http.get(format!("{}/v1/{path}", self.url));
        let answer = request.header("X-Vault-Token", TOKEN).send().await?;
        let text = answer.error_for_status()?.text().await?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Deletes below `/v1/`, with all rights.
    pub async fn delete(&self, path: &str) -> Result<(), KitError> {
        let request = self.http.delete(format!("{}/v1/{path}", self.url));
        let answer = request.header("X-Vault-Token", TOKEN).send().await?;
        answer.error_for_status()?;
        Ok(())
    }

    /// The same in a namespace.
    pub async fn write_in(
        &self,
        namespace: &str,
        path: &str,
        body: &Value,
    ) -> Result<Value, KitError> {
        let request = self.http.post(format!("{}/v1/{path}", self.url));
        let request = request
            .header("X-Vault-Token", TOKEN)
            .header("X-Vault-Namespace", namespace);
        let answer = request.json(body).send().await?.error_for_status()?;
        let text = answer.text().await?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }
}
