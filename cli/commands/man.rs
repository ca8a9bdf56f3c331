//! `signet man [FOLDER]`

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man as Page;

use crate::files::{self, WriteError};
use crate::{Context, ExitStatus, Failure, arguments};

const EXAMPLES: &str = "\
Examples:
  signet man | man -l -
  signet man ~/.local/share/man/man1";

/// Print the manual page, or write one page a command to a folder
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Man {
    /// Write `signet.1`, `signet-seal.1`, … into this folder instead; it is made when missing
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Man {
    /// Prints or writes the pages.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let mut grammar = arguments::grammar();
        grammar.build();
        match &self.folder {
            None => context.ui.data(&page(&grammar))?,
            Some(folder) => {
                fs::create_dir_all(folder).map_err(|error| {
                    Failure::new(format!("cannot make `{}`: {error}", folder.display()))
                })?;
                write_all(&grammar, folder)?;
            }
        }
        Ok(ExitStatus::Success)
    }
}

/// `Command::build` has given each verb the display name `signet-VERB`.
fn write_all(command: &clap::Command, folder: &Path) -> Result<(), WriteError> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name());
    files::write(&folder.join(format!("{name}.1")), &page(command))?;
    command
        .get_subcommands()
        .filter(|verb| verb.get_name() != "help")
        .try_for_each(|verb| write_all(verb, folder))
}

fn page(command: &clap::Command) -> Vec<u8> {
    let mut text = Vec::new();
    // Writing to a Vec cannot fail.
    let _ = Page::new(command.clone()).render(&mut text);
    text
}
