//! Stores of secrets: what can be read from them, searched, written to them and deleted.
//!
//! A store is one identity at one backend: who asks, and where. It knows nothing of Kubernetes; who
//! builds it has resolved every reference to a value before. Values are read whole: taking one
//! property out of them is the same for all backends, and is the engine's.

mod error;
mod shared;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt, join_all};
use signet_keys::Plaintext;

pub use error::{StoreError, StoreErrorKind};
pub use shared::{Shared, SharedStore};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// Path, name, ARN: what the backend calls the secret.
    pub key: String,
    /// Version, stage or label of the backend; the newest without one.
    pub version: Option<String>,
    /// What of it.
    pub part: Part,
}

/// What of a secret is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Its value.
    #[default]
    Value,
    /// Its tags, labels or custom metadata, as a JSON object.
    Metadata,
}

/// What a backend has under one key.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Bytes, which may be JSON. What is structured at the backend (KV of Vault) is JSON here: compact,
    /// its keys sorted, the text of its numbers kept.
    Bytes(Plaintext),
    /// Named values of arbitrary bytes, as a Secret of Kubernetes has them.
    Fields(BTreeMap<String, Plaintext>),
}

/// A search. What is given must all fit, and at least one of `name` and `tags` is given.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Query {
    /// Where to search; everywhere without it.
    pub path: Option<String>,
    /// A regular expression of Go's kind, unanchored, on the name.
    pub name: Option<String>,
    /// Tags with these values.
    pub tags: BTreeMap<String, String>,
}

/// What is written.
#[derive(Debug, Clone)]
pub struct Push {
    /// The secret.
    pub key: String,
    /// One property of it, where the rest stays; all of it otherwise.
    pub property: Option<String>,
    /// What it is to be.
    pub value: Value,
    /// Settings of the backend, as the resource has them: `spec` of a `PushSecretMetadata`.
    pub options: serde_json::Value,
}

/// What came of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushed {
    /// It was written.
    Written,
    /// It was so already.
    Unchanged,
}

/// What came of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone.
    Deleted,
    /// It was gone already.
    Missing,
    /// It is not ours, and left alone.
    Foreign,
}

/// What a check of a store found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// The backend has taken the credentials.
    Valid,
    /// Nothing can be said without asking for a secret.
    Unknown,
}

/// One identity at one backend.
pub trait SecretStore: Send + Sync {
    /// The backend, as metrics name it: `HashiCorp/Vault`.
    fn provider(&self) -> &'static str;

    /// Reads a secret.
    fn read<'a>(&'a self, reference: &'a Reference) -> BoxFuture<'a, Result<Value, StoreError>>;

    /// Reads several, in as few calls as the backend allows: one answer for each, in their order.
    fn read_all<'a>(
        &'a self,
        references: &'a [Reference],
    ) -> BoxFuture<'a, Vec<Result<Value, StoreError>>> {
        join_all(references.iter().map(|reference| self.read(reference))).boxed()
    }

    /// Everything that a query finds, by name.
    fn find<'a>(
        &'a self,
        query: &'a Query,
    ) -> BoxFuture<'a, Result<BTreeMap<String, Value>, StoreError>>;

    /// Writes a secret, or a property of one. What is there and not ours is not overwritten.
    fn push<'a>(&'a self, push: &'a Push) -> BoxFuture<'a, Result<Pushed, StoreError>>;

    /// Whether a secret, or a property of it, exists.
    fn exists<'a>(
        &'a self,
        key: &'a str,
        property: Option<&'a str>,
    ) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Deletes a secret that is ours, or one property of it.
    fn delete<'a>(
        &'a self,
        key: &'a str,
        property: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Deleted, StoreError>>;

    /// Whether the backend takes the credentials.
    fn check(&self) -> BoxFuture<'_, Result<Checked, StoreError>>;

    /// Gives back what was taken: tokens are revoked. The store is not used afterwards.
    fn close(&self) -> BoxFuture<'_, ()> {
        futures::future::ready(()).boxed()
    }
}

/// Where a token comes from that expires: of a `ServiceAccount`, say. Asked again when it is needed again.
pub trait TokenSource: Send + Sync + fmt::Debug {
    /// A token for these audiences, good for about this long.
    fn token<'a>(
        &'a self,
        audiences: &'a [String],
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<Plaintext, StoreError>>;
}

impl Reference {
    /// The newest value of a secret.
    pub fn to(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            version: None,
            part: Part::Value,
        }
    }
}
