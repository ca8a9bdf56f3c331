//! The grammar of `kubeseal`: the same flags, environment variables, output, messages and exit
//! codes, so that scripts keep working when the binary behind the name is this one.
//!
//! ```text
//! argv, SEALED_SECRETS_* ──parser (flags: the table)──> Options ──dispatch──┬─ seal, merge, raw
//!                                                                           ├─ recover
//!   certificate, namespace: what they need from outside                     └─ validate, re_encrypt
//!   secret, sealed, arrange (schema: the fields): what they read                     │
//!                                                                                 output
//! ```
//!
//! Where it differs from the peer, and why, is in `docs/kubeseal-differences.md`.

mod arrange;
mod certificate;
mod dispatch;
mod flags;
mod merge;
mod namespace;
mod options;
mod output;
mod parser;
mod raw;
mod re_encrypt;
mod recover;
mod remote;
mod schema;
mod seal;
mod sealed;
mod secret;
mod usage;
mod validate;
mod values;

use std::ffi::OsString;
use std::path::Path;

use crate::{Context, ExitStatus, Failure};

use flags::Group;
use options::Options;
use parser::Parsed;

/// The version of `kubeseal` that this one is compatible with, with the `v` that its own tests ask for.
/// Scripts compare it.
const COMPATIBLE_WITH: &str = "v0.40.0";

/// Runs the command line `args` (with the program's name first) as `kubeseal` would.
pub(crate) fn run(args: Vec<OsString>, context: &mut Context) -> ExitStatus {
    let mut args = args.into_iter();
    let program = args.next().unwrap_or_default();
    let program = Path::new(&program).display().to_string();
    let result = match parser::parse(args, &context.env) {
        Ok(Parsed::Usage) => context.ui.data(usage::usage(&program).as_bytes()),
        Ok(Parsed::Run(options, deprecated)) => {
            for flag in deprecated {
                if let Group::Deprecated { instead } = flag.group {
                    let name = flag.name;
                    context.ui.message(&format!(
                        "Flag --{name} has been deprecated, please use {instead} instead"
                    ));
                }
            }
            execute(&options, &program, context)
        }
        Err(error) => {
            // The message last: that is where the reader of a long usage looks.
            context
                .ui
                .message(&format!("{}{error}", usage::usage(&program)));
            return ExitStatus::Usage;
        }
    };
    match result {
        Ok(()) => ExitStatus::Success,
        Err(failure) => {
            tell(&failure, context);
            failure.status
        }
    }
}

fn execute(options: &Options, program: &str, context: &mut Context) -> Result<(), Failure> {
    if options.version {
        let version = format!(
            "kubeseal version: {COMPATIBLE_WITH}\nsignet {}\n",
            env!("CARGO_PKG_VERSION")
        );
        context.ui.data(version.as_bytes())
    } else if options.help {
        context.ui.data(usage::usage(program).as_bytes())
    } else {
        dispatch::dispatch(options, context)
    }
}

/// `error: …` on a line of its own, as scripts expect it; what to do next on the line below.
fn tell(failure: &Failure, context: &mut Context) {
    if failure.status == ExitStatus::Success {
        return;
    }
    context.ui.message(&format!("error: {}", failure.message));
    if let Some(hint) = &failure.hint {
        context.ui.message(&format!("hint: {hint}"));
    }
}
