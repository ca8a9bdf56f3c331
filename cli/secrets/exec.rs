//! Commands that are given secrets.

use std::io;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use signet_keys::Plaintext;

use crate::private_folder::PrivateFolder;
use crate::process::user::User;
use crate::process::{Ended, Signals, fifo};
use crate::{Context, Hint};

/// Why a command was not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// The file for it could not be made.
    #[error("cannot make a temporary file")]
    File(#[source] io::Error),
    /// It could not be started.
    #[error("cannot run the command")]
    Start(#[source] io::Error),
}

impl Hint for ExecError {}

/// A file that a command reads secrets from.
#[derive(Debug)]
pub struct SecretPath {
    folder: PrivateFolder,
    path: PathBuf,
    /// What is written to a named pipe; nothing for a regular file, which has it already.
    to_serve: Option<Plaintext>,
}

impl SecretPath {
    /// A named pipe, which gives the text to whoever reads it first.
    pub fn pipe(name: &str, text: Plaintext, context: &Context) -> Result<Self, ExecError> {
        let folder = PrivateFolder::create(&context.env, ".sops").map_err(ExecError::File)?;
        let path = folder.path().join(name);
        fifo::create(&path).map_err(ExecError::File)?;
        Ok(Self {
            folder,
            path,
            to_serve: Some(text),
        })
    }

    /// A regular file, in memory where there is such a folder.
    pub fn file(name: &str, text: &Plaintext, context: &Context) -> Result<Self, ExecError> {
        let folder = PrivateFolder::create(&context.env, ".sops").map_err(ExecError::File)?;
        let path = folder.write(name, text.expose()).map_err(ExecError::File)?;
        Ok(Self {
            folder,
            path,
            to_serve: None,
        })
    }

    /// Its path.
    pub fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// Lets another user read it.
    pub fn give_to(&self, user: &User) -> Result<(), ExecError> {
        let (uid, gid) = user.ids();
        for path in [self.folder.path(), &self.path] {
            chown(path, Some(uid), Some(gid)).map_err(ExecError::File)?;
        }
        Ok(())
    }
}

/// Runs a command and waits for its end; signals are passed on.
pub fn run(command: &mut Command, context: &Context) -> Result<Ended, ExecError> {
    let signals = Signals::watch(context.ui.terminals().stdin).map_err(ExecError::Start)?;
    let done = signals.run(command, || (), || ());
    done.map(|(ended, ())| ended).map_err(ExecError::Start)
}

/// Runs a command that reads the file; it is gone afterwards.
pub fn run_with(
    command: &mut Command,
    file: SecretPath,
    context: &Context,
) -> Result<Ended, ExecError> {
    let signals = Signals::watch(context.ui.terminals().stdin).map_err(ExecError::Start)?;
    signals.wipe_at_end(&file.folder);
    let stop = AtomicBool::new(false);
    let serve = || match &file.to_serve {
        Some(text) => fifo::serve(&file.path, text.expose(), &stop),
        None => Ok(()),
    };
    let done = signals.run(command, serve, || stop.store(true, Ordering::Relaxed));
    let (ended, served) = done.map_err(ExecError::Start)?;
    served.map_err(ExecError::File)?;
    drop(file);
    Ok(ended)
}

/// Becomes the command: signals and status are its own. Comes back only if it cannot be started.
pub fn become_it(command: &mut Command) -> ExecError {
    ExecError::Start(command.exec())
}
