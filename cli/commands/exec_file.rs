//! `signet exec-file FILE -- COMMAND…`

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::process::user::User;
use crate::secrets::exec::{self, SecretPath};
use crate::secrets::options::{InputOptions, MacOptions, OutputOptions, UnlockOptions};
use crate::secrets::{Services, output, work};
use crate::{Context, ExitStatus, Failure};

const EXAMPLES: &str = "\
Examples:
  signet exec-file kubeconfig.enc.yaml -- kubectl --kubeconfig {} get pods
  signet exec-file --file secrets.enc.json -- ./server --config {}

`{}` in the arguments becomes the path. It is a named pipe, which can be read once and is never on a
disk; a command that reads it twice needs `--file`.";

/// Run a command that reads a decrypted SOPS file
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExecFile {
    /// The encrypted file
    #[arg(value_name = "FILE")]
    source: PathBuf,
    /// The command and its arguments; `{}` stands for the decrypted file
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
    /// A regular file instead of a named pipe, in memory where the system has a folder for that
    #[arg(long)]
    file: bool,
    /// Run it as this user
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    layout: OutputOptions,
    #[command(flatten)]
    mac: MacOptions,
    #[command(flatten)]
    unlock: UnlockOptions,
}

impl ExecFile {
    /// Runs the command to its end.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let user = self.user.as_deref().map(User::find).transpose()?;
        let services = Services::open(&self.unlock.services.services(), context)?;
        let format = self.input.format(&self.source);
        let order = self.unlock.order()?;
        let opened = work::open(&self.source, format, &services, &order, self.mac.check())?;
        let (to, layout) = (self.layout.format(format), self.layout.layout());
        let text = output::decrypted(opened.decrypted, format, to, layout)?;
        let name = self.source.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let place = if self.file {
            SecretPath::file(&name, &text, context)?
        } else {
            SecretPath::pipe(&name, text, context)?
        };
        let path = place.path();
        let words = self.command.iter().map(|word| match word.to_str() {
            Some(word) => OsString::from(word.replace("{}", &path)),
            None => word.clone(),
        });
        let words: Vec<_> = words.collect();
        let (program, args) = words
            .split_first()
            .ok_or_else(|| Failure::usage("there is no command to run"))?;
        let mut command = Command::new(program);
        command.args(args);
        if let Some(user) = &user {
            place.give_to(user)?;
            user.apply(&mut command);
        }
        Ok(exec::run_with(&mut command, place, context)?.status())
    }
}
