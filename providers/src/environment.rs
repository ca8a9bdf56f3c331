//! What surrounds the process, as a value.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;

/// The variables of an environment. Tests and the controller make their own; programs that are
/// started get these variables and no others. `Debug` shows names alone: identities are among the
/// values.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, OsString>,
    of_process: bool,
}

impl Environment {
    /// The environment of this process, as it is now.
    pub fn of_process() -> Self {
        let named = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value));
        Self {
            variables: std::env::vars_os().filter_map(named).collect(),
            of_process: true,
        }
    }

    /// Whether it began as that of this process. Libraries that look around by themselves are used
    /// only then.
    pub fn is_of_process(&self) -> bool {
        self.of_process
    }

    /// Adds or replaces a variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.to_owned(), value.into());
        self
    }

    /// A variable. One that is empty, or not Unicode, counts as not set.
    pub fn var(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?.to_str()?;
        (!value.is_empty()).then_some(value)
    }

    /// A variable that is a path.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let value = self.variables.get(name)?;
        (!value.is_empty()).then(|| value.into())
    }

    /// The home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.path(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
    }

    /// The folder of the user's configuration, where `sops/age/keys.txt` is looked for.
    pub fn config_dir(&self) -> Option<PathBuf> {
        if cfg!(windows) {
            return self.path("AppData");
        }
        self.path("XDG_CONFIG_HOME").or_else(|| {
            let below = if cfg!(target_os = "macos") {
                "Library/Application Support"
            } else {
                ".config"
            };
            Some(self.home()?.join(below))
        })
    }

    /// A program of this name in the folders of `PATH`.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let folders = self.variables.get("PATH")?;
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(folders)
            .map(|folder| folder.join(&name))
            .find(|path| path.is_file())
    }

    /// A command that runs in this environment.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.variables);
        command
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.variables.keys();
        f.debug_tuple("Environment")
            .field(&names.collect::<Vec<_>>())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_value() {
        let environment = Environment::default().with("SOPS_AGE_KEY", "hunter2");
        assert_eq!(
            format!("{environment:?}"),
            r#"Environment(["SOPS_AGE_KEY"])"#
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_configuration_is_below_xdg_config_home_or_the_home_folder() {
        let home = Environment::default().with("HOME", "/home/alice");
        assert_eq!(home.config_dir(), Some("/home/alice/.config".into()));
        let xdg = home.with("XDG_CONFIG_HOME", "/etc/alice");
        assert_eq!(xdg.config_dir(), Some("/etc/alice".into()));
        assert_eq!(Environment::default().config_dir(), None);
    }

    #[test]
    fn an_empty_variable_counts_as_not_set() {
        let environment = Environment::default().with("VAULT_TOKEN", "");
        assert_eq!(environment.var("VAULT_TOKEN"), None);
        assert_eq!(environment.path("VAULT_TOKEN"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_gets_these_variables_and_no_others() {
        let environment = Environment::default().with("ONE", "1");
        let output = environment.command("/usr/bin/env").output();
        assert_eq!(
            output.map(|output| output.stdout).ok(),
            Some(b"ONE=1\n".to_vec())
        );
    }
}
