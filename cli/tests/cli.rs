//! Sessions of the command line, as a user has them.
//!
//! What needs only one command is data under `cmd/`; what needs several, or random ciphertexts
//! opened again, is a test here, one file a verb. The peer's public issues are in `regressions.rs`
//! by number.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bad_input;
mod cert;
mod keys;
mod output;
mod pin;
mod regressions;
mod reseal;
mod seal;
mod secrets;
mod set;
mod support;
mod unseal;

/// To write the expected output anew: `TRYCMD=overwrite cargo test -p signet --test cli`.
#[test]
fn recorded_sessions_are_as_recorded() {
    trycmd::TestCases::new()
        .env("HOME", "/nonexistent")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("KUBECONFIG", "")
        .case("cli/tests/cmd/*.md");
}
