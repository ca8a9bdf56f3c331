//! The user's editor.

use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::process::{Ended, Signals};
use crate::{Env, Hint};

/// Which program edits, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    words: Vec<String>,
}

/// Why nothing could be edited.
#[derive(Debug, thiserror::Error)]
pub enum EditorError {
    /// The variable is no command line.
    #[error("`{0}` holds no command: a quote is not closed, or it is empty")]
    BadVariable(&'static str),
    /// It ended with a status that says so.
    #[error("the editor failed: {}", told(*.0))]
    Failed(Ended),
    /// There is none.
    #[error("no editor available: {names} are not there, and no variable names one", names = USUAL.join(", "))]
    None,
    /// It could not be started.
    #[error("cannot run the editor `{program}`")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
}

impl Hint for EditorError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::BadVariable(_) | Self::None | Self::Start { .. } => {
                "name one with `EDITOR`, such as EDITOR='code --wait'"
            }
            Self::Failed(_) => "nothing was changed",
        };
        Some(hint.to_owned())
    }
}

/// What is tried when no variable names an editor.
const USUAL: [&str; 3] = ["vim", "nano", "vi"];

/// An editor that is back sooner has most likely handed the file to a window that is still open.
const AT_ONCE: Duration = Duration::from_millis(500);

impl Editor {
    /// The editor that the first of these variables names, else a usual one.
    pub fn find(env: &Env, variables: &[&'static str]) -> Result<Self, EditorError> {
        for name in variables {
            let Some(line) = env.var(name).and_then(|line| line.to_str()) else {
                continue;
            };
            let words = shlex::split(line).filter(|words| !words.is_empty());
            let words = words.ok_or(EditorError::BadVariable(name))?;
            return Ok(Self { words });
        }
        let path = env.var("PATH").unwrap_or_default();
        let folders: Vec<_> = std::env::split_paths(path).collect();
        let is_there = |name: &&&str| folders.iter().any(|folder| folder.join(name).is_file());
        let name = USUAL.iter().find(is_there).ok_or(EditorError::None)?;
        Ok(Self {
            words: vec![(*name).to_owned()],
        })
    }

    /// Lets the user edit a file. True when the editor was back at once.
    pub fn edit(&self, file: &Path, signals: &Signals) -> Result<bool, EditorError> {
        let (program, args) = self.words.split_first().ok_or(EditorError::None)?;
        let began = Instant::now();
        let mut command = Command::new(program);
        command.args(args).arg(file);
        let ended = signals.run(&mut command, || (), || ());
        let (ended, ()) = ended.map_err(|source| EditorError::Start {
            program: program.clone(),
            source,
        })?;
        match ended {
            Ended::FINE => Ok(began.elapsed() < AT_ONCE),
            other => Err(EditorError::Failed(other)),
        }
    }
}

/// As Go tells it.
fn told(ended: Ended) -> String {
    match ended {
        Ended::Code(code) => format!("exit status {code}"),
        Ended::Signal(signal) => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jiff::Timestamp;

    use super::*;

    fn env(variables: &[(&str, &str)]) -> Env {
        Env::new(variables.iter().copied(), Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn the_first_variable_that_is_set_names_the_editor() {
        let names = ["SOPS_EDITOR", "EDITOR"];
        let found = |variables| Editor::find(&env(variables), &names).unwrap().words;
        assert_eq!(found(&[("EDITOR", "code --wait")]), ["code", "--wait"]);
        assert_eq!(
            found(&[("SOPS_EDITOR", "'my editor' x"), ("EDITOR", "vi")]),
            ["my editor", "x"]
        );
        let bad = Editor::find(&env(&[("EDITOR", "'open")]), &names).unwrap_err();
        assert!(matches!(bad, EditorError::BadVariable("EDITOR")));
        let none = Editor::find(&env(&[("PATH", "/nosuch")]), &names).unwrap_err();
        assert!(matches!(none, EditorError::None));
    }

    #[test]
    fn an_editor_that_is_back_at_once_is_noticed_and_one_that_fails_is_an_error() {
        let signals = Signals::watch(false).unwrap();
        let edit = |line: &str| {
            let editor = Editor::find(&env(&[("EDITOR", line)]), &["EDITOR"]).unwrap();
            editor.edit(Path::new("/dev/null"), &signals)
        };
        assert!(edit("true").unwrap());
        assert!(!edit("sh -c 'sleep 0.7'").unwrap());
        let failed = edit("sh -c 'exit 3'").unwrap_err();
        assert_eq!(failed.to_string(), "the editor failed: exit status 3");
        assert!(matches!(
            edit("/nosuch/editor").unwrap_err(),
            EditorError::Start { .. }
        ));
    }
}
