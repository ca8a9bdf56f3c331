//! Selectors of a file that are not those of its rule.

use crate::rules::CreationRule;
use crate::sops::metadata::Metadata;
use crate::sops::selector::{Selector, SelectorError, SelectorSpec};

/// A file keeps the selector that it was made with, whatever becomes of the rule. A value that is added
/// later is then encrypted or not as the old selector says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorDrift {
    /// What the file says.
    pub file: SelectorSpec,
    /// What the rule says.
    pub rule: SelectorSpec,
}

impl SelectorDrift {
    /// Compares a file with its rule; `None` if they say the same.
    pub fn between(file: &Metadata, rule: &CreationRule) -> Option<Self> {
        let drift = Self {
            file: file.effective_selector(),
            rule: rule.selector.clone().unwrap_or_default(),
        };
        (drift.file != drift.rule).then_some(drift)
    }

    /// Whether a value put at a path of keys would be stored in plaintext, though the rule encrypts it.
    /// Comments are left aside: by `encrypted_comment_regex` a value without a comment is plain.
    ///
    /// # Errors
    /// A selector that cannot be compiled.
    pub fn exposes<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k str> + Clone,
    ) -> Result<bool, SelectorError> {
        let by_file = Selector::compile(&self.file)?.encrypts_path(keys.clone());
        Ok(!by_file && Selector::compile(&self.rule)?.encrypts_path(keys))
    }
}
