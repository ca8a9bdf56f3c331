//! The command line of signet as a library.
//!
//! ```text
//! argv ──> run ──┬─ argv[0] is `kubeseal` ──> kubeseal   the peer's flags, output and exit codes
//!                ├─ argv[0] is `sops` ──────> sops       the same for the other peer
//!                └─ otherwise ──> arguments ──> commands one file a verb
//!                                                  │
//!              files (atomic)  certificates  private_keys  cluster (feature `full`)
//!              secrets: what is done with SOPS files   process, editor, private_folder
//!                                                  │
//!                                       ui: the only code that prints
//! ```
//!
//! A command reads its inputs, calls the pure rooms (`signet-keys`, `signet-documents`,
//! `signet-engine`) and writes the answer; it decides nothing about formats itself.

mod age_files;
mod arguments;
mod certificates;
mod cluster;
mod commands;
mod editor;
mod env;
mod error;
mod exit;
mod files;
mod kubeseal;
mod manifest;
mod names;
mod output;
mod paths;
mod private_folder;
mod private_keys;
mod process;
mod proofs;
mod sealed;
mod sealing;
mod secrets;
mod sops;
mod ui;
mod value;
mod walk;

use std::ffi::OsString;
use std::path::Path;

pub use arguments::grammar;
pub use env::Env;
pub use error::{Failure, Hint};
pub use exit::ExitStatus;
pub use ui::{Terminals, Ui};

/// What every command is given: the environment as it was at the start, and the only way to print.
#[derive(Debug)]
pub struct Context {
    /// Environment variables and the time.
    pub env: Env,
    /// Input, output and messages.
    pub ui: Ui,
}

/// Runs one command and returns how it went.
///
/// The name under which the program was called (`args[0]`) chooses the grammar: `kubeseal` and `sops`
/// get that of the peer, every other name signet's own.
pub fn run(args: impl IntoIterator<Item = OsString>, env: Env, ui: Ui) -> ExitStatus {
    let args: Vec<OsString> = args.into_iter().collect();
    let mut context = Context { env, ui };
    forbid_core_dumps();
    match called_as(&args) {
        Some("kubeseal") => kubeseal::run(args, &mut context),
        Some("sops") => sops::run(args, &mut context),
        _ => arguments::run(args, &mut context),
    }
}

/// The file name of `args[0]` without folder and extension.
fn called_as(args: &[OsString]) -> Option<&str> {
    Path::new(args.first()?).file_stem()?.to_str()
}

/// A panic says where it was. Its message may quote what was worked on: a slice out of bounds shows
/// the whole text.
pub fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        ui::last_words(&format!(
            "internal error at {place}: this is a fault of signet, please report it with the command line"
        ));
    }));
}

/// A core dump or a debugger of the same user would see plaintext and private keys. Best effort:
/// a kernel that does not know the request changes nothing about the result.
fn forbid_core_dumps() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let _ = rustix::process::setrlimit(
        rustix::process::Resource::Core,
        rustix::process::Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    );
}
