//! The only code that prints.
//!
//! The rules:
//! - Standard output carries data alone: what the user asked for, ready for a pipe or a file.
//! - All else goes to standard error: notes, warnings, errors, prompts, progress.
//! - Messages are lower case without a trailing period; names and values of the user stand in
//!   backticks; a next step follows after a blank line as `hint: …`.
//! - Everything is understood without colour. Colour is used on a terminal only, and not when
//!   `NO_COLOR` is set.
//! - A secret value is never printed but as the data that was asked for.

use std::fmt;
use std::io::{self, IsTerminal as _, Read, Write};

use signet_documents::limits::MAX_SOURCE_BYTES;
use zeroize::Zeroizing;

use crate::{Env, ExitStatus, Failure};

mod asker;
mod progress;
mod style;

pub use asker::Asker;
pub use progress::Progress;
use style::Role;

/// Which of the three streams are a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminals {
    /// A person types the input.
    pub stdin: bool,
    /// A person reads the data.
    pub stdout: bool,
    /// A person reads the messages.
    pub stderr: bool,
}

/// The three streams of a command.
pub struct Ui {
    stdin: Box<dyn Read + Send>,
    stdout: Box<dyn Write + Send>,
    stderr: Box<dyn Write + Send>,
    terminals: Terminals,
}

/// What is said when the program comes to an end that it did not expect.
pub fn last_words(text: &str) {
    // Nowhere to say that nothing can be said.
    let _ = writeln!(io::stderr(), "{text}");
}

impl Ui {
    /// The streams of the process.
    pub fn process() -> Self {
        Self {
            terminals: Terminals {
                stdin: io::stdin().is_terminal(),
                stdout: io::stdout().is_terminal(),
                stderr: io::stderr().is_terminal(),
            },
            stdin: Box::new(io::stdin()),
            stdout: Box::new(io::stdout()),
            stderr: Box::new(io::stderr()),
        }
    }

    /// Streams of the caller's choice.
    pub fn new(
        stdin: impl Read + Send + 'static,
        stdout: impl Write + Send + 'static,
        stderr: impl Write + Send + 'static,
        terminals: Terminals,
    ) -> Self {
        Self {
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            terminals,
        }
    }

    /// Which streams are a terminal.
    pub fn terminals(&self) -> Terminals {
        self.terminals
    }

    /// Writes data to standard output, byte for byte.
    pub fn data(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.stdout
            .write_all(bytes)
            .and_then(|()| self.stdout.flush())
            .map_err(|error| Failure::from_output(&error))
    }

    /// Everything that standard input has, if that is no more than files may have. Wiped from memory
    /// when dropped: it may be plaintext.
    pub fn read_stdin(&mut self) -> io::Result<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(Vec::new());
        // Chunks, so that no growing buffer leaves a copy of plaintext behind unwiped.
        let mut chunk = Zeroizing::new([0_u8; 16 * 1024]);
        loop {
            match self.stdin.read(chunk.as_mut_slice()) {
                Ok(0) => return Ok(bytes),
                Ok(length) if bytes.len() + length > MAX_SOURCE_BYTES => {
                    let told = format!("it has more than {} MiB", MAX_SOURCE_BYTES >> 20);
                    return Err(io::Error::other(told));
                }
                Ok(length) => append(&mut bytes, &chunk[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Asks for a value on the terminal without showing it.
    pub fn hidden_prompt(&mut self, prompt: &str) -> io::Result<Zeroizing<String>> {
        rpassword::prompt_password(format!("{prompt}: ")).map(Zeroizing::new)
    }

    /// One line of standard input, without its end; nothing at the end of the input.
    pub fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut byte = [0];
        // Byte by byte, so that what follows the line is there for who reads next.
        while self.stdin.read(&mut byte)? == 1 {
            if byte == *b"\n" {
                return Ok(Some(
                    String::from_utf8_lossy(&line)
                        .trim_end_matches('\r')
                        .to_owned(),
                ));
            }
            line.extend_from_slice(&byte);
        }
        Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// Asks a question that is answered with yes or no; anything but yes is no.
    pub fn agrees(&mut self, question: &str) -> io::Result<bool> {
        let text = format!("{} [y/N] ", harmless(&question));
        let _ = self
            .stderr
            .write_all(text.as_bytes())
            .and_then(|()| self.stderr.flush());
        let answer = self.read_line()?.unwrap_or_default();
        Ok(matches!(answer.trim(), "y" | "Y" | "yes" | "Yes"))
    }

    /// Tells something that the user may want to know.
    pub fn note(&mut self, env: &Env, text: impl fmt::Display) {
        let label = self.paint(env, Role::Note, "note:");
        self.message(&format!("{label} {}", harmless(&text)));
    }

    /// Tells something that the user should act upon.
    pub fn warn(&mut self, env: &Env, text: impl fmt::Display) {
        let label = self.paint(env, Role::Warning, "warning:");
        self.message(&format!("{label} {}", harmless(&text)));
    }

    /// Tells why something could not be done, and what to do next.
    pub fn failure(&mut self, env: &Env, failure: &Failure) {
        if failure.status == ExitStatus::Success {
            return;
        }
        let label = self.paint(env, Role::Error, "error:");
        self.message(&format!("{label} {}", harmless(&failure.message)));
        if let Some(hint) = &failure.hint {
            let label = self.paint(env, Role::Hint, "hint:");
            self.message(&format!("\n{label} {}", harmless(hint)));
        }
    }

    /// One line on standard error, as it is. A standard error that is closed is no reason to stop.
    pub fn message(&mut self, text: &str) {
        let _ = writeln!(self.stderr, "{text}");
    }

    /// A progress bar over `total` steps: on a terminal only.
    pub fn progress(&self, total: usize, what: &'static str) -> Progress {
        Progress::new(total, what, self.terminals.stderr)
    }

    fn paint(&self, env: &Env, role: Role, text: &str) -> String {
        style::paint(role, text, style::wanted(env, self.terminals.stderr))
    }
}

impl fmt::Debug for Ui {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ui")
            .field("terminals", &self.terminals)
            .finish_non_exhaustive()
    }
}

/// A text without what a terminal would obey: names come from files that others wrote.
pub(crate) fn harmless(text: &impl fmt::Display) -> String {
    let commands = |char: char| char.is_control() && !matches!(char, '\n' | '\t');
    text.to_string().replace(
        commands,
        char::REPLACEMENT_CHARACTER.encode_utf8(&mut [0; 4]),
    )
}

/// Appends without `Vec`'s own growth, which would free the old buffer with plaintext in it.
fn append(bytes: &mut Zeroizing<Vec<u8>>, more: &[u8]) {
    let needed = bytes.len() + more.len();
    if needed > bytes.capacity() {
        let mut larger = Zeroizing::new(Vec::with_capacity(needed.next_power_of_two()));
        larger.extend_from_slice(bytes);
        *bytes = larger;
    }
    bytes.extend_from_slice(more);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn standard_input_is_read_to_its_end() {
        let input: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
        let mut ui = Ui::new(
            io::Cursor::new(input.clone()),
            io::sink(),
            io::sink(),
            Terminals::default(),
        );
        assert_eq!(*ui.read_stdin().unwrap(), input);
    }

    #[test]
    fn standard_input_without_an_end_is_refused() {
        let mut ui = Ui::new(
            io::repeat(b'x'),
            io::sink(),
            io::sink(),
            Terminals::default(),
        );
        let refused = ui.read_stdin().unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("it has more than {} MiB", MAX_SOURCE_BYTES >> 20)
        );
    }

    #[test]
    fn a_name_in_a_message_does_not_steer_the_terminal() {
        let told = harmless(&"`x\u{1b}[2J\u{9b}1m\r` is bad\n\tsee é");
        assert_eq!(told, "`x\u{fffd}[2J\u{fffd}1m\u{fffd}` is bad\n\tsee é");
    }
}
