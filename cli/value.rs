//! One secret value from the user: never an argument, which every process of the machine can read.

use std::io;
use std::path::PathBuf;

use signet_keys::Plaintext;

use crate::files::{Input, ReadError};
use crate::{Context, Hint};

/// The options that say where a value comes from.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ValueOptions {
    /// Read the value from this file, `-` for standard input; asked for hidden on a terminal
    #[arg(long, value_name = "FILE")]
    pub from_file: Option<PathBuf>,
    /// Take one line break off the end of the value
    #[arg(long)]
    pub trim_newline: bool,
}

/// Why there is no value.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    /// Nothing was typed or piped in: most often the command before the pipe failed.
    #[error("the value is empty")]
    Empty,
    /// The terminal gave none.
    #[error("cannot read the value from the terminal")]
    Prompt(#[source] io::Error),
    /// The file or standard input cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Hint for ValueError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Empty => Some(
                "did the command that gives it fail? an empty value is taken from a file that is \
                 named: `--from-file /dev/null`"
                    .to_owned(),
            ),
            Self::Prompt(_) => {
                Some("give it with `--from-file FILE` or on standard input".to_owned())
            }
            Self::Read(error) => error.hint(),
        }
    }
}

impl ValueOptions {
    /// Reads the value, byte for byte.
    ///
    /// `what` names it in the prompt. A line break at the end of what was piped in is most often an
    /// accident of `echo`: it is kept, and told. An empty value is refused unless `--from-file` names where
    /// it comes from.
    pub fn read(&self, what: &str, context: &mut Context) -> Result<Plaintext, ValueError> {
        let input = match &self.from_file {
            Some(path) => Input::from_argument(path.clone()),
            None if context.ui.terminals().stdin => {
                let typed = context
                    .ui
                    .hidden_prompt(&format!("value of {what} (hidden)"))
                    .map_err(ValueError::Prompt)?;
                return some(Plaintext::new(typed.as_bytes().to_vec()));
            }
            None => Input::Stdin,
        };
        let mut bytes = input.read(&mut context.ui)?;
        if bytes.ends_with(b"\n") {
            if self.trim_newline {
                bytes.pop();
                if bytes.ends_with(b"\r") {
                    bytes.pop();
                }
            } else if input == Input::Stdin {
                let warning = "the value ends with a line break, which becomes part of it; \
                               `--trim-newline` takes it off";
                context.ui.warn(&context.env, warning);
            }
        }
        if self.from_file.is_some() {
            return Ok(bytes.into());
        }
        some(bytes.into())
    }
}

fn some(value: Plaintext) -> Result<Plaintext, ValueError> {
    if value.is_empty() {
        return Err(ValueError::Empty);
    }
    Ok(value)
}
