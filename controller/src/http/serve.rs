//! Listening, and stopping.
//!
//! Both ports speak HTTP/1.1 alone: nobody who asks here needs more, and what a connection may cost
//! is then bounded by the time for the head of a request, which counts between requests too, and by
//! the time for an answer.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::Router;
use axum_server::{Handle, tls_rustls::RustlsConfig};
use rustls::{
    ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use thiserror::Error;
use tracing::warn;

use super::cap::{CONNECTIONS, Cap};
use crate::shutdown::Shutdown;

/// Time after which the files of the TLS port are read anew.
const RELOAD: Duration = Duration::from_mins(5);
/// Time that requests have to end after the shutdown has begun.
const GRACE: Duration = Duration::from_secs(10);

/// Why a port is not served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// It cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The TLS files do not serve.
    #[error("cannot use the certificate `{cert}` with the key `{key}`: {source}")]
    Tls {
        /// File of the certificate.
        cert: String,
        /// File of the key.
        key: String,
        /// Why.
        source: io::Error,
    },
}

/// A port that is listened on and not yet served.
#[derive(Debug)]
pub struct Port {
    listener: TcpListener,
    address: SocketAddr,
}

impl Port {
    /// Listens; on a machine without IPv6, where all addresses are asked for, on all of IPv4.
    pub fn listen(address: SocketAddr) -> Result<Self, ServeError> {
        let any_ipv4 = || SocketAddr::from((Ipv4Addr::UNSPECIFIED, address.port()));
        let bound = match TcpListener::bind(address) {
            Err(error)
                if address.ip().is_unspecified() && error.kind() != io::ErrorKind::AddrInUse =>
            {
                TcpListener::bind(any_ipv4())
            }
            bound => bound,
        };
        let listener = bound.map_err(|source| ServeError::Listen { address, source })?;
        let prepared = listener
            .set_nonblocking(true)
            .and_then(|()| listener.local_addr());
        let address = prepared.map_err(|source| ServeError::Listen { address, source })?;
        Ok(Self { listener, address })
    }

    /// The address, with the port that was found if it was asked for as zero.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves in the clear until shutdown.
    pub async fn serve(
        self,
        router: Router,
        timeouts: Timeouts,
        shutdown: Shutdown,
    ) -> Result<(), ServeError> {
        let address = self.address;
        let listen = |source| ServeError::Listen { address, source };
        let handle = Handle::new();
        let mut server = axum_server::from_tcp(self.listener)
            .map_err(listen)?
            .acceptor(Cap::new(CONNECTIONS))
            .http1_only()
            .handle(handle.clone());
        timeouts.set(&mut server);
        let served = server.serve(router.into_make_service_with_connect_info::<SocketAddr>());
        until(served, handle, shutdown).await.map_err(listen)
    }

    /// Serves over TLS until shutdown.
    pub async fn serve_tls(
        self,
        router: Router,
        timeouts: Timeouts,
        tls: RustlsConfig,
        shutdown: Shutdown,
    ) -> Result<(), ServeError> {
        let address = self.address;
        let listen = |source| ServeError::Listen { address, source };
        let handle = Handle::new();
        let mut server = axum_server::from_tcp_rustls(self.listener, tls)
            .map_err(listen)?
            .map(|acceptor| acceptor.acceptor(Cap::new(CONNECTIONS)))
            .http1_only()
            .handle(handle.clone());
        timeouts.set(&mut server);
        let served = server.serve(router.into_make_service_with_connect_info::<SocketAddr>());
        until(served, handle, shutdown).await.map_err(listen)
    }
}

/// Limits of time.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the head of a request to arrive, and so for a connection to be idle.
    pub read: Duration,
}

impl Timeouts {
    fn set<A: axum_server::Address, B>(self, server: &mut axum_server::Server<A, B>) {
        server.http_builder().http1().header_read_timeout(self.read);
    }
}

/// Reads the files of the TLS port.
pub fn tls(cert: &Path, key: &Path) -> Result<RustlsConfig, ServeError> {
    let config = config(cert, key).map(RustlsConfig::from_config);
    config.map_err(|source| ServeError::Tls {
        cert: cert.display().to_string(),
        key: key.display().to_string(),
        source,
    })
}

/// Reads the files of the TLS port anew from time to time, for certificates that are renewed in
/// place. Files that do not serve leave the ones in use.
pub async fn reload(tls: RustlsConfig, cert: PathBuf, key: PathBuf) {
    loop {
        tokio::time::sleep(RELOAD).await;
        match config(&cert, &key) {
            Ok(config) => tls.reload_from_config(config),
            Err(error) => {
                warn!(cert = %cert.display(), %error, "cannot read the TLS certificate anew");
            }
        }
    }
}

/// TLS 1.2 and 1.3 for HTTP/1.1.
fn config(cert: &Path, key: &Path) -> io::Result<Arc<ServerConfig>> {
    let invalid = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect)
        .map_err(|error| invalid(&error))?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(|error| invalid(&error))?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| invalid(&error))?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| invalid(&error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Lets the server run until shutdown, then its requests end.
async fn until(
    served: impl Future<Output = io::Result<()>>,
    handle: Handle<SocketAddr>,
    shutdown: Shutdown,
) -> io::Result<()> {
    let mut served = std::pin::pin!(served);
    tokio::select! {
        ended = &mut served => ended,
        () = shutdown.requested() => {
            handle.graceful_shutdown(Some(GRACE));
            served.await
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    use super::*;
    use crate::shutdown::Trigger;

    #[tokio::test]
    async fn a_connection_that_does_not_get_on_with_its_request_is_closed() {
        let (address, _trigger) = served(Duration::from_millis(200));
        for sent in ["", "P", "PRI * HT", "GET /healthz HTTP/1.1\r\nHo"] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(sent.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            let closed = stream.read_to_end(&mut answer);
            let closed = tokio::time::timeout(Duration::from_secs(20), closed).await;
            assert!(closed.is_ok(), "still open after {sent:?}");
        }
    }

    #[tokio::test]
    async fn a_connection_that_is_idle_between_requests_is_closed() {
        let (address, _trigger) = served(Duration::from_millis(200));
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        stream.write_all(request).await.unwrap();
        let mut answer = Vec::new();
        let closed = stream.read_to_end(&mut answer);
        let closed = tokio::time::timeout(Duration::from_secs(20), closed).await;
        assert!(closed.is_ok(), "still open");
        assert!(answer.starts_with(b"HTTP/1.1 404"));
    }

    #[tokio::test]
    async fn connections_above_the_cap_are_closed_and_there_is_room_when_others_go() {
        let (address, _trigger) = served(Duration::from_mins(1));
        let mut open = Vec::new();
        for _ in 0..CONNECTIONS / 2 {
            open.push(TcpStream::connect(address).await.unwrap());
        }
        let answers = async || {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            let sent = stream.write_all(request).await;
            let mut answer = Vec::new();
            let read = stream.read_to_end(&mut answer).await;
            sent.is_ok() && read.is_ok() && !answer.is_empty()
        };
        assert!(!answers().await, "one address has half of the places");
        drop(open);
        for _ in 0..100 {
            if answers().await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("no room although the others have gone");
    }

    /// A port without routes.
    fn served(read: Duration) -> (SocketAddr, Trigger) {
        let port = Port::listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
        let address = port.address();
        let (trigger, shutdown) = Shutdown::new();
        tokio::spawn(port.serve(Router::new(), Timeouts { read }, shutdown));
        (address, trigger)
    }
}
