//! What a command's error looks like to the person who ran it.
//!
//! Each operation has its own error enum; where it leaves the command it becomes a [`Failure`]:
//! one line that says what and where, an optional hint that says what to do next, and a status.

use std::error::Error;
use std::fmt::Write as _;
use std::io;

use crate::ExitStatus;

/// An error that may know what the user can do about it.
pub trait Hint: Error {
    /// The next step, as a sentence without a period, or nothing when the message says it all.
    fn hint(&self) -> Option<String> {
        None
    }
}

/// An error as it is shown: never holds a secret value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong and where: lower case, no trailing period, causes joined by `: `.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// How the program ends because of it.
    pub status: ExitStatus,
}

impl Failure {
    /// A failure that is told by one sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            status: ExitStatus::Failure,
        }
    }

    /// The same failure with a next step.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A command line that contradicts itself in a way that the grammar cannot see.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            status: ExitStatus::Usage,
            ..Self::new(message)
        }
    }

    /// The reader of our output went away: nothing to say, and not a failure.
    pub(crate) fn from_output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self {
                message: String::new(),
                hint: None,
                status: ExitStatus::Success,
            }
        } else {
            Self::new(format!("cannot write to standard output: {error}"))
        }
    }
}

impl<E: Hint> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            message: chain(&error),
            hint: error.hint(),
            status: ExitStatus::Failure,
        }
    }
}

/// The error and its causes on one line; a cause that is already told is not told again.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let told = error.to_string();
        if !text.contains(&told) {
            // Writing to a String cannot fail.
            let _ = write!(text, ": {told}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read `a.yaml`")]
    struct Outer(#[source] io::Error);

    impl Hint for Outer {
        fn hint(&self) -> Option<String> {
            Some("look again".to_owned())
        }
    }

    #[test]
    fn a_failure_tells_the_causes_and_the_next_step() {
        let failure = Failure::from(Outer(io::Error::other("disk on fire")));
        assert_eq!(failure.message, "cannot read `a.yaml`: disk on fire");
        assert_eq!(failure.hint.as_deref(), Some("look again"));
        assert_eq!(failure.status, ExitStatus::Failure);
    }

    #[test]
    fn a_broken_pipe_is_not_a_failure() {
        let failure = Failure::from_output(&io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(failure.status, ExitStatus::Success);
    }
}
