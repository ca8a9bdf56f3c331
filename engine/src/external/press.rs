//! What renders templates.

use std::collections::BTreeMap;

use signet_keys::Plaintext;

/// Renders templates in Go's language, with the functions of the peer, in bounded time.
pub trait Press {
    /// Renders a template over strings, which it sees as `.`: `{{ .user }}`. `name` stands in errors.
    ///
    /// # Errors
    /// The template is none, or a function fails.
    fn render(
        &mut self,
        name: &str,
        text: &str,
        data: &BTreeMap<String, Plaintext>,
    ) -> Result<Plaintext, TemplateError>;
}

/// Why a template gives nothing. Says where and why, and never a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateError {
    /// Where and why.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl TemplateError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }
}

/// Adds to an error how a key is written that is no name in a template: with a dash it does not parse,
/// with a dot it means something else (external-secrets#4332).
pub(super) fn with_key_hint(
    mut error: TemplateError,
    text: &str,
    data: &BTreeMap<String, Plaintext>,
) -> TemplateError {
    let is_name = |key: &str| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        key.chars().all(word) && !key.starts_with(|c: char| c.is_ascii_digit())
    };
    let unnameable = data.keys().filter(|key| !is_name(key));
    let meant = unnameable.filter(|key| text.contains(&format!(".{key}")));
    if let Some(key) = meant.max_by_key(|key| key.len()) {
        error.hint = Some(format!(
            "write `{{{{ index . \"{key}\" }}}}` for the key `{key}`"
        ));
    }
    error
}
