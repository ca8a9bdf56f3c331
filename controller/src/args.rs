//! The command line: the peer's flags under their names, defaults and environment variables, and
//! ours beside.
//!
//! Everything is parsed into its final type here, so that a wrong value stops the program before it
//! does anything (sealed-secrets#1386) and nothing is checked again later.

mod duration;
mod external;
mod http;
mod keys;
mod leader;
mod values;
mod watch;

use std::{any::TypeId, ffi::OsString, path::PathBuf};

use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, ValueEnum};

pub use self::{
    duration::DurationError,
    external::ExternalArgs,
    http::HttpArgs,
    keys::{Cutoff, KeyArgs, KeyOrder},
    leader::LeaderArgs,
    values::{Pairs, ValueError},
    watch::{Scope, WatchArgs},
};

/// Watches SealedSecrets and keeps the Secrets that they describe.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "controller",
    disable_version_flag = true,
    args_override_self = true
)]
pub struct Args {
    /// Print the version and exit
    #[arg(long, action = ArgAction::SetTrue)]
    pub version: bool,

    #[allow(missing_docs)]
    #[command(flatten)]
    pub keys: KeyArgs,
    #[allow(missing_docs)]
    #[command(flatten)]
    pub watch: WatchArgs,
    #[allow(missing_docs)]
    #[command(flatten)]
    pub http: HttpArgs,
    #[allow(missing_docs)]
    #[command(flatten)]
    pub leader: LeaderArgs,
    #[allow(missing_docs)]
    #[command(flatten)]
    pub external: ExternalArgs,

    /// Kubeconfig file, for running outside a cluster
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig
    #[arg(long)]
    pub context: Option<String>,
    /// Namespace of the keys and of the lease; by default the one that the controller runs in
    #[arg(long, env = "POD_NAMESPACE", value_parser = values::namespace)]
    pub namespace: Option<String>,
    /// At most this many API requests a second; zero or less is no limit
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    pub kubeclient_qps: f32,
    /// Requests that may go out at once before the limit counts
    #[arg(long, default_value_t = 10)]
    pub kubeclient_burst: u32,

    /// Least severe level that is logged: DEBUG, INFO, WARN or ERROR
    #[arg(long, default_value = "INFO", ignore_case = true)]
    pub log_level: LogLevel,
    /// Form of the log
    #[arg(long, default_value = "text", ignore_case = true)]
    pub log_format: LogFormat,
    /// Log to stdout what is not a warning or an error
    #[arg(long, default_value = "true", value_parser = values::boolean, action = ArgAction::Set)]
    pub log_info_stdout: bool,

    /// Arguments that are not flags are ignored, as the peer does
    #[arg(hide = true)]
    pub ignored: Vec<OsString>,
}

/// Severity of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum LogLevel {
    Debug,
    Info,
    #[value(alias = "warning")]
    Warn,
    Error,
}

/// Form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum LogFormat {
    Text,
    Json,
}

impl Args {
    /// Reads a command line whose first word is the program, and the environment beneath it.
    pub fn parse_from<I, T>(command_line: I) -> Result<Self, clap::Error>
    where
        I: IntoIterator<Item = T>,
        T: Into<OsString> + Clone,
    {
        let mut command = Self::command().mut_args(as_the_peer);
        let matches = command.try_get_matches_from_mut(command_line)?;
        let args = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        args.check()
            .map_err(|message| command.error(clap::error::ErrorKind::ValueValidation, message))?;
        Ok(args)
    }

    /// What no single flag can tell.
    fn check(&self) -> Result<(), String> {
        self.leader.check()?;
        self.http.check()?;
        self.watch.check()?;
        self.keys.check()
    }
}

/// What all flags have in common: each can be set by a variable of the environment, and a boolean takes
/// its value after an equals sign or not at all.
fn as_the_peer(mut arg: Arg) -> Arg {
    // A variable that merely names a version must not make the program print its own and end.
    let is_settable = arg.get_env().is_none() && !matches!(arg.get_action(), ArgAction::SetTrue);
    if let Some(long) = arg.get_long().filter(|_| is_settable) {
        let variable = format!(
            "SEALED_SECRETS_{}",
            long.to_ascii_uppercase().replace('-', "_")
        );
        arg = arg.env(variable);
    }
    let is_boolean = arg.get_value_parser().type_id() == TypeId::of::<bool>();
    if is_boolean && matches!(arg.get_action(), ArgAction::Set) {
        arg = arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true");
    }
    arg
}

#[cfg(test)]
mod tests;
