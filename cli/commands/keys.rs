//! `signet keys list | backup | restore | prune | who`

use clap::{Args, Subcommand};

use crate::{Context, ExitStatus, Failure};

mod backup;
mod list;
mod portable;
mod prune;
mod restore;
mod stored;
mod who;

const EXAMPLES: &str = "\
Examples:
  signet keys list
  signet keys list --private-key backup.yaml
  signet keys backup --recipient age1… > sealing-keys.age
  signet keys restore sealing-keys.age --identity key.txt
  signet keys prune                      which keys nothing needs any more
  signet keys who secrets.enc.yaml       who can read a SOPS file";

/// List, back up, restore and retire the private keys of a cluster; say who reads SOPS files
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Keys {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::List),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Prune(prune::Prune),
    Who(who::Who),
}

impl Keys {
    /// Runs the verb.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        match self.verb {
            Verb::Backup(verb) => verb.run(context),
            Verb::List(verb) => verb.run(context),
            Verb::Prune(verb) => verb.run(context),
            Verb::Restore(verb) => verb.run(context),
            Verb::Who(verb) => verb.run(context),
        }
    }
}
