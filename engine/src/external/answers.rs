//! What stores, generators and the cluster answered.

use std::collections::BTreeMap;
use std::time::Duration;

use signet_keys::Plaintext;

use super::needs::{Find, Read, Source};

/// The answers to [`Needs`](super::needs::Needs).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// To each read.
    pub reads: BTreeMap<Read, Result<Fetched, Failure>>,
    /// To each search: what was found, by the name that the store has for it.
    pub finds: BTreeMap<Find, Result<BTreeMap<String, Fetched>, Failure>>,
    /// To each generator, by the position of its entry in `dataFrom`.
    pub generated: BTreeMap<usize, Result<BTreeMap<String, Plaintext>, Failure>>,
    /// To each ConfigMap or Secret with templates: all its items.
    pub sources: BTreeMap<Source, Result<BTreeMap<String, Plaintext>, Failure>>,
}

/// What a store has under one key.
#[derive(Debug, Clone, PartialEq)]
pub enum Fetched {
    /// A value, which may be JSON.
    Bytes(Plaintext),
    /// Named values.
    Fields(BTreeMap<String, Plaintext>),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// What is asked for is really gone, or this version of it: what a deletion policy waits for.
    Missing,
    /// Anything else.
    Failed {
        /// Cause, and remedy where there is one. Names secrets and servers, never a value.
        message: String,
        /// Whether another attempt may end otherwise with nothing changed by a person.
        transient: bool,
        /// After how long the store asks to be asked again.
        retry_after: Option<Duration>,
    },
}
