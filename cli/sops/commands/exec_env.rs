//! `sops exec-env`

use std::process::{Command, Stdio};

use signet_documents::sops::FileFormat;

use crate::files::Input;
use crate::paths::absolute;
use crate::process::Ended;
use crate::process::user::User;
use crate::secrets::environment_of::variables;
use crate::secrets::exec::{self, ExecError};
use crate::{Context, ExitStatus, Failure};

use super::super::codes::{self, fail};
use super::super::flags::{BACKGROUND, PRISTINE, SAME_PROCESS, USER};
use super::super::log::{self, Level};
use super::super::parser::Arguments;
use super::super::result;
use super::decrypt::Unlocking;

#[derive(Debug)]
struct ExecEnv {
    file: String,
    command: String,
    background: bool,
    pristine: bool,
    same_process: bool,
    user: Option<User>,
    unlocking: Unlocking,
}

/// Runs `sops exec-env`.
pub(in super::super) fn run(
    arguments: &Arguments,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let [file, command] = arguments.words.as_slice() else {
        return Err(fail(codes::GENERIC, "error: missing file to decrypt"));
    };
    let flags = &arguments.flags;
    if flags.is_on(&BACKGROUND) {
        log::warn(
            context,
            "exec-env's --background option is deprecated and will be removed in a future version of sops",
        );
        if flags.is_on(&SAME_PROCESS) {
            return Err(fail(
                codes::CONFLICT,
                "Error: The --same-process flag cannot be used with --background",
            ));
        }
    }
    let user = match user(flags.text(&USER)) {
        Ok(user) => user,
        Err(told) => {
            log::write(context, Level::Fatal, &told);
            return Ok(ExitStatus::Code(codes::GENERIC));
        }
    };
    ExecEnv {
        file: file.clone(),
        command: command.clone(),
        background: flags.is_on(&BACKGROUND),
        pristine: flags.is_on(&PRISTINE),
        same_process: flags.is_on(&SAME_PROCESS),
        user,
        unlocking: Unlocking::read(arguments)?,
    }
    .run(context)
}

impl ExecEnv {
    fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let path = absolute(&context.env, &self.file);
        let format = FileFormat::of_name(&self.file);
        let decrypted = self
            .unlocking
            .open(&Input::File(path), format, context)?
            .decrypted;
        result::warn(&decrypted.warnings, context);
        let variables =
            variables(&decrypted.tree).map_err(|error| fail(codes::GENERIC, error.to_string()))?;
        let mut command = shell(&self.command);
        if self.pristine {
            command.env_clear();
        }
        if let Some(user) = &self.user {
            user.apply(&mut command);
        }
        command.envs(variables.iter().map(|(name, value)| (name, value.as_str())));
        if self.same_process {
            return Err(cannot_run(&exec::become_it(&mut command)));
        }
        if self.background {
            return background(&mut command);
        }
        let ended = exec::run(&mut command, context).map_err(|error| cannot_run(&error))?;
        Ok(finish(ended, context))
    }
}

/// The command line for the shell, as the peer runs it.
pub(super) fn shell(command: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", command]);
    shell
}

/// The user of a name, if one is given.
pub(super) fn user(name: Option<&str>) -> Result<Option<User>, String> {
    name.map(User::find)
        .transpose()
        .map_err(|error| crate::error::chain(&error))
}

pub(super) fn background(command: &mut Command) -> Result<ExitStatus, Failure> {
    // It has none of our streams: who waits for their end would wait for it.
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let started = command.spawn();
    started.map_err(|error| fail(codes::GENERIC, format!("cannot run the command: {error}")))?;
    Ok(ExitStatus::Success)
}

pub(super) fn cannot_run(error: &ExecError) -> Failure {
    fail(codes::GENERIC, crate::error::chain(error))
}

/// The status of the command, and a line about it where it is not zero.
pub(super) fn finish(ended: Ended, context: &mut Context) -> ExitStatus {
    match ended {
        Ended::Code(0) => ExitStatus::Success,
        Ended::Code(code) => {
            context.ui.message(&format!("exit status {code}"));
            ExitStatus::Code(code)
        }
        Ended::Signal(signal) => {
            context.ui.message(&format!("signal: {}", name(signal)));
            ExitStatus::Code(255)
        }
    }
}

/// As Go calls a signal.
fn name(signal: i32) -> String {
    let name = match signal {
        1 => "hangup",
        2 => "interrupt",
        3 => "quit",
        6 => "aborted",
        9 => "killed",
        11 => "segmentation fault",
        13 => "broken pipe",
        14 => "alarm clock",
        15 => "terminated",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}
