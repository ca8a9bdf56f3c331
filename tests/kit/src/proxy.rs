//! A reverse proxy in front of the API server.
//!
//! - It stands in for the **service proxy**: the API server refuses endpoints on loopback, so a request
//!   to `/api/v1/namespaces/NS/services/…/proxy/…` is shown to the API server, which judges by RBAC
//!   whether the caller may, and answers 503 as there is no pod; only then it goes to the controller.
//! - It injects **faults**: see [`Fault`].
//! - It remembers **requests**, so that a test can say what was not asked for.
//!
//! It speaks TLS with the control plane's own certificate: clients give no token to plain HTTP.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use axum::Router;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::sync::watch;

use crate::control_plane::{ControlPlane, trusting};
use crate::error::KitError;
use crate::kubeconfig::Access;

mod fault;
mod forward;

pub use fault::{Fault, Faults};

/// One request that the proxy has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The method.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The `Accept` header.
    pub accept: String,
}

impl Seen {
    /// Whether it changes something in the cluster.
    pub fn is_write(&self) -> bool {
        !matches!(self.method.as_str(), "GET" | "HEAD")
    }
}

/// A running proxy. Dropping it stops it.
#[derive(Debug)]
pub struct ServiceProxy {
    address: SocketAddr,
    access: Access,
    state: Arc<State>,
    handle: Handle<SocketAddr>,
}

/// What the handlers share.
#[derive(Debug)]
struct State {
    upstream: String,
    http: reqwest::Client,
    services: Mutex<BTreeMap<(String, String), u16>>,
    requests: Mutex<Vec<Seen>>,
    faults: Faults,
    cut: watch::Sender<u64>,
}

impl ServiceProxy {
    /// Starts a proxy before this control plane.
    pub fn start(plane: &ControlPlane) -> Result<Self, KitError> {
        let here = || KitError::io("bind", "127.0.0.1");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(here())?;
        listener.set_nonblocking(true).map_err(here())?;
        let address = listener.local_addr().map_err(here())?;
        let state = Arc::new(State {
            upstream: plane.url(),
            http: trusting(plane.ca())?,
            services: Mutex::default(),
            requests: Mutex::default(),
            faults: Faults::default(),
            cut: watch::Sender::new(0),
        });
        let handle = Handle::new();
        let router = Router::new()
            .fallback(forward::handle)
            .with_state(state.clone());
        // A runtime of its own: that of a test ends with the test, and what listens with it.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(here())?;
        let entered = runtime.enter();
        let server = axum_server::from_tcp_rustls(listener, tls(plane)?).map_err(here())?;
        drop(entered);
        let server = server.handle(handle.clone());
        thread::spawn(move || runtime.block_on(server.serve(router.into_make_service())));
        let access = plane
            .admin()
            .through(&format!("https://127.0.0.1:{}", address.port()));
        Ok(Self {
            address,
            access,
            state,
            handle,
        })
    }

    /// Its URL, in place of the API server's.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.address.port())
    }

    /// An administrator's access through it.
    pub fn access(&self) -> Access {
        self.access.clone()
    }

    /// Sends what is proxied to this Service to a port of loopback.
    pub fn route(&self, namespace: &str, service: &str, port: u16) {
        lock(&self.state.services).insert((namespace.into(), service.into()), port);
    }

    /// The faults that it injects.
    pub fn faults(&self) -> &Faults {
        &self.state.faults
    }

    /// Ends every answer that is still being sent: watches end, as they do when a load balancer goes.
    pub fn cut(&self) {
        self.state.cut.send_modify(|count| *count += 1);
    }

    /// The requests since the start or the last [`Self::forget`].
    pub fn requests(&self) -> Vec<Seen> {
        lock(&self.state.requests).clone()
    }

    /// Forgets the requests.
    pub fn forget(&self) {
        lock(&self.state.requests).clear();
    }
}

impl Drop for ServiceProxy {
    fn drop(&mut self) {
        self.cut();
        self.handle.shutdown();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// TLS with the certificate of the API server, HTTP/1.1 only, as one dropped connection is then one
/// failed request.
fn tls(plane: &ControlPlane) -> Result<RustlsConfig, KitError> {
    let folder = plane.workdir().path();
    let invalid = |error: &dyn std::fmt::Display| {
        KitError::io("read", folder)(std::io::Error::other(error.to_string()))
    };
    let certificate = CertificateDer::from_pem_file(folder.join("server.crt"))
        .map_err(|error| invalid(&error))?;
    let key =
        PrivateKeyDer::from_pem_file(folder.join("server.key")).map_err(|error| invalid(&error))?;
    let mut config =
        rustls::ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| invalid(&error))?
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .map_err(|error| invalid(&error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}
