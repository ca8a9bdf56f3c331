//! Secrets of a key-value engine, version 1 or 2, of Vault or `OpenBao`.
//!
//! One store logs in once; its token is renewed while it can be, got anew when it is revoked, and given
//! back at the end.

mod find;
mod place;
mod read;
mod session;
mod settings;
mod write;

use std::collections::BTreeMap;

use futures::future::{BoxFuture, FutureExt};

use self::session::Session;
use crate::store::{
    Checked, Deleted, Push, Pushed, Query, Reference, SecretStore, StoreError, Value,
};
use crate::{Environment, Policy};

pub use settings::{Auth, ClientCertificate, KvVersion, Settings, Token};

/// A key-value engine and who asks it.
pub struct VaultStore {
    settings: Settings,
    session: Session,
}

impl VaultStore {
    /// A store. Nothing is asked yet.
    ///
    /// # Errors
    /// An address, a certificate or a header that cannot be used.
    pub fn new(
        settings: Settings,
        environment: &Environment,
        policy: &Policy,
    ) -> Result<Self, StoreError> {
        let session = Session::new(&settings, environment, policy)?;
        Ok(Self { settings, session })
    }
}

impl SecretStore for VaultStore {
    fn provider(&self) -> &'static str {
        "HashiCorp/Vault"
    }

    fn read<'a>(&'a self, reference: &'a Reference) -> BoxFuture<'a, Result<Value, StoreError>> {
        self.read_one(reference).boxed()
    }

    fn find<'a>(
        &'a self,
        query: &'a Query,
    ) -> BoxFuture<'a, Result<BTreeMap<String, Value>, StoreError>> {
        self.find_all(query).boxed()
    }

    fn push<'a>(&'a self, push: &'a Push) -> BoxFuture<'a, Result<Pushed, StoreError>> {
        self.write(push).boxed()
    }

    fn exists<'a>(
        &'a self,
        key: &'a str,
        property: Option<&'a str>,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        self.has(key, property).boxed()
    }

    fn delete<'a>(
        &'a self,
        key: &'a str,
        property: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Deleted, StoreError>> {
        self.remove(key, property).boxed()
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, StoreError>> {
        self.session.check().boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.session.close().boxed()
    }
}
