//! One identity tried on one file.

use std::cell::RefCell;

use age::{DecryptError, Identity as _};
use age_core::format::{FileKey, Stanza};

use super::identity::{Identity, Key};
use super::{Assistant, IdentityError, IdentityFailure, PluginError};

/// An identity as the age crate takes it. Failures are noted, and the next identity is tried.
pub(super) struct Attempt<'a> {
    identity: &'a Identity,
    assistant: &'a dyn Assistant,
    failures: &'a RefCell<Vec<IdentityFailure>>,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(
        identity: &'a Identity,
        assistant: &'a dyn Assistant,
        failures: &'a RefCell<Vec<IdentityFailure>>,
    ) -> Self {
        Self {
            identity,
            assistant,
            failures,
        }
    }

    fn open(&self, stanzas: &[Stanza]) -> Result<Option<FileKey>, IdentityError> {
        let source = self.identity.source();
        let found = match self.identity.key() {
            Key::X25519(identity) => identity.unwrap_stanzas(stanzas),
            Key::PostQuantum(identity) => identity.unwrap_stanzas(stanzas),
            Key::Ssh(identity) => identity.unwrap_stanzas(stanzas),
            Key::LockedSsh(locked) if !locked.is_meant(stanzas) => None,
            Key::LockedSsh(locked) => {
                let identity = locked.open(source, self.assistant)?;
                identity.unwrap_stanzas(stanzas)
            }
            Key::LockedFile(locked) => {
                for identity in locked.open(source, self.assistant)?.iter() {
                    let inner = Attempt { identity, ..*self };
                    if let Some(key) = inner.open(stanzas)? {
                        return Ok(Some(key));
                    }
                }
                None
            }
            Key::Plugin { name, text } => {
                let plugin = self.assistant.plugin_identity(name, text)?;
                return plugin
                    .unwrap_stanzas(stanzas)
                    .transpose()
                    .map_err(|error| failed(name, &error));
            }
        };
        found.transpose().map_err(|_| IdentityError::Malformed)
    }
}

/// What a plugin says is for the person who uses it.
fn failed(name: &str, error: &DecryptError) -> IdentityError {
    let name = name.to_owned();
    let message = error.to_string();
    PluginError::Failed { name, message }.into()
}

impl age::Identity for Attempt<'_> {
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.unwrap_stanzas(std::slice::from_ref(stanza))
    }

    fn unwrap_stanzas(&self, stanzas: &[Stanza]) -> Option<Result<FileKey, DecryptError>> {
        match self.open(stanzas) {
            Ok(key) => key.map(Ok),
            Err(error) => {
                self.failures.borrow_mut().push(IdentityFailure {
                    source_name: self.identity.source().to_owned(),
                    error,
                });
                None
            }
        }
    }
}
