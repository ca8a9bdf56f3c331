//! Which values of a file are encrypted.
//!
//! A [`Selector`] is compiled once. The walk over the document then carries a [`Scope`] down: one for
//! each value, of which [`Scope::level`] gives the [`Level`] of what is inside. A suffix or expression
//! is tried once for each key or comment, not for each value below it, and not at all where one above
//! has decided.
//!
//! ```text
//!  by keys      a key that fits covers all below it, comments too; items of lists have no key
//!  by comments  a comment that fits covers the comments after it and the next value beside it, with
//!               all below that
//! ```

mod spec;

use crate::go_regex::{GoRegex, GoRegexError};

pub use spec::SelectorSpec;

/// A compiled selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    test: Test,
    /// Whether what is covered is encrypted, or what is not.
    encrypts_covered: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    KeySuffix(String),
    Key(GoRegex),
    Comment(GoRegex),
}

/// Why a selector cannot be used. The peer takes an expression that is none for one that matches
/// nothing, and with `encrypted_regex` then encrypts nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {cause}")]
pub struct SelectorError {
    /// The field of the selector.
    pub field: &'static str,
    /// What is wrong with the expression.
    #[source]
    pub cause: GoRegexError,
}

impl SelectorError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        self.cause.hint()
    }
}

impl Selector {
    /// Compiles a selector.
    ///
    /// # Errors
    /// An expression that Go refuses.
    pub fn compile(spec: &SelectorSpec) -> Result<Self, SelectorError> {
        let regex = |text: &str| {
            GoRegex::new(text).map_err(|cause| SelectorError {
                field: spec.field(),
                cause,
            })
        };
        let (test, encrypts_covered) = match spec {
            SelectorSpec::EncryptedCommentRegex(text) => (Test::Comment(regex(text)?), true),
            SelectorSpec::EncryptedRegex(text) => (Test::Key(regex(text)?), true),
            SelectorSpec::EncryptedSuffix(text) => (Test::KeySuffix(text.clone()), true),
            SelectorSpec::UnencryptedCommentRegex(text) => (Test::Comment(regex(text)?), false),
            SelectorSpec::UnencryptedRegex(text) => (Test::Key(regex(text)?), false),
            SelectorSpec::UnencryptedSuffix(text) => (Test::KeySuffix(text.clone()), false),
        };
        Ok(Self {
            test,
            encrypts_covered,
        })
    }

    /// The inside of a document. Every document of a stream begins anew.
    pub fn document(&self) -> Level<'_> {
        Level {
            selector: self,
            covered: false,
            commented: false,
        }
    }

    /// Whether a value at a path of keys is encrypted, comments left aside: what a new value at that
    /// place will be.
    pub fn encrypts_path<'k>(&self, keys: impl IntoIterator<Item = &'k str>) -> bool {
        let mut level = self.document();
        let mut scope = level.item();
        for key in keys {
            scope = level.entry(key);
            level = scope.level();
        }
        scope.is_encrypted()
    }

    /// Whether comments decide, so that a comment that comes or goes changes what is encrypted.
    pub fn is_by_comments(&self) -> bool {
        matches!(self.test, Test::Comment(_))
    }

    /// Whether an encrypted comment would be taken for one that marks a plain value, so that the file
    /// could not be decrypted any more: with `unencrypted_comment_regex` the ciphertext must not match.
    pub fn mistakes_ciphertext(&self, ciphertext: &str) -> bool {
        match &self.test {
            Test::Comment(regex) => !self.encrypts_covered && regex.is_match(ciphertext),
            Test::Key(_) | Test::KeySuffix(_) => false,
        }
    }

    fn covers_key(&self, key: &str) -> bool {
        match &self.test {
            Test::KeySuffix(suffix) => key.ends_with(suffix.as_str()),
            Test::Key(regex) => regex.is_match(key),
            Test::Comment(_) => false,
        }
    }
}

/// The inside of a mapping, list or document, as far as it was walked.
#[derive(Debug, Clone, Copy)]
pub struct Level<'s> {
    selector: &'s Selector,
    covered: bool,
    /// Whether a comment before the next value covers it.
    commented: bool,
}

impl<'s> Level<'s> {
    /// Steps over a comment: whether it is encrypted. Its text is that of the file, without the `#`.
    pub fn comment(&mut self, text: &str) -> bool {
        let covered = self.covered || self.commented;
        let Test::Comment(regex) = &self.selector.test else {
            return self.scope(covered).is_encrypted();
        };
        self.commented = self.commented || (!covered && regex.is_match(text));
        // The comment that asks for encryption stays plain; the one that asks for none does too.
        self.scope(covered || (self.commented && !self.selector.encrypts_covered))
            .is_encrypted()
    }

    /// Steps over an entry of a mapping.
    pub fn entry(&mut self, key: &str) -> Scope<'s> {
        let covered = self.covered || self.commented || self.selector.covers_key(key);
        self.commented = false;
        self.scope(covered)
    }

    /// Steps over an item of a list.
    pub fn item(&mut self) -> Scope<'s> {
        let covered = self.covered || self.commented;
        self.commented = false;
        self.scope(covered)
    }

    fn scope(&self, covered: bool) -> Scope<'s> {
        Scope {
            selector: self.selector,
            covered,
        }
    }
}

/// Where a value stands, as far as the selector is concerned.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'s> {
    selector: &'s Selector,
    covered: bool,
}

impl<'s> Scope<'s> {
    /// Whether the value is encrypted, if it is a scalar other than null.
    pub fn is_encrypted(self) -> bool {
        self.covered == self.selector.encrypts_covered
    }

    /// The inside of the value, if it is a mapping or a list.
    pub fn level(self) -> Level<'s> {
        Level {
            selector: self.selector,
            covered: self.covered,
            commented: false,
        }
    }
}

#[cfg(test)]
mod tests;
