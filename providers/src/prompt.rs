//! The seam to a person.

use signet_keys::Plaintext;

/// Asks whoever is there. The command line implements it; nothing here prints. Services may ask from
/// several threads at once: one question at a time is the implementation's business.
pub trait Prompt: Send + Sync {
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

    /// A plugin has something to say, such as "touch your key".
    fn message(&self, text: &str) {
        let _ = text;
    }

    /// A plugin wants a decision between `yes` and, if given, `no`. `None` when nobody can decide.
    fn confirm(&self, text: &str, yes: &str, no: Option<&str>) -> Option<bool> {
        let _ = (text, yes, no);
        None
    }

    /// A plugin wants a text that is no secret.
    fn text(&self, question: &str) -> Option<String> {
        let _ = question;
        None
    }

    /// A plugin wants a secret, such as a PIN.
    fn secret(&self, question: &str) -> Option<Plaintext> {
        let _ = question;
        None
    }
}

/// Nobody is there.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPrompt;

impl Prompt for NoPrompt {}
