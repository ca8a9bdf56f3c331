//! The grammar of `sops`: the same commands, flags, environment variables, output, messages and exit
//! codes, so that scripts, editors and controllers keep working when the binary behind the name is
//! this one.
//!
//! ```text
//! argv, SOPS_* ──parser (go_flags: how; grammar, flags: what)──> Arguments ──> commands, one file each
//!                                                                                   │
//!             options: typed parts of the arguments that several commands share ────┤
//!             codes: which number an error ends with                                │
//!                                                                crate::secrets: what is done
//! ```
//!
//! Where it differs from the peer, and why, is in `docs/sops-differences.md`.

mod codes;
mod commands;
mod flags;
mod go_flags;
mod grammar;
mod help;
mod log;
mod options;
mod parser;
mod refusals;
mod result;

use std::ffi::OsString;

use crate::{Context, ExitStatus, Failure};

use grammar::Action;
use log::Level;
use parser::Parsed;

/// The version of `sops` that this one is compatible with. Scripts compare it.
const COMPATIBLE_WITH: &str = "3.13.3";

/// Runs the command line `args` (with the program's name first) as `sops` would.
pub(crate) fn run(args: Vec<OsString>, context: &mut Context) -> ExitStatus {
    let args: Result<Vec<_>, _> = args
        .into_iter()
        .skip(1)
        .map(OsString::into_string)
        .collect();
    let done = match args {
        Ok(args) => execute(&args, context),
        Err(argument) => {
            let argument = argument.display();
            Err(Failure::new(format!("argument `{argument}` is not UTF-8")))
        }
    };
    done.unwrap_or_else(|failure| {
        tell(&failure, context);
        failure.status
    })
}

fn execute(args: &[String], context: &mut Context) -> Result<ExitStatus, Failure> {
    if let Some((last, before)) = args.split_last()
        && last == "--generate-bash-completion"
    {
        let described = context.env.var("_CLI_ZSH_AUTOCOMPLETE_HACK").is_some();
        context
            .ui
            .data(help::completions(before, described).as_bytes())?;
        return Ok(ExitStatus::Success);
    }
    match parser::parse(args, &context.env) {
        Ok(Parsed::Run(command, arguments)) => match command.action {
            Action::Run(run) => run(&arguments, context),
            Action::Group(_) => Ok(ExitStatus::Success),
        },
        Ok(Parsed::Help(topic)) => {
            context.ui.data(help::usage(topic).as_bytes())?;
            Ok(ExitStatus::Success)
        }
        Ok(Parsed::Version) => {
            let told = format!(
                "sops {COMPATIBLE_WITH}\nsignet {}\n",
                env!("CARGO_PKG_VERSION")
            );
            context.ui.data(told.as_bytes())?;
            Ok(ExitStatus::Success)
        }
        Ok(Parsed::NoTopic(word)) => Err(codes::fail(
            codes::NO_TOPIC,
            format!("No help topic for '{word}'"),
        )),
        Err(wrong) => {
            let told = format!(
                "Incorrect Usage: {}\n\n{}",
                wrong.error,
                help::usage(wrong.topic)
            );
            context.ui.data(told.as_bytes())?;
            log::write(context, Level::Fatal, &wrong.error.to_string());
            Ok(ExitStatus::Code(codes::GENERIC))
        }
    }
}

/// The message as it is, as scripts expect it; what to do next on a line below.
fn tell(failure: &Failure, context: &mut Context) {
    if failure.status == ExitStatus::Success {
        return;
    }
    if !failure.message.is_empty() {
        context.ui.message(&failure.message);
    }
    if let Some(hint) = &failure.hint {
        context.ui.message(&format!("hint: {hint}"));
    }
}
