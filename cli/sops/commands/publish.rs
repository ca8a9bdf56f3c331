//! `sops publish`

use super::super::codes::{self, fail};
use super::super::parser::Arguments;
use crate::{Context, ExitStatus, Failure};

/// Refuses: without a command of this name the word would be taken for a file to edit.
pub(in super::super) fn run(_: &Arguments, _: &mut Context) -> Result<ExitStatus, Failure> {
    Err(fail(codes::GENERIC, "publish is not supported")
        .with_hint("decrypt the file and write it to its destination with that one's own program"))
}
