//! A program that is given something on its standard input, to its end.

use std::io::{self, Write as _};
use std::process::{Command, Output, Stdio};

/// Runs it and waits.
pub fn feed(command: &mut Command, input: &[u8]) -> io::Result<Output> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // A program that fails early does not read its input: that is no error of the test.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    })
}

/// The same, beside other work of the test.
pub async fn fed(mut command: Command, input: &str) -> io::Result<Output> {
    let input = input.as_bytes().to_vec();
    let run = move || feed(&mut command, &input);
    tokio::task::spawn_blocking(run).await?
}
