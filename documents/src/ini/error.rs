//! Why a text is no INI file.

/// Why a text is no INI file. No line is shown: it may be half of a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IniError {
    /// The key is in its section already.
    #[error("line {line}: the key `{key}` is in the section already, at line {first}")]
    DuplicateKey {
        /// Line, from 1.
        line: usize,
        /// Line of the first one.
        first: usize,
        /// The key.
        key: String,
    },
    /// Nothing before the `=`.
    #[error("line {line}: the key is empty")]
    EmptyKey {
        /// Line, from 1.
        line: usize,
    },
    /// `[]`.
    #[error("line {line}: the name of the section is empty")]
    EmptySection {
        /// Line, from 1.
        line: usize,
    },
    /// Neither a section nor a comment nor a key.
    #[error("line {line} has no `=`")]
    NoDelimiter {
        /// Line, from 1.
        line: usize,
    },
    /// A key that begins with a quote and does not end with one.
    #[error("line {line}: the quote that opens the key is not closed")]
    UnclosedKey {
        /// Line, from 1.
        line: usize,
    },
    /// `[name` without a `]`.
    #[error("line {line}: the section has no `]`")]
    UnclosedSection {
        /// Line, from 1.
        line: usize,
    },
    /// A value that begins with `` ` `` or `"""` and does not end with it.
    #[error("line {line}: the quote that opens the value of `{key}` is not closed")]
    UnclosedValue {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
    },
}

impl IniError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::DuplicateKey { .. } => "sops would keep the last one alone: remove or rename one",
            Self::EmptyKey { .. } | Self::NoDelimiter { .. } => {
                "write `key = value`; a value of several lines belongs between \"\"\" and \"\"\""
            }
            Self::EmptySection { .. } | Self::UnclosedSection { .. } => "write `[name]`",
            Self::UnclosedKey { .. } | Self::UnclosedValue { .. } => "close the quote",
        }
    }
}
