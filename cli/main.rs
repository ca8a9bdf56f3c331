//! The `signet` binary: the process's arguments, environment and streams, handed to the library.

use std::process::ExitCode;

use signet::{Env, Ui, keep_panics_quiet, run};

fn main() -> ExitCode {
    keep_panics_quiet();
    run(std::env::args_os(), Env::process(), Ui::process()).into()
}
