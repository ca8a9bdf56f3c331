//! Nothing outlives a test process, however it ends.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A process that holds a control plane.
struct Plane {
    process: Child,
    folder: PathBuf,
    /// What it says later must go somewhere: a closed pipe would end it.
    _stdout: BufReader<ChildStdout>,
}

/// Starts a process that holds a control plane, and waits until it is up.
fn start() -> Plane {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plane"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let kubeconfig = line.trim_end().strip_prefix("kubeconfig=");
    let kubeconfig = PathBuf::from(kubeconfig.expect("the plane ended before it was ready"));
    Plane {
        process: child,
        folder: kubeconfig.parent().unwrap().into(),
        _stdout: stdout,
    }
}

/// The processes whose command line names the folder.
fn processes(folder: &Path) -> Vec<String> {
    let folder = folder.display().to_string();
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(&folder))
        .collect()
}

fn wait_until_gone(folder: &Path) {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let left = processes(folder);
        if left.is_empty() && !folder.exists() {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "left behind: {left:#?}, folder there: {}",
            folder.exists()
        );
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_killed_test_process_leaves_no_server_and_no_folder() {
    let mut plane = start();
    let before = processes(&plane.folder);
    for server in ["etcd", "kube-apiserver", "kube-controller-manager"] {
        assert!(
            before.iter().any(|line| line.contains(server)),
            "{server} is not running: {before:#?}"
        );
    }
    plane.process.kill().unwrap();
    plane.process.wait().unwrap();
    wait_until_gone(&plane.folder);
}

#[test]
fn a_test_process_that_ends_by_itself_leaves_no_server_and_no_folder() {
    let mut plane = start();
    drop(plane.process.stdin.take());
    assert!(plane.process.wait().unwrap().success());
    wait_until_gone(&plane.folder);
}
