//! A server process that cannot outlive the test process.
//!
//! Each server runs as the child of a small shell script that holds the read end of a pipe whose
//! only write end is in the test process. When that closes, because the [`Process`] is dropped or
//! because the test process ended in any way, also by SIGKILL, the script kills the server.
//! `PR_SET_PDEATHSIG` would not do: it fires when the *thread* that started the child ends, and a
//! test harness starts each test in a thread of its own.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::error::KitError;

const SUPERVISOR: &str = r#"
log=$1; shift
exec 4<&0
"$@" </dev/null >>"$log" 2>&1 4<&- &
child=$!
echo "$child"
exec >/dev/null
{ read -r _ <&4; kill -9 "$child"; } &
watch=$!
wait "$child"; status=$?
kill -9 "$watch"
exit "$status"
"#;

/// How a server is started.
#[derive(Clone, Debug)]
pub struct Launch {
    name: String,
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
}

impl Launch {
    /// `name` is for messages and the log file.
    pub fn new(name: &str, program: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args
            .extend(args.into_iter().map(|arg| arg.as_ref().into()));
        self
    }

    /// Sets a variable of the environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().into(), value.as_ref().into()));
        self
    }

    /// The name given at [`Launch::new`].
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A running server. Dropping it kills the server.
#[derive(Debug)]
pub struct Process {
    name: String,
    log: PathBuf,
    pid: Pid,
    supervisor: Child,
    lifeline: Option<ChildStdin>,
}

impl Process {
    /// Starts a server, whose output is appended to `log`.
    pub fn spawn(launch: &Launch, log: &Path) -> Result<Self, KitError> {
        let mut supervisor = Command::new("/bin/sh")
            .args(["-c", SUPERVISOR, "supervisor"])
            .arg(log)
            .arg(&launch.program)
            .args(&launch.args)
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(KitError::io("start", &launch.program))?;
        let lifeline = supervisor.stdin.take();
        let mut line = String::new();
        if let Some(stdout) = supervisor.stdout.take() {
            BufReader::new(stdout)
                .read_line(&mut line)
                .map_err(KitError::io("start", &launch.program))?;
        }
        let pid = line
            .trim()
            .parse()
            .ok()
            .and_then(Pid::from_raw)
            .ok_or_else(|| KitError::Start {
                server: launch.name.clone(),
                why: format!(
                    "its supervisor said `{}` in place of a process id",
                    line.trim()
                ),
                log: String::new(),
            })?;
        Ok(Self {
            name: launch.name.clone(),
            log: log.into(),
            pid,
            supervisor,
            lifeline,
        })
    }

    /// The server's process id.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// How the server ended, if it has.
    pub fn exited(&mut self) -> Option<ExitStatus> {
        self.supervisor.try_wait().ok().flatten()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) -> Result<(), KitError> {
        kill_process(self.pid, signal)
            .map_err(|errno| KitError::io("signal", &self.name)(errno.into()))
    }

    /// Kills the server without a chance to say goodbye, and waits until it is gone.
    pub fn kill(mut self) {
        self.end();
    }

    /// Asks the server to end, and kills it if it has not after `patience`.
    pub fn stop(mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        let asked = self.signal(Signal::TERM).is_ok();
        while asked && Instant::now() < deadline {
            if let Some(status) = self.exited() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.exited()
    }

    /// The last lines of the log.
    pub fn log_tail(&self, lines: usize) -> String {
        tail(&self.log, lines)
    }

    /// All that the server printed.
    pub fn log(&self) -> String {
        fs::read(&self.log)
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .unwrap_or_default()
    }

    /// The error for a server that is not ready, with the end of its log.
    pub(crate) fn not_ready(&self, why: impl Into<String>) -> KitError {
        KitError::Start {
            server: self.name.clone(),
            why: why.into(),
            log: self.log_tail(25),
        }
    }

    fn end(&mut self) {
        if self.exited().is_none() {
            // The supervisor still waits for it, so the id is still this server's.
            let _ = kill_process(self.pid, Signal::KILL);
        }
        drop(self.lifeline.take());
        let _ = self.supervisor.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The last `lines` lines of a log file.
pub fn tail(log: &Path, lines: usize) -> String {
    let text = fs::read(log)
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .unwrap_or_default();
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn sleeper(log: &Path) -> Process {
        let launch = Launch::new("sleeper", "/bin/sh")
            .args(["-c", "echo \"up $GREETING\"; exec sleep 300"])
            .env("GREETING", "and well");
        Process::spawn(&launch, log).unwrap()
    }

    fn is_alive(pid: i32) -> bool {
        fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[test]
    fn the_output_goes_to_the_log_and_the_environment_to_the_server() {
        let dir = tempfile::tempdir().unwrap();
        let process = sleeper(&dir.path().join("log"));
        while process.log().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(process.log_tail(1), "up and well");
    }

    #[test]
    fn dropping_a_process_ends_it() {
        let dir = tempfile::tempdir().unwrap();
        let process = sleeper(&dir.path().join("log"));
        let pid = process.pid();
        assert!(is_alive(pid));
        drop(process);
        assert!(!is_alive(pid));
    }

    #[test]
    fn stop_reports_the_exit_status_of_a_server_that_obeys() {
        let dir = tempfile::tempdir().unwrap();
        let launch = Launch::new("obedient", "/bin/sh").args([
            "-c",
            "trap 'exit 7' TERM; echo ready; while :; do sleep 0.05; done",
        ]);
        let process = Process::spawn(&launch, &dir.path().join("log")).unwrap();
        while process.log().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        let status = process.stop(Duration::from_secs(10)).unwrap();
        assert_eq!(status.code(), Some(7));
    }

    #[test]
    fn a_server_that_ends_by_itself_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let launch = Launch::new("short", "/bin/sh").args(["-c", "exit 3"]);
        let mut process = Process::spawn(&launch, &dir.path().join("log")).unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        while process.exited().is_none() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(process.exited().and_then(|status| status.code()), Some(3));
    }
}
