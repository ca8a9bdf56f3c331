//! Programs that are started for their output.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use signet_keys::Plaintext;
use zeroize::Zeroizing;

/// What a program printed, at most this much. Identities and data keys are far shorter.
const LONGEST: u64 = 1024 * 1024;

/// Why a program gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The line is not one that a shell would split into words.
    #[error("the quotes of the command line do not match")]
    Quotes,
    /// There is no word in it.
    #[error("the command line is empty")]
    Empty,
    /// It cannot be started.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The program, without its arguments: they may hold secrets.
        program: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It cannot be spoken with.
    #[error("cannot speak with `{program}`: {source}")]
    Talk {
        /// The program.
        program: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It ended with a failure.
    #[error("`{program}` ended with {status}{}", said(.message))]
    Failed {
        /// The program.
        program: String,
        /// How it ended.
        status: std::process::ExitStatus,
        /// What it printed to standard error, where that was caught.
        message: String,
    },
}

/// Runs a program to its end: `input` goes to its standard input, and what it prints comes back.
/// Standard error is caught if `command` was told to pipe it.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Result<Plaintext, CommandError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let talk = |source| CommandError::Talk {
        program: program.clone(),
        source,
    };
    command.stdin(if input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    });
    command.stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|source| CommandError::Start {
        program: program.clone(),
        source,
    })?;
    let (written, output, message) = converse(&mut child, input);
    let status = child.wait().map_err(talk)?;
    if !status.success() {
        return Err(CommandError::Failed {
            program,
            status,
            message,
        });
    }
    // Who succeeds without reading everything has had enough.
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(talk(error)),
        _ => output.map(Plaintext::from).map_err(talk),
    }
}

type Spoken = (
    std::io::Result<()>,
    std::io::Result<Zeroizing<Vec<u8>>>,
    String,
);

/// Writes, and reads both outputs meanwhile: a full pipe on one side must not stop the other.
fn converse(child: &mut Child, input: &[u8]) -> Spoken {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(input)));
        let errors = scope.spawn(move || {
            let mut text = Vec::new();
            if let Some(stderr) = stderr {
                // What was read until an error is what there is to tell.
                let _ = stderr.take(LONGEST).read_to_end(&mut text);
            }
            String::from_utf8_lossy(&text).trim().to_owned()
        });
        let mut output = Zeroizing::new(Vec::with_capacity(4096));
        let read = stdout.map_or(Ok(0), |stdout| {
            stdout.take(LONGEST).read_to_end(&mut output)
        });
        let broken = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        (
            writer.join().unwrap_or_else(|_| Err(broken())),
            read.map(|_| output),
            errors.join().unwrap_or_default(),
        )
    })
}

fn said(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!(": {}", lines.join("; "))
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stderr(Stdio::piped());
        command
    }

    #[test]
    fn input_and_output_larger_than_a_pipe_pass() {
        let input = vec![b'x'; 300_000];
        assert_eq!(run(shell("cat"), &input).unwrap().expose(), input);
    }

    #[test]
    fn a_program_that_reads_nothing_and_succeeds_is_fine() {
        let input = vec![b'x'; 300_000];
        assert_eq!(run(shell("echo done"), &input).unwrap().expose(), b"done\n");
    }

    #[test]
    fn a_failure_tells_what_the_program_said() {
        let error = run(shell("echo no such key >&2; exit 2"), b"").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`/bin/sh` ended with exit status: 2: no such key"
        );
    }
}
