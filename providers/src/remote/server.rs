//! The side that answers.

use std::convert::Infallible;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::future::{BoxFuture, FutureExt};
use signet_keys::sops::MasterKey;
use tokio::net::{TcpListener, UnixListener};
use tokio_stream::wrappers::{TcpListenerStream, UnixListenerStream};
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::{Response, Status, body::Body};
use tonic_prost::ProstCodec;

use super::address::Address;
use super::messages::{Answer, Request};
use crate::{KeyError, KeyService};

/// Data keys are 33 bytes, and what is wrapped is less than 10 KiB.
const LONGEST: usize = 256 * 1024;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A data key is to be wrapped.
    Encrypt,
    /// A data key is to be unwrapped.
    Decrypt,
}

/// Asked before each request is worked on; `false` refuses it. May block.
pub type Consent = Arc<dyn Fn(Operation, &MasterKey) -> bool + Send + Sync>;

/// Why the server ended, or did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: String,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// It stopped working.
    #[error("the key service stopped: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// A socket that is listened at. A unix socket is for its owner alone, and removed at the end.
#[derive(Debug)]
pub struct Listener {
    socket: Socket,
    address: Address,
}

#[derive(Debug)]
enum Socket {
    Tcp(TcpListener),
    Unix(UnixListener, RemoveAtEnd),
}

#[derive(Debug)]
struct RemoveAtEnd(PathBuf);

impl Listener {
    /// Begins to listen. The port may be 0: [`Self::address`] has the real one.
    pub async fn bind(address: &Address) -> Result<Self, ServeError> {
        let failed = |error| ServeError::Listen {
            address: address.to_string(),
            error,
        };
        Ok(match address {
            Address::Tcp(host) => {
                let listener = TcpListener::bind(host).await.map_err(failed)?;
                let real = listener.local_addr().map_err(failed)?;
                Self {
                    socket: Socket::Tcp(listener),
                    address: Address::Tcp(real.to_string()),
                }
            }
            Address::Unix(path) => Self {
                socket: bind_unix(path).map_err(failed)?,
                address: address.clone(),
            },
        })
    }

    /// Where it listens.
    pub fn address(&self) -> &Address {
        &self.address
    }
}

fn bind_unix(path: &Path) -> io::Result<Socket> {
    let listener = UnixListener::bind(path)?;
    let remove = RemoveAtEnd(path.to_owned());
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(Socket::Unix(listener, remove))
}

impl Drop for RemoveAtEnd {
    fn drop(&mut self) {
        // Somebody else may have removed it: then there is nothing to do.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Answers with what `service` says until `stop` is ready.
pub async fn serve(
    listener: Listener,
    service: Arc<dyn KeyService>,
    consent: Option<Consent>,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let handler = Handler { service, consent };
    let router = tonic::transport::Server::builder().add_service(handler);
    match listener.socket {
        Socket::Tcp(listener) => {
            let incoming = TcpListenerStream::new(listener);
            router.serve_with_incoming_shutdown(incoming, stop).await?;
        }
        Socket::Unix(listener, _remove) => {
            let incoming = UnixListenerStream::new(listener);
            router.serve_with_incoming_shutdown(incoming, stop).await?;
        }
    }
    Ok(())
}

#[derive(Clone)]
struct Handler {
    service: Arc<dyn KeyService>,
    consent: Option<Consent>,
}

impl NamedService for Handler {
    const NAME: &'static str = "KeyService";
}

impl tower::Service<http::Request<Body>> for Handler {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let operation = match request.uri().path() {
            "/KeyService/Encrypt" => Operation::Encrypt,
            "/KeyService/Decrypt" => Operation::Decrypt,
            _ => return async { Ok(Status::unimplemented("no such method").into_http()) }.boxed(),
        };
        let method = Method {
            operation,
            handler: self.clone(),
        };
        async move {
            let codec: ProstCodec<Answer, Request> = ProstCodec::default();
            let mut grpc = Grpc::new(codec).apply_max_message_size_config(Some(LONGEST), None);
            Ok(grpc.unary(method, request).await)
        }
        .boxed()
    }
}

struct Method {
    operation: Operation,
    handler: Handler,
}

impl UnaryService<Request> for Method {
    type Response = Answer;
    type Future = BoxFuture<'static, Result<Response<Answer>, Status>>;

    fn call(&mut self, request: tonic::Request<Request>) -> Self::Future {
        let (operation, handler) = (self.operation, self.handler.clone());
        async move {
            let bytes = handler.answer(operation, request.into_inner()).await?;
            Ok(Response::new(Answer { bytes }))
        }
        .boxed()
    }
}

impl Handler {
    async fn answer(&self, operation: Operation, request: Request) -> Result<Vec<u8>, Status> {
        let key = request
            .key
            .ok_or_else(|| Status::not_found("Must provide a key"))?;
        let kind = key
            .kind
            .ok_or_else(|| Status::not_found("Must provide a key"))?;
        let key = kind.into_master_key();
        self.ask_consent(operation, &key).await?;
        let failed = |error: KeyError| Status::unknown(error.to_string());
        match operation {
            Operation::Encrypt => {
                let secret = request.bytes.into();
                let wrapped = self.service.wrap(&key, &secret).await.map_err(failed)?;
                Ok(wrapped.into_bytes())
            }
            Operation::Decrypt => {
                let wrapped = String::from_utf8(request.bytes);
                let wrapped =
                    wrapped.map_err(|_| Status::invalid_argument("the ciphertext is not text"))?;
                let secret = self.service.unwrap(&key, &wrapped).await.map_err(failed)?;
                Ok(secret.expose().to_vec())
            }
        }
    }

    async fn ask_consent(&self, operation: Operation, key: &MasterKey) -> Result<(), Status> {
        let Some(consent) = self.consent.clone() else {
            return Ok(());
        };
        let key = key.clone();
        let given = crate::blocking::offload(move || consent(operation, &key)).await;
        match given {
            Ok(true) => Ok(()),
            _ => Err(Status::permission_denied("Request rejected by user")),
        }
    }
}

#[cfg(test)]
mod tests;
