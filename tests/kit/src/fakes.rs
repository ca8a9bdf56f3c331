//! Services of clouds for which there is no emulator, as far as signet needs them, over HTTPS with an
//! authority of their own. The vendors' official clients accept them; tests say so.

pub mod azure;
pub mod gcp;
pub mod gcs;
mod server;

pub use azure::FakeKeyVault;
pub use gcp::FakeKms;
pub use gcs::FakeStorage;
