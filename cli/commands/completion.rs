//! `signet completion SHELL`

use clap::Args;
use clap_complete::Shell;

use crate::{Context, ExitStatus, Failure, arguments};

const EXAMPLES: &str = "\
Examples:
  signet completion bash > ~/.local/share/bash-completion/completions/signet
  signet completion zsh  > ~/.zfunc/_signet
  signet completion fish > ~/.config/fish/completions/signet.fish";

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Completion {
    /// The shell to write for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completion {
    /// Prints the script on standard output.
    pub(crate) fn run(self, context: &mut Context) -> Result<ExitStatus, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut arguments::grammar(), "signet", &mut script);
        context.ui.data(&script)?;
        Ok(ExitStatus::Success)
    }
}
