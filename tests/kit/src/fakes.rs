//! Key services of clouds for which there is no emulator, as far as data keys need them, over HTTPS with an
//! authority of their own. The vendors' official Python clients accept them; a test says so.

pub mod azure;
pub mod gcp;
mod server;

pub use azure::FakeKeyVault;
pub use gcp::FakeKms;
