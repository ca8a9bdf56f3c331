//! The environment of the process as a value: read once, at the start.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

/// Environment variables and the time at which the program started.
///
/// Tests make their own; nothing else asks the process, but clap for the options that name a variable.
#[derive(Clone, Debug)]
pub struct Env {
    variables: BTreeMap<OsString, OsString>,
    current_dir: PathBuf,
    now: Timestamp,
    of_process: bool,
}

impl Env {
    /// What the process was started with.
    pub fn process() -> Self {
        Self {
            current_dir: std::env::current_dir().unwrap_or_default(),
            of_process: true,
            ..Self::new(std::env::vars_os(), Timestamp::now())
        }
    }

    /// An environment of the caller's choice.
    pub fn new(
        variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>,
        now: Timestamp,
    ) -> Self {
        Self {
            variables: variables
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            current_dir: PathBuf::new(),
            now,
            of_process: false,
        }
    }

    /// The same environment in another folder.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.current_dir);
        self
    }

    /// Whether it is that of the process, so that libraries which look around by themselves see the same.
    pub fn is_of_process(&self) -> bool {
        self.of_process
    }

    /// The folder that the program was started in; relative paths are relative to it.
    pub fn current_dir(&self) -> &Path {
        &self.current_dir
    }

    /// A variable; one that is set to nothing counts as not set.
    pub fn var(&self, name: &str) -> Option<&OsStr> {
        self.variables
            .get(OsStr::new(name))
            .map(OsString::as_os_str)
            .filter(|value| !value.is_empty())
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let pairs = self.variables.iter();
        pairs.map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// When the program started.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The user's folder for state of signet: `$XDG_STATE_HOME/signet`, else
    /// `~/.local/state/signet`; nothing without a home.
    ///
    /// Relative paths in the variable are ignored, as the XDG specification asks.
    pub fn state_dir(&self) -> Option<PathBuf> {
        self.xdg("XDG_STATE_HOME", ".local/state")
    }

    /// The user's home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.var("HOME").map(PathBuf::from)
    }

    fn xdg(&self, variable: &str, fallback: &str) -> Option<PathBuf> {
        let base = self
            .var(variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(|| Some(self.home()?.join(fallback)))?;
        Some(base.join("signet"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn state_is_kept_where_the_xdg_specification_says() {
        let at = |variables: &[(&str, &str)]| {
            Env::new(variables.iter().copied(), Timestamp::UNIX_EPOCH).state_dir()
        };
        assert_eq!(
            at(&[("HOME", "/home/user"), ("XDG_STATE_HOME", "/state")]),
            Some("/state/signet".into())
        );
        assert_eq!(
            at(&[("HOME", "/home/user"), ("XDG_STATE_HOME", "relative")]),
            Some("/home/user/.local/state/signet".into())
        );
        assert_eq!(at(&[]), None);
    }
}
