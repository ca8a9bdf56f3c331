//! The one trait of this crate.

use futures::future::{BoxFuture, FutureExt};
use signet_keys::Plaintext;
use signet_keys::sops::MasterKey;

use crate::KeyError;

/// Wraps and unwraps data keys, or one group's share of one, for one master key at a time.
pub trait KeyService: Send + Sync {
    /// What errors call it: `this machine`, or the address of another.
    fn name(&self) -> &str;

    /// Wraps a secret for a key. The answer is what the metadata of a file keeps as `enc`.
    fn wrap<'a>(
        &'a self,
        key: &'a MasterKey,
        secret: &'a Plaintext,
    ) -> BoxFuture<'a, Result<String, KeyError>>;

    /// Unwraps what was wrapped for a key.
    fn unwrap<'a>(
        &'a self,
        key: &'a MasterKey,
        wrapped: &'a str,
    ) -> BoxFuture<'a, Result<Plaintext, KeyError>>;

    /// The key as it is to be written into a file: an Azure key that is given without a version gets
    /// its newest one. Any other key is complete.
    fn complete<'a>(&'a self, key: &'a MasterKey) -> BoxFuture<'a, Result<MasterKey, KeyError>> {
        futures::future::ready(Ok(key.clone())).boxed()
    }
}
