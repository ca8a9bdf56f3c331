//! Lines of the peer's log, which it writes beside its errors.

use jiff::fmt::temporal::DateTimePrinter;

use crate::Context;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Warning,
    Error,
    Fatal,
}

/// Writes a line of the log to standard error, in the form that the peer has for no terminal.
pub(super) fn write(context: &mut Context, level: Level, text: &str) {
    write_of(context, "CMD", level, text);
}

/// The same, of another part of the program.
pub(super) fn write_of(context: &mut Context, part: &str, level: Level, text: &str) {
    let level = match level {
        Level::Warning => "warning",
        Level::Error => "error",
        Level::Fatal => "fatal",
    };
    let time = DateTimePrinter::new()
        .precision(Some(0))
        .timestamp_to_string(&context.env.now());
    context.ui.message(&format!(
        "[{part}]\t time=\"{time}\" level={level} msg={text:?}"
    ));
}

/// A warning of the program.
pub(super) fn warn(context: &mut Context, text: &str) {
    write(context, Level::Warning, text);
}
