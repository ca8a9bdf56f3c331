//! What can go wrong while servers are started and commanded.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// A server, a tool or the API did not do what a test asked.
///
/// `Debug` prints the same as `Display`: tests `unwrap` these, and should read a sentence.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum KitError {
    /// A command ended with something else than success.
    #[error("`{command}` ended with {status}\n{output}")]
    Command {
        /// The command line.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// Its standard output and error.
        output: String,
    },
    /// A file or a process could not be handled.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// The verb.
        what: &'static str,
        /// The file or program.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The API server refused a request, or could not be reached.
    #[error("the API server: {0}")]
    Kube(#[source] Box<kube::Error>),
    /// A kubeconfig that the kit wrote cannot be read.
    #[error("the kubeconfig: {0}")]
    Kubeconfig(#[from] kube::config::KubeconfigError),
    /// An HTTP request of the kit itself failed.
    #[error("HTTP: {0:?}")]
    Http(#[from] reqwest::Error),
    /// A certificate could not be made.
    #[error("cannot make a certificate: {0}")]
    Pki(#[from] rcgen::Error),
    /// A value could not be sealed.
    #[error("cannot seal: {0}")]
    Seal(String),
    /// A server ended, or was not ready in time.
    #[error("{server} did not get ready: {why}\n{log}")]
    Start {
        /// The server's name.
        server: String,
        /// What was seen.
        why: String,
        /// The end of its log.
        log: String,
    },
}

impl KitError {
    /// Shorthand for [`KitError::Io`].
    pub(crate) fn io(
        what: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { what, path, source }
    }
}

impl From<kube::Error> for KitError {
    fn from(error: kube::Error) -> Self {
        Self::Kube(Box::new(error))
    }
}

impl fmt::Debug for KitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
