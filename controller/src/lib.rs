//! Watches the resources, calls the engine, applies and reports.
//!
//! ```text
//!   flags --> args --> run ----------------------------------------------+
//!                       |                                                 |
//!   API server --> watch --> store, keys --> work (queue) --> workers     http (certificate, verify, rotate, health)
//!       ^                     |                                 |          |
//!       |                     +--> ring <-----------------------+----------+
//!       |                                                       v
//!       +-- apply, report, events, restart, certificate <--- reconcile --> engine (decides), pool (opens)
//! ```
//!
//! What is decided is decided by pure functions: in `signet-engine` about objects, here about order
//! and time ([`queue`], [`http`]'s limiter, [`lease::decide`], [`rival`]). The rest fetches, calls
//! and writes.

use std::{ffi::OsString, io::Write, process::ExitCode};

pub mod api;
pub mod apply;
pub mod args;
pub mod certificate;
pub mod client;
pub mod context;
pub mod events;
pub mod external;
pub mod health;
pub mod http;
pub mod identity;
pub mod keys;
pub mod lease;
pub mod logging;
pub mod metrics;
pub mod object;
pub mod pool;
pub mod queue;
pub mod reconcile;
pub mod report;
pub mod restart;
pub mod ring;
pub mod rival;
pub mod run;
pub mod shutdown;
pub mod store;
pub mod unwritten;
pub mod vacancy;
pub mod watch;
pub mod work;
pub mod workers;

#[cfg(test)]
mod testing;

/// The whole program: reads the command line, whose first word is the program, and runs until it is
/// told to stop.
///
/// Exit codes: 0 after a signal, 1 if it cannot run, 2 for a wrong command line.
pub fn start(command_line: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match args::Args::parse_from(command_line) {
        Ok(args) => args,
        Err(error) => {
            // Nowhere to say that nothing can be said.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if args.version {
        let line = writeln!(
            std::io::stdout(),
            "controller version: {}",
            identity::VERSION
        );
        return if line.is_ok() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    forbid_core_dumps();
    logging::start(&args);
    keep_panics_quiet();
    run::to_the_end(args)
}

/// A panic says where it was. Its message may quote what was worked on: a slice out of bounds shows
/// the whole text.
fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(%place, "internal error: a part of the program has panicked");
    }));
}

/// A core dump would hold private keys and plaintext. Best effort: a kernel that does not know the
/// request changes nothing about the work.
fn forbid_core_dumps() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    let _ = setrlimit(Resource::Core, none);
}
