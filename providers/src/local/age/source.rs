//! The places where identities are looked for.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use signet_keys::Plaintext;
use signet_keys::age_key::Identity;

use super::error::{Look, Outcome};
use crate::Environment;
use crate::command::{self, CommandError};

const RECIPIENT: &str = "SOPS_AGE_RECIPIENT";

/// A place.
pub(super) enum Source {
    /// A file that a variable names: not to have it is a mistake.
    NamedFile {
        variable: &'static str,
        path: PathBuf,
    },
    /// A file that is looked for anyway.
    UsualFile { path: PathBuf },
    /// A program that prints identities.
    Program {
        variable: &'static str,
        line: String,
    },
    /// The identities themselves.
    Text {
        variable: &'static str,
        text: Plaintext,
    },
    /// A variable that is not set.
    Unset { variable: &'static str },
}

/// What a place holds.
pub(super) struct Found {
    pub(super) look: Look,
    pub(super) identities: Vec<Identity>,
}

/// All places, in the order in which they are tried.
pub(super) fn all(environment: &Environment) -> Vec<Source> {
    let file = |variable| match environment.path(variable) {
        Some(path) => Source::NamedFile { variable, path },
        None => Source::Unset { variable },
    };
    let program = |variable| match environment.var(variable) {
        Some(line) => Source::Program {
            variable,
            line: line.to_owned(),
        },
        None => Source::Unset { variable },
    };
    let usual = |folder: Option<PathBuf>, name: &str| {
        folder.map(|folder| Source::UsualFile {
            path: folder.join(name),
        })
    };
    let text = match environment.var("SOPS_AGE_KEY") {
        Some(text) => Source::Text {
            variable: "SOPS_AGE_KEY",
            text: text.as_bytes().to_vec().into(),
        },
        None => Source::Unset {
            variable: "SOPS_AGE_KEY",
        },
    };
    let places = [
        Some(file("SOPS_AGE_SSH_PRIVATE_KEY_FILE")),
        Some(program("SOPS_AGE_SSH_PRIVATE_KEY_CMD")),
        usual(environment.home(), ".ssh/id_ed25519"),
        usual(environment.home(), ".ssh/id_rsa"),
        Some(text),
        Some(file("SOPS_AGE_KEY_FILE")),
        Some(program("SOPS_AGE_KEY_CMD")),
        usual(environment.config_dir(), "sops/age/keys.txt"),
    ];
    places.into_iter().flatten().collect()
}

impl Source {
    pub(super) fn is_program(&self) -> bool {
        matches!(self, Self::Program { .. })
    }

    /// Reads the place.
    pub(super) fn load(&self, environment: &Environment, recipient: &str) -> Found {
        let place = self.place();
        let (outcome, identities) = match self.read(environment, recipient) {
            Ok(None) => (Outcome::Nothing, Vec::new()),
            Ok(Some(text)) => match Identity::parse_all(text.expose(), &place) {
                Ok(identities) => (Outcome::Identities(identities.len()), identities),
                Err(error) => (Outcome::Unusable(error.to_string()), Vec::new()),
            },
            Err(reason) => (Outcome::Unusable(reason), Vec::new()),
        };
        Found {
            look: Look { place, outcome },
            identities,
        }
    }

    fn place(&self) -> String {
        match self {
            Self::NamedFile { variable, path } => format!("{variable} `{}`", path.display()),
            Self::UsualFile { path } => format!("`{}`", path.display()),
            Self::Program { variable, .. }
            | Self::Text { variable, .. }
            | Self::Unset { variable } => (*variable).to_owned(),
        }
    }

    fn read(
        &self,
        environment: &Environment,
        recipient: &str,
    ) -> Result<Option<Plaintext>, String> {
        match self {
            Self::NamedFile { path, .. } => read(path).map(Some).map_err(|error| error.to_string()),
            Self::UsualFile { path } => match read(path) {
                Err(error) if is_absent(error.kind()) => Ok(None),
                other => other.map(Some).map_err(|error| error.to_string()),
            },
            Self::Program { line, .. } => {
                let output = run(environment, line, recipient);
                output.map(Some).map_err(|error| error.to_string())
            }
            Self::Text { text, .. } => Ok(Some(text.clone())),
            Self::Unset { .. } => Ok(None),
        }
    }
}

fn read(path: &Path) -> std::io::Result<Plaintext> {
    std::fs::read(path).map(Plaintext::from)
}

fn is_absent(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Splits the line into words as a shell does, and starts no shell. What the program says to people it
/// says to them directly.
fn run(environment: &Environment, line: &str, recipient: &str) -> Result<Plaintext, CommandError> {
    let words = shlex::split(line).ok_or(CommandError::Quotes)?;
    let (program, args) = words.split_first().ok_or(CommandError::Empty)?;
    let mut command = environment.command(program);
    command.args(args).env(RECIPIENT, recipient);
    command::run(command, b"")
}
