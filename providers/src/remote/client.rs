//! The side that asks.

use futures::future::{BoxFuture, FutureExt};
use http::uri::PathAndQuery;
use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic_prost::ProstCodec;
use zeroize::Zeroizing;

use super::address::Address;
use super::messages::{Answer, Key, Request};
use crate::{KeyError, KeyService};

const CONNECT: std::time::Duration = std::time::Duration::from_secs(10);

/// Why another machine did not wrap or unwrap.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// It said no, or the work failed there.
    #[error("{message} ({code})")]
    Refused {
        /// The name of the gRPC code.
        code: String,
        /// What it said.
        message: String,
    },
    /// What it sent back is not text.
    #[error("the answer is not text")]
    NotText,
    /// The version of a key must be known before: the protocol cannot give it back.
    #[error("a key service is not asked for the version of a key: name it")]
    Version,
    /// Nobody answers at the address.
    #[error("cannot reach it: {0}")]
    Unreachable(
        /// Why.
        String,
    ),
}

impl RemoteError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unreachable(_) => Some("start it: `signet keyservice`".into()),
            Self::Refused { .. } | Self::NotText | Self::Version => None,
        }
    }
}

/// A key service at an address. Each question opens a connection of its own, so that it can be asked
/// from any runtime.
#[derive(Debug, Clone)]
pub struct Remote {
    address: Address,
    name: String,
}

impl Remote {
    /// Connects when it is asked.
    pub fn new(address: Address) -> Self {
        Self {
            name: address.to_string(),
            address,
        }
    }

    async fn ask(
        &self,
        path: &'static str,
        key: &MasterKey,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, RemoteError> {
        let mut client = Grpc::new(self.connect().await?);
        let unreachable = |error: &dyn std::error::Error| RemoteError::Unreachable(cause(error));
        client.ready().await.map_err(|error| unreachable(&error))?;
        let request = Request {
            key: Some(Key::from(key)),
            bytes: bytes.to_vec(),
        };
        let codec: ProstCodec<Request, Answer> = ProstCodec::default();
        let path = PathAndQuery::from_static(path);
        let answer = client
            .unary(tonic::Request::new(request), path, codec)
            .await;
        let answer = answer.map_err(|status| RemoteError::Refused {
            code: format!("{:?}", status.code()),
            message: status.message().to_owned(),
        })?;
        Ok(answer.into_inner().bytes.into())
    }

    async fn connect(&self) -> Result<Channel, RemoteError> {
        let uri = match &self.address {
            Address::Tcp(host) => format!("http://{host}"),
            Address::Unix(path) => format!("unix://{}", path.display()),
        };
        let unreachable = |error: tonic::transport::Error| RemoteError::Unreachable(cause(&error));
        let endpoint = Endpoint::from_shared(uri).map_err(unreachable)?;
        endpoint
            .connect_timeout(CONNECT)
            .connect()
            .await
            .map_err(unreachable)
    }
}

impl KeyService for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    fn wrap<'a>(
        &'a self,
        key: &'a MasterKey,
        secret: &'a Plaintext,
    ) -> BoxFuture<'a, Result<String, KeyError>> {
        async move {
            let bytes = self
                .ask("/KeyService/Encrypt", key, secret.expose())
                .await?;
            let text = std::str::from_utf8(&bytes).map(str::to_owned);
            Ok(text.map_err(|_| RemoteError::NotText)?)
        }
        .boxed()
    }

    fn unwrap<'a>(
        &'a self,
        key: &'a MasterKey,
        wrapped: &'a str,
    ) -> BoxFuture<'a, Result<Plaintext, KeyError>> {
        async move {
            let bytes = self
                .ask("/KeyService/Decrypt", key, wrapped.as_bytes())
                .await?;
            Ok(Plaintext::from(bytes))
        }
        .boxed()
    }

    fn complete<'a>(&'a self, key: &'a MasterKey) -> BoxFuture<'a, Result<MasterKey, KeyError>> {
        let complete = (!key.is_unresolved()).then(|| key.clone());
        let complete = complete.ok_or_else(|| RemoteError::Version.into());
        futures::future::ready(complete).boxed()
    }
}

/// The innermost cause: the outer ones say `transport error`.
fn cause(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(inner) = error.source() {
        error = inner;
    }
    error.to_string()
}
