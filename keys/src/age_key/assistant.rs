//! The seam to persons and other programs.

use crate::Plaintext;

/// Helps with what this crate cannot do by itself. Every method is called only when the answer is
/// needed, and an unlocked identity is kept, so that nobody is asked twice.
pub trait Assistant {
    /// The passphrase that protects an identity. `source` is where the identity was found. `None`
    /// when there is nobody to ask.
    fn passphrase(&self, source: &str) -> Option<Plaintext> {
        let _ = source;
        None
    }

    /// The passphrase was wrong: forget it if it was remembered.
    fn wrong_passphrase(&self, source: &str) {
        let _ = source;
    }

    /// The plugin that serves an identity (`AGE-PLUGIN-<NAME>-1...`, a secret).
    fn plugin_identity(
        &self,
        name: &str,
        identity: &str,
    ) -> Result<Box<dyn age::Identity>, PluginError> {
        let _ = identity;
        Err(PluginError::Unavailable(name.to_owned()))
    }

    /// The plugin that serves a recipient (`age1<name>1...`).
    fn plugin_recipient(
        &self,
        name: &str,
        recipient: &str,
    ) -> Result<Box<dyn age::Recipient>, PluginError> {
        let _ = recipient;
        Err(PluginError::Unavailable(name.to_owned()))
    }
}

/// Nobody is there, and nothing is started.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unattended;

impl Assistant for Unattended {}

/// Why a plugin did not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PluginError {
    /// Plugins are not started here, or there is none of this name.
    #[error("the age plugin `age-plugin-{0}` is not available")]
    Unavailable(
        /// The plugin's name.
        String,
    ),
    /// It ran and refused.
    #[error("the age plugin `age-plugin-{name}` failed: {message}")]
    Failed {
        /// The plugin's name.
        name: String,
        /// What it said.
        message: String,
    },
}
