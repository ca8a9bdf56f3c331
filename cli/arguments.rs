//! The grammar of `signet`: which verbs there are.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::{Context, ExitStatus, Failure, commands};

/// Seals, unseals and checks secrets that live in Git.
#[derive(Debug, Parser)]
#[command(
    name = "signet",
    version,
    about = "Seals, unseals and checks secrets that live in Git",
    long_about = "Seals, unseals and checks secrets that live in Git, offline or beside a cluster.\n\n\
        Data goes to standard output, all else to standard error. Exit status: 0 done, 1 something\n\
        could not be done, 2 the command line was not understood.",
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs, each in its own file under `commands/`, where its help is.
#[derive(Debug, Subcommand)]
pub enum Verb {
    Seal(Box<commands::seal::Seal>),
    Set(Box<commands::set::Set>),
    Unset(commands::unset::Unset),
    Unseal(commands::unseal::Unseal),
    Reseal(commands::reseal::Reseal),
    Cert(commands::cert::Cert),
    Encrypt(Box<commands::encrypt::Encrypt>),
    Decrypt(Box<commands::decrypt::Decrypt>),
    Edit(commands::edit::Edit),
    Rotate(commands::rotate::Rotate),
    #[command(name = "updatekeys")]
    UpdateKeys(commands::updatekeys::UpdateKeys),
    ExecEnv(commands::exec_env::ExecEnv),
    ExecFile(commands::exec_file::ExecFile),
    Publish(commands::publish::Publish),
    Keys(commands::keys::Keys),
    Status(commands::status::Status),
    Completion(commands::completion::Completion),
    Man(commands::man::Man),
}

/// Reads the command line and runs the verb it names.
pub(crate) fn run(args: Vec<OsString>, context: &mut Context) -> ExitStatus {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return explain(&error, context),
    };
    let done = match cli.verb {
        Verb::Seal(verb) => verb.run(context),
        Verb::Set(verb) => verb.run(context),
        Verb::Unset(verb) => verb.run(context),
        Verb::Unseal(verb) => verb.run(context),
        Verb::Reseal(verb) => verb.run(context),
        Verb::Cert(verb) => verb.run(context),
        Verb::Encrypt(verb) => verb.run(context),
        Verb::Decrypt(verb) => verb.run(context),
        Verb::Edit(verb) => verb.run(context),
        Verb::Rotate(verb) => verb.run(context),
        Verb::UpdateKeys(verb) => verb.run(context),
        Verb::ExecEnv(verb) => verb.run(context),
        Verb::ExecFile(verb) => verb.run(context),
        Verb::Publish(verb) => verb.run(context),
        Verb::Keys(verb) => verb.run(context),
        Verb::Status(verb) => verb.run(context),
        Verb::Completion(verb) => verb.run(context),
        Verb::Man(verb) => verb.run(context),
    };
    finish(done, context)
}

/// The complete grammar, for completions and manual pages.
pub fn grammar() -> clap::Command {
    Cli::command()
}

fn finish(done: Result<ExitStatus, Failure>, context: &mut Context) -> ExitStatus {
    done.unwrap_or_else(|failure| {
        context.ui.failure(&context.env, &failure);
        failure.status
    })
}

/// Help and version are data that was asked for; all else is a usage error.
fn explain(error: &clap::Error, context: &mut Context) -> ExitStatus {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let written = context.ui.data(text.as_bytes());
            finish(written.map(|()| ExitStatus::Success), context)
        }
        _ => {
            context.ui.message(text.trim_end());
            ExitStatus::Usage
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_has_no_contradiction() {
        grammar().debug_assert();
    }
}
