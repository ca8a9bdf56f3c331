//! How a command ends.

use std::process::ExitCode;

/// The exit status of `signet`. (Called as `kubeseal` it keeps the peer's: 0, 1, and 2 for usage.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: everything that was asked for was done. Also when the reader of our output went away.
    Success,
    /// 1: something that was asked for could not be done; the reason is on standard error.
    Failure,
    /// 2: the command line could not be understood; nothing was read or written.
    Usage,
}

impl ExitStatus {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Usage => 2,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}
