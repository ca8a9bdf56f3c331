//! Listening, and stopping.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    time::Duration,
};

use axum::Router;
use axum_server::{Handle, tls_rustls::RustlsConfig};
use thiserror::Error;
use tracing::warn;

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
            // Nobody speaks HTTP/2 in the clear, and the time limit of the head does not count while
            // it is open which of the two is spoken.
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
            .handle(handle.clone());
        timeouts.set(&mut server);
        let served = server.serve(router.into_make_service_with_connect_info::<SocketAddr>());
        until(served, handle, shutdown).await.map_err(listen)
    }
}

/// Limits of time.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the head of a request to arrive.
    pub read: Duration,
}

impl Timeouts {
    fn set<A: axum_server::Address, B>(self, server: &mut axum_server::Server<A, B>) {
        server.http_builder().http1().header_read_timeout(self.read);
    }
}

/// Reads the files of the TLS port.
pub async fn tls(cert: &Path, key: &Path) -> Result<RustlsConfig, ServeError> {
    RustlsConfig::from_pem_file(cert, key)
        .await
        .map_err(|source| ServeError::Tls {
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
        if let Err(error) = tls.reload_from_pem_file(&cert, &key).await {
            warn!(cert = %cert.display(), %error, "cannot read the TLS certificate anew");
        }
    }
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

    #[tokio::test]
    async fn a_connection_that_does_not_get_on_with_its_request_is_closed() {
        let port = Port::listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
        let address = port.address();
        let (_trigger, shutdown) = Shutdown::new();
        let timeouts = Timeouts {
            read: Duration::from_millis(200),
        };
        tokio::spawn(port.serve(Router::new(), timeouts, shutdown));
        for sent in ["", "P", "PRI * HT", "GET /healthz HTTP/1.1\r\nHo"] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(sent.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            let closed = stream.read_to_end(&mut answer);
            let closed = tokio::time::timeout(Duration::from_secs(20), closed).await;
            assert!(closed.is_ok(), "still open after {sent:?}");
        }
    }
}
