//! Command lines as data, run by a peer and by ours under the peer's name, and compared: status,
//! standard output, standard error, and the files that a run left or changed.
//!
//! Where ours differs on purpose, the session says how and why; the reason must be a heading of the
//! peer's page of differences. A session that says so while both do the same fails.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tempfile::TempDir;

mod compare;
mod program;

pub use program::{Finished, files, named, run};

use compare::Seen;

/// A program whose command lines are compared.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Its name, which is also the one that ours is called by.
    pub name: &'static str,
    /// The folder of the sessions, one TOML file a subject.
    pub sessions: &'static str,
    /// The page of differences, from the root of the repository.
    pub differences: &'static str,
    /// What every session finds in its folder, by name.
    pub fixtures: fn() -> &'static BTreeMap<String, String>,
    /// Makes outputs comparable: the output and the path of the folder in it.
    pub normal: fn(&[u8], &str) -> String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    session: Vec<Session>,
}

/// One command line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    name: String,
    /// `{dir}` stands for the folder.
    args: Vec<String>,
    /// `<name` stands for the fixture of that name.
    #[serde(default)]
    stdin: String,
    /// The input in UTF-16 with a byte order mark.
    #[serde(default)]
    stdin_utf16: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// More files, or others in place of the fixtures.
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
    /// Byte for byte, once made comparable.
    #[default]
    Same,
    /// Its first line. Ours has more, or other words, below it.
    FirstLine,
    /// Not at all.
    Any,
}

/// What ours does where it differs from the peer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Differs {
    /// The heading in the page of differences.
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
    /// Files that are there afterwards, and how they are.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Files that are not there afterwards.
    #[serde(default)]
    no_files: Vec<String>,
}

impl Peer {
    /// The names of all files of sessions.
    ///
    /// # Panics
    /// When the folder cannot be read.
    pub fn subjects(&self) -> Vec<String> {
        let entries = fs::read_dir(self.sessions).unwrap_or_else(|error| panic!("{error}"));
        let mut names: Vec<_> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "toml"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        names.sort();
        names
    }

    /// Runs all sessions of a file.
    ///
    /// # Panics
    /// When any is not as it should be; all that are not are told.
    pub fn check(&self, subject: &str) {
        let path = Path::new(self.sessions)
            .join(subject)
            .with_extension("toml");
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}"));
        let file: File = toml_edit::de::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
        let told: String = file
            .session
            .iter()
            .filter_map(|session| self.faults(session))
            .collect();
        assert!(told.is_empty(), "{told}");
    }

    fn faults(&self, session: &Session) -> Option<String> {
        let ours = self.run(session, &program::named(self.name));
        let peer = || self.run(session, &crate::tools().path(self.name));
        let faults = match &session.differs {
            None => compare::same(session, &peer(), &ours),
            Some(differs) => {
                let mut faults = compare::expected(differs, &ours);
                if !differs.peer_is_not_run && peer() == ours {
                    faults.push("the peer does the same: this is no difference".to_owned());
                }
                if !self.is_documented(&differs.why) {
                    faults.push(format!("{:?} is not documented", differs.why));
                }
                faults
            }
        };
        (!faults.is_empty()).then(|| {
            let mut told = format!("\n## {}\n", session.name);
            for fault in faults {
                // Writing to a String cannot fail.
                let _ = writeln!(told, "{fault}");
            }
            told
        })
    }

    fn is_documented(&self, heading: &str) -> bool {
        let page = crate::tools::repository().join(self.differences);
        let text = fs::read_to_string(page).unwrap_or_default();
        text.lines()
            .any(|line| line.trim_start_matches('#').trim() == heading)
    }

    fn run(&self, session: &Session, program: &Path) -> Seen {
        let folder = self.prepare(session);
        let path = folder.path().display().to_string();
        let before = files(folder.path());
        let here = |text: &String| text.replace("{dir}", &path);
        let args: Vec<_> = session.args.iter().map(here).collect();
        let env = session.env.iter();
        let env = env
            .map(|(name, value)| (name.clone(), here(value)))
            .collect();
        let finished = run(program, folder.path(), &args, &env, &self.stdin(session));
        let normal = |bytes: &[u8]| (self.normal)(bytes, &path);
        let left = files(folder.path()).into_iter();
        Seen {
            status: finished.status,
            stdout: normal(&finished.stdout),
            stderr: normal(finished.stderr.as_bytes()),
            files: left
                .filter(|(name, bytes)| before.get(name) != Some(bytes))
                .map(|(name, bytes)| (name, normal(&bytes)))
                .collect(),
        }
    }

    fn stdin(&self, session: &Session) -> Vec<u8> {
        if session.stdin_utf16.is_empty() {
            return self.text(&session.stdin).as_bytes().to_vec();
        }
        let text = format!("\u{feff}{}", session.stdin_utf16);
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    /// A text of a session, or the fixture that it names.
    fn text<'a>(&self, text: &'a str) -> &'a str {
        match text.strip_prefix('<') {
            Some(name) => (self.fixtures)()
                .get(name)
                .unwrap_or_else(|| panic!("no fixture {name}")),
            None => text,
        }
    }

    fn prepare(&self, session: &Session) -> TempDir {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let at = |name: &str| -> PathBuf { folder.path().join(name) };
        let done = (|| {
            for (name, text) in (self.fixtures)().iter().chain(&session.files) {
                let path = at(name);
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(&path, self.text(text))?;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o644))?;
            }
            for name in &session.folders {
                fs::create_dir_all(at(name))?;
            }
            for (name, target) in &session.links {
                std::os::unix::fs::symlink(target, at(name))?;
            }
            std::io::Result::Ok(())
        })();
        done.unwrap_or_else(|error| panic!("{}: {error}", session.name));
        folder
    }
}
