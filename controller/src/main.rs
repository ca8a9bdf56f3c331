//! The `controller` program; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    signet_controller::start(std::env::args_os())
}
