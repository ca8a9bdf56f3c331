//! Command lines as data: run by both programs, and compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tempfile::TempDir;

use crate::fixtures;
use crate::normal::normal;
use crate::program::{self, Program};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    session: Vec<Session>,
}

/// One command line. The folder has the files of [`fixtures::files`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    name: String,
    /// `{dir}` stands for the folder.
    args: Vec<String>,
    #[serde(default)]
    stdin: String,
    /// The input in UTF-16 with a byte order mark.
    #[serde(default)]
    stdin_utf16: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// More files, or others in place of the usual ones.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Folders without files.
    #[serde(default)]
    folders: Vec<String>,
    /// Symbolic links and their targets.
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// Exit status of both.
    #[serde(default)]
    status: i32,
    #[serde(default)]
    stdout: Compare,
    #[serde(default)]
    stderr: Compare,
    /// What ours does otherwise on purpose.
    differs: Option<Differs>,
}

/// How an output of ours is compared with the peer's.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Compare {
    /// Byte for byte, ciphertext apart.
    #[default]
    Same,
    /// Its first line. Ours has a hint below it.
    FirstLine,
    /// Not at all.
    Any,
}

/// What ours does where it differs from the peer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Differs {
    /// The heading in `docs/kubeseal-differences.md`.
    why: String,
    /// The peer does not end, or writes outside of its folder: it is not run.
    #[serde(default)]
    peer_is_not_run: bool,
    status: i32,
    /// All of standard output.
    #[serde(default)]
    stdout: Option<String>,
    /// What standard error has in it.
    #[serde(default)]
    stderr: String,
    /// Files that are there afterwards, and how they are; ciphertext as `<sealed N>`.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Files that are not there afterwards.
    #[serde(default)]
    no_files: Vec<String>,
}

/// What is compared.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    files: BTreeMap<String, String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kubeseal-sessions")
}

/// The names of all files of sessions.
pub fn files() -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// Runs all sessions of a file and tells of all that fail.
pub fn run_file(name: &str) {
    let text = fs::read_to_string(folder().join(name).with_extension("toml")).unwrap();
    let file: File = toml_edit::de::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
    let told: String = file.session.iter().filter_map(check).collect();
    assert!(told.is_empty(), "{told}");
}

fn check(session: &Session) -> Option<String> {
    let ours = run(session, Program::Ours);
    let faults = match &session.differs {
        None => compare(session, &run(session, Program::Peer), &ours),
        Some(differs) => {
            let mut faults = expect(differs, &ours);
            if !differs.peer_is_not_run && run(session, Program::Peer) == ours {
                faults.push("the peer does the same: this is no difference".to_owned());
            }
            if !documented(&differs.why) {
                faults.push(format!("{:?} is not documented", differs.why));
            }
            faults
        }
    };
    (!faults.is_empty()).then(|| {
        let mut told = format!("\n## {}\n", session.name);
        for fault in faults {
            let _ = writeln!(told, "{fault}");
        }
        told
    })
}

fn compare(session: &Session, peer: &Seen, ours: &Seen) -> Vec<String> {
    let mut faults = Vec::new();
    let mut differ = |what: &str, peer: &str, ours: &str| {
        if peer != ours {
            faults.push(format!("{what}\n--- peer\n{peer}\n--- ours\n{ours}"));
        }
    };
    let status = |seen: &Seen| format!("{:?}", seen.status);
    differ(
        "expected status",
        &status(peer),
        &format!("{:?}", Some(session.status)),
    );
    differ("status", &status(peer), &status(ours));
    let parts = [
        ("stdout", session.stdout, &peer.stdout, &ours.stdout),
        ("stderr", session.stderr, &peer.stderr, &ours.stderr),
    ];
    for (what, compare, peer, ours) in parts {
        let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        match compare {
            Compare::Same => differ(what, peer, ours),
            Compare::FirstLine => differ(what, &first(peer), &first(ours)),
            Compare::Any => {}
        }
    }
    differ("files", &told(&peer.files), &told(&ours.files));
    faults
}

fn expect(differs: &Differs, ours: &Seen) -> Vec<String> {
    let mut faults = Vec::new();
    if ours.status != Some(differs.status) {
        faults.push(format!("status {:?}, {}", ours.status, ours.stderr));
    }
    if let Some(stdout) = &differs.stdout
        && *stdout != ours.stdout
    {
        faults.push(format!(
            "stdout\n--- expected\n{stdout}\n--- ours\n{}",
            ours.stdout
        ));
    }
    if !ours.stderr.contains(&differs.stderr) {
        faults.push(format!(
            "stderr\n--- expected in it\n{}\n--- ours\n{}",
            differs.stderr, ours.stderr
        ));
    }
    for (name, text) in &differs.files {
        if ours.files.get(name) != Some(text) {
            let found = ours.files.get(name).map_or("(none)", String::as_str);
            faults.push(format!("{name}\n--- expected\n{text}\n--- ours\n{found}"));
        }
    }
    let unwanted = |name: &&String| ours.files.contains_key(*name);
    faults.extend(
        differs
            .no_files
            .iter()
            .filter(unwanted)
            .map(|name| format!("{name} is there")),
    );
    faults
}

fn told(files: &BTreeMap<String, String>) -> String {
    files.iter().fold(String::new(), |mut told, (name, text)| {
        let _ = writeln!(told, "{name}:\n{text}");
        told
    })
}

fn documented(heading: &str) -> bool {
    let docs = signet_kit::tools::repository().join("docs/kubeseal-differences.md");
    let text = fs::read_to_string(docs).unwrap();
    text.lines()
        .any(|line| line.trim_start_matches('#').trim() == heading)
}

fn run(session: &Session, program: Program) -> Seen {
    let folder = prepare(session);
    let path = folder.path().to_str().unwrap();
    let before = program::files(folder.path());
    let args: Vec<_> = session
        .args
        .iter()
        .map(|arg| arg.replace("{dir}", path))
        .collect();
    let env = session
        .env
        .iter()
        .map(|(name, value)| (name.clone(), value.replace("{dir}", path)))
        .collect();
    let finished = program.run(folder.path(), &args, &env, &stdin(session));
    let files = program::files(folder.path())
        .into_iter()
        .filter(|(name, bytes)| before.get(name) != Some(bytes))
        .map(|(name, bytes)| (name, normal(&bytes, path)))
        .collect();
    Seen {
        status: finished.status,
        stdout: normal(&finished.stdout, path),
        stderr: normal(finished.stderr.as_bytes(), path),
        files,
    }
}

fn stdin(session: &Session) -> Vec<u8> {
    if session.stdin_utf16.is_empty() {
        // A session may have one of the usual files as its input.
        return match session.stdin.strip_prefix('<') {
            Some(name) => fixtures::files()[name].clone().into_bytes(),
            None => session.stdin.clone().into_bytes(),
        };
    }
    let text = format!("\u{feff}{}", session.stdin_utf16);
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn prepare(session: &Session) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = match text.strip_prefix('<') {
            Some(name) => fixtures::files()[name].as_str(),
            None => text,
        };
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    };
    for (name, text) in fixtures::files().iter().chain(&session.files) {
        write(name, text);
    }
    for name in &session.folders {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    for (name, target) in &session.links {
        std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    }
    folder
}
