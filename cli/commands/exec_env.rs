//! `signet exec-env FILE -- COMMAND…`

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::process::user::User;
use crate::secrets::environment_of::variables;
use crate::secrets::options::{InputOptions, MacOptions, UnlockOptions};
use crate::secrets::{Services, exec, work};
use crate::{Context, ExitStatus, Failure};

const EXAMPLES: &str = "\
Examples:
  signet exec-env secrets.enc.yaml -- ./server --port 80
  signet exec-env secrets.env -- sh -c 'psql \"$DATABASE_URL\"'

The command takes the place of signet, so signals reach it and its exit status is the one you see. No
shell is started unless you name one.";

/// Run a command with the values of a SOPS file in its environment
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExecEnv {
    /// The encrypted file: values at its top become variables
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The command and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
    /// Give the command these variables alone
    #[arg(long)]
    pristine: bool,
    /// Run it as this user
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    mac: MacOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
}

impl ExecEnv {
    /// Becomes the command.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let user = self.user.as_deref().map(User::find).transpose()?;
        let services = Services::open(&self.unlock.services.services(), context)?;
        let format = self.input.format(&self.file);
        let order = self.unlock.order()?;
        let opened = work::open(&self.file, format, &services, &order, self.mac.check())?;
        let variables = variables(&opened.decrypted.tree)?;
        let (program, args) = self
            .command
            .split_first()
            .ok_or_else(|| Failure::usage("there is no command to run"))?;
        let mut command = Command::new(program);
        command.args(args);
        if self.pristine {
            command.env_clear();
        }
        if let Some(user) = &user {
            user.apply(&mut command);
        }
        command.envs(variables.iter().map(|(name, value)| (name, value.as_str())));
        Err(exec::become_it(&mut command).into())
    }
}
