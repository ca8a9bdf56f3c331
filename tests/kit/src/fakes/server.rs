//! A router behind TLS on a free port.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use serde_json::Value;

use crate::error::KitError;
use crate::pki::Pki;
use crate::workdir::Workdir;

/// A running server, on a runtime of its own. Dropping it stops it.
#[derive(Debug)]
pub(super) struct Server {
    address: SocketAddr,
    handle: Handle<SocketAddr>,
    workdir: Workdir,
}

impl Server {
    /// `router` is told the address that the server has.
    pub(super) fn start(router: impl FnOnce(&str) -> Router) -> Result<Self, KitError> {
        let here = || KitError::io("bind", "127.0.0.1");
        let pki = Pki::generate()?;
        let workdir = Workdir::create()?;
        workdir.write("ca.crt", &pki.ca)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(here())?;
        listener.set_nonblocking(true).map_err(here())?;
        let address = listener.local_addr().map_err(here())?;
        let router = router(&format!("https://{address}"));
        // Another part of the process may have chosen it already: it is the same one.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let handle = Handle::new();
        let server = serve(listener, pki, router, handle.clone());
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(server)
        });
        Ok(Self {
            address,
            handle,
            workdir,
        })
    }

    pub(super) fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    pub(super) fn ca(&self) -> PathBuf {
        self.workdir.path().join("ca.crt")
    }

    pub(super) fn folder(&self) -> &Path {
        self.workdir.path()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.handle.shutdown();
    }
}

/// An answer in JSON.
pub(super) struct Json(pub(super) Value);

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        ([("content-type", "application/json")], self.0.to_string()).into_response()
    }
}

/// The fields of a form. One that is missing is empty.
pub(super) struct Fields(BTreeMap<String, String>);

impl Fields {
    pub(super) fn parse(body: &[u8]) -> Self {
        let text = format!("http://form/?{}", String::from_utf8_lossy(body));
        let url = reqwest::Url::parse(&text).ok();
        let pairs = url.iter().flat_map(|url| url.query_pairs().into_owned());
        Self(pairs.collect())
    }

    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

async fn serve(
    listener: TcpListener,
    pki: Pki,
    router: Router,
    handle: Handle<SocketAddr>,
) -> std::io::Result<()> {
    let tls = RustlsConfig::from_pem(pki.certificate.into_bytes(), pki.key.into_bytes()).await?;
    let server = axum_server::from_tcp_rustls(listener, tls)?.handle(handle);
    server.serve(router.into_make_service()).await
}
