//! The key service over gRPC, both sides: keys that live on one machine, used from another. The protocol is
//! the peer's (`keyservice.proto`: service `KeyService`, methods `Encrypt` and `Decrypt`), without a
//! password and without TLS: it belongs on loopback, on a unix socket, or in a tunnel.

mod address;
mod client;
mod messages;
mod server;

pub use address::{Address, AddressError};
pub use client::{Remote, RemoteError};
pub use server::{Consent, Listener, Operation, ServeError, serve};
