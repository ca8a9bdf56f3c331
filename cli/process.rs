//! Commands that are started for the user, and signals while they run.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus as ChildStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

use crate::ExitStatus;
use crate::private_folder::{PrivateFolder, wipe};

pub mod fifo;
pub mod shared_memory;
pub mod user;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ended by itself with this status.
    Code(u8),
    /// A signal ended it.
    Signal(i32),
}

impl Ended {
    /// Nothing went wrong.
    pub const FINE: Self = Self::Code(0);

    /// The status with which a shell would pass it on: that of the command, or 128 and the signal.
    pub fn status(self) -> ExitStatus {
        match self {
            Self::FINE => ExitStatus::Success,
            Self::Code(code) => ExitStatus::Code(code),
            Self::Signal(signal) => ExitStatus::Code(128_u8.wrapping_add(low_byte(signal))),
        }
    }

    fn of(status: ChildStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(low_byte(code)),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => Self::Code(1),
        }
    }
}

/// Watches the signals that would end this process: while a command runs they go to it, else the
/// process ends, and folders with plaintext are wiped first.
pub struct Signals(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    command: Option<Pid>,
    folders: Vec<std::path::PathBuf>,
    /// A person at a terminal sends SIGINT and SIGQUIT to us and to the command alike.
    terminal: bool,
}

impl Signals {
    /// Begins to watch, until the process ends. `terminal` tells whether a person is there.
    pub fn watch(terminal: bool) -> io::Result<Self> {
        let watched = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];
        let mut signals = signal_hook::iterator::Signals::new(watched)?;
        let state = Arc::new(Mutex::new(State {
            terminal,
            ..State::default()
        }));
        let seen = Arc::clone(&state);
        std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                received(signal, &seen);
            }
        })?;
        Ok(Self(state))
    }

    /// Wipes the folder too, when a signal ends this process.
    pub fn wipe_at_end(&self, folder: &PrivateFolder) {
        lock(&self.0).folders.push(folder.path().to_owned());
    }

    /// Starts a command, passes signals on to it, and waits for its end. `meanwhile` runs beside it.
    pub fn run<T>(
        &self,
        command: &mut Command,
        meanwhile: impl FnOnce() -> T + Send,
        at_end: impl FnOnce(),
    ) -> io::Result<(Ended, T)>
    where
        T: Send,
    {
        let mut child = command.spawn()?;
        lock(&self.0).command = Some(Pid::from_child(&child));
        let (status, done) = std::thread::scope(|scope| {
            let beside = scope.spawn(meanwhile);
            let status = child.wait();
            lock(&self.0).command = None;
            at_end();
            (status, beside.join())
        });
        let done = done.map_err(|_| io::Error::other("a thread beside the command died"))?;
        Ok((Ended::of(status?), done))
    }
}

fn received(signal: i32, state: &Mutex<State>) {
    let state = lock(state);
    let Some(command) = state.command else {
        state.folders.iter().for_each(|folder| wipe(folder));
        std::process::exit(128 + signal);
    };
    let reached_it_already = state.terminal && matches!(signal, SIGINT | SIGQUIT);
    if let Some(signal) = Signal::from_named_raw(signal)
        && !reached_it_already
    {
        // A command that has just ended needs none.
        let _ = kill_process(command, signal);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn low_byte(number: i32) -> u8 {
    number.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn run(script: &str) -> Ended {
        let signals = Signals::watch(false).unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        signals.run(&mut command, || (), || ()).unwrap().0
    }

    #[test]
    fn status_and_signal_of_a_command_are_passed_on() {
        assert_eq!(run("exit 0").status(), ExitStatus::Success);
        assert_eq!(run("exit 7").status(), ExitStatus::Code(7));
        let killed = run("kill -9 $$");
        assert_eq!(killed, Ended::Signal(9));
        assert_eq!(killed.status(), ExitStatus::Code(137));
    }
}
