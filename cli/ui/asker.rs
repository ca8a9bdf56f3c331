//! Questions that key services have while they work, from any thread.

use std::io::{self, BufRead as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use signet_keys::Plaintext;
use signet_providers::Prompt;

use super::{Terminals, Ui, harmless};

/// Asks on the terminal, one question at a time; answers nothing where nobody is there.
#[derive(Debug)]
pub struct Asker {
    terminals: Terminals,
    turn: Mutex<()>,
}

impl Asker {
    /// Asks where the streams of the program are a terminal.
    pub fn new(ui: &Ui) -> Self {
        Self {
            terminals: ui.terminals(),
            turn: Mutex::new(()),
        }
    }

    fn someone_is_there(&self) -> bool {
        self.terminals.stdin && self.terminals.stderr
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hidden(&self, question: &str) -> Option<Plaintext> {
        self.someone_is_there().then_some(())?;
        let _turn = self.turn();
        let answer = rpassword::prompt_password(format!("{}: ", harmless(&question))).ok()?;
        Some(Plaintext::new(answer.into_bytes()))
    }

    fn line(&self, question: &str) -> Option<String> {
        self.someone_is_there().then_some(())?;
        let _turn = self.turn();
        let mut stderr = io::stderr();
        // Who closes standard error is not asked.
        write!(stderr, "{} ", harmless(&question))
            .and_then(|()| stderr.flush())
            .ok()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer).ok()?;
        Some(answer.trim().to_owned())
    }
}

impl Prompt for Asker {
    fn passphrase(&self, source: &str) -> Option<Plaintext> {
        self.hidden(&format!("passphrase of {source} (hidden)"))
    }

    fn message(&self, text: &str) {
        let _turn = self.turn();
        // A message that nobody can see is no reason to stop.
        let _ = writeln!(io::stderr(), "{}", harmless(&text));
    }

    fn confirm(&self, text: &str, yes: &str, no: Option<&str>) -> Option<bool> {
        let choice = match no {
            Some(no) => format!("{text} [{yes}/{no}]"),
            None => format!("{text} [{yes}]"),
        };
        let answer = self.line(&choice)?;
        let is = |word: &str| answer.eq_ignore_ascii_case(word);
        let agreed = is(yes) || is("y") || is("yes") || (no.is_none() && answer.is_empty());
        let refused = no.is_some_and(is) || is("n") || is("no");
        (agreed || refused).then_some(agreed)
    }

    fn text(&self, question: &str) -> Option<String> {
        self.line(question)
    }

    fn secret(&self, question: &str) -> Option<Plaintext> {
        self.hidden(question)
    }
}
