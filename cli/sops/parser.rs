//! Which command a command line calls, and with what.
//!
//! ```text
//! flags of the program, then a word ──┬─ it is a command: its own flags and positional arguments
//!                                     └─ it is none: the name of the file to edit
//! ```

use crate::Env;

use super::flags::{HELP, VERSION};
use super::go_flags::{self, FlagError, Values};
use super::grammar::{self, Action, COMMANDS, Command, PROGRAM};

/// What a command was called with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    /// Flags before the subcommand. Most have no effect on it.
    pub(super) program: Values,
    /// The command's own flags; those of the program when there is no subcommand.
    pub(super) flags: Values,
    /// Positional arguments.
    pub(super) words: Vec<String>,
}

/// What a command line says.
#[derive(Debug)]
pub(super) enum Parsed {
    /// Do this.
    Run(&'static Command, Arguments),
    /// Explain the command, of the group if there is one.
    Help(Topic),
    /// Say which version this is.
    Version,
    /// There is no command of this name to explain.
    NoTopic(String),
}

/// What can be explained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Topic {
    /// The group that the command is of.
    pub(super) group: Option<&'static Command>,
    /// The command, or the program.
    pub(super) command: &'static Command,
}

/// A command line that is not understood, and what to explain because of it.
#[derive(Debug)]
pub(super) struct Misunderstood {
    pub(super) error: FlagError,
    pub(super) topic: Topic,
}

/// Reads the arguments after the program's name.
pub(super) fn parse(args: &[String], env: &Env) -> Result<Parsed, Misunderstood> {
    let topic = Topic {
        group: None,
        command: &PROGRAM,
    };
    let wrong = |error| Misunderstood { error, topic };
    let (program, rest) = go_flags::leading(&PROGRAM.all_flags(), args, env).map_err(wrong)?;
    if program.is_on(&HELP) {
        return Ok(Parsed::Help(topic));
    }
    if program.is_on(&VERSION) {
        return Ok(Parsed::Version);
    }
    let Some((word, rest)) = rest.split_first() else {
        return Ok(legacy(program, Vec::new()));
    };
    match (word.as_str(), grammar::find(COMMANDS, word)) {
        ("help" | "h", _) => Ok(explain(None, rest)),
        (_, Some(command)) => subcommand(None, command, program, rest, env),
        (_, None) => {
            let words = [word].into_iter().chain(rest).cloned().collect();
            Ok(legacy(program, words))
        }
    }
}

fn legacy(program: Values, words: Vec<String>) -> Parsed {
    let arguments = Arguments {
        flags: program.clone(),
        program,
        words,
    };
    Parsed::Run(&PROGRAM, arguments)
}

fn subcommand(
    group: Option<&'static Command>,
    command: &'static Command,
    program: Values,
    args: &[String],
    env: &Env,
) -> Result<Parsed, Misunderstood> {
    let topic = Topic { group, command };
    let wrong = |error| Misunderstood { error, topic };
    if let Action::Group(_) = command.action {
        let (flags, rest) = go_flags::leading(&command.all_flags(), args, env).map_err(wrong)?;
        return match rest.split_first() {
            None => Ok(Parsed::Help(topic)),
            Some(_) if flags.is_on(&HELP) => Ok(Parsed::Help(topic)),
            Some((word, rest)) => match (word.as_str(), command.subcommand(word)) {
                ("help" | "h", _) => Ok(explain(Some(command), rest)),
                (_, Some(inner)) => subcommand(Some(command), inner, program, rest, env),
                (_, None) => Ok(Parsed::NoTopic(word.clone())),
            },
        };
    }
    let (flags, words) = go_flags::anywhere(&command.all_flags(), args, env).map_err(wrong)?;
    if flags.is_on(&HELP) {
        return Ok(Parsed::Help(topic));
    }
    let arguments = Arguments {
        program,
        flags,
        words,
    };
    Ok(Parsed::Run(command, arguments))
}

/// `help` and the words after it.
fn explain(group: Option<&'static Command>, words: &[String]) -> Parsed {
    let Some(word) = words.first() else {
        return Parsed::Help(Topic {
            group: None,
            command: group.unwrap_or(&PROGRAM),
        });
    };
    let found = match group {
        Some(group) => group.subcommand(word),
        None => grammar::find(COMMANDS, word),
    };
    match found {
        Some(command) => Parsed::Help(Topic { group, command }),
        None => Parsed::NoTopic(word.clone()),
    }
}

#[cfg(test)]
mod tests;
