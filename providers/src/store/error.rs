//! Why a store did not answer.

use std::time::Duration;

/// Why a store did not answer. Names secrets, servers and identities; never a value, and never what a
/// server wrote, which could quote one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    kind: StoreErrorKind,
    message: String,
    hint: Option<String>,
}

/// What kind of failure it is: what follows from it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// There is no such secret.
    Missing,
    /// There is the secret, and not this version of it: deleted, destroyed, never made.
    VersionMissing,
    /// The identity may not.
    Denied,
    /// The credentials are not taken.
    Unauthenticated,
    /// What is asked for cannot be: a malformed name, an unknown option, a feature that the backend lacks.
    Invalid,
    /// It is there and not ours, or was changed meanwhile.
    Conflict,
    /// The backend asks for patience.
    Throttled {
        /// For how long, if it says so.
        retry_after: Option<Duration>,
    },
    /// The backend does not answer, or says that it cannot now.
    Unavailable,
    /// The backend answers what is not understood.
    Answer,
    /// The administrator does not allow it: an address, an identity of the program's own.
    NotAllowed,
}

impl StoreError {
    /// A failure. The message says what and where, in lower case.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: None,
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What kind it is.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the secret, or the version asked for, is really gone: what a deletion policy waits for.
    pub fn is_gone(&self) -> bool {
        matches!(
            self.kind,
            StoreErrorKind::Missing | StoreErrorKind::VersionMissing
        )
    }

    /// Whether another attempt may end otherwise with nothing changed by a person.
    pub fn is_transient(&self) -> bool {
        matches!(
            self.kind,
            StoreErrorKind::Throttled { .. } | StoreErrorKind::Unavailable
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_really_gone_counts_as_gone() {
        let gone = |kind| StoreError::new(kind, "x").is_gone();
        assert!(gone(StoreErrorKind::Missing) && gone(StoreErrorKind::VersionMissing));
        for kind in [
            StoreErrorKind::Denied,
            StoreErrorKind::Unauthenticated,
            StoreErrorKind::Throttled { retry_after: None },
            StoreErrorKind::Unavailable,
            StoreErrorKind::Answer,
        ] {
            assert!(!gone(kind), "{kind:?}");
        }
    }
}
