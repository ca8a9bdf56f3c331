//! How a command ends.

use std::process::ExitCode;

/// The exit status of `signet`. (Called as `kubeseal` or `sops` it keeps the peer's.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: everything that was asked for was done. Also when the reader of our output went away.
    Success,
    /// 1: something that was asked for could not be done; the reason is on standard error.
    Failure,
    /// 2: the command line could not be understood; nothing was read or written.
    Usage,
    /// Another number: one of the peer's, or that of a command that was run.
    Code(u8),
}

impl ExitStatus {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Usage => 2,
            Self::Code(code) => code,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}
