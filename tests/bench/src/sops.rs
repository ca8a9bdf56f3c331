//! SOPS files at the desk: both programs over the same files, with one age recipient, offline.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use signet_kit::{cargo, tools};

use crate::row::{Row, Unit};
use crate::{Plan, Result, median};

/// Values of the small file, of the larger ones, and of those that only ours is given.
const SMALL: usize = 10;
const YAML: usize = 10_000;
const JSON: usize = 20_000;
const GROWTH: [usize; 3] = [10_000, 100_000, 1_000_000];
/// A run over the small file takes milliseconds.
const SMALL_TIMES: usize = 10;

pub fn rows(plan: Plan) -> Result<Vec<Row>> {
    let desk = Desk::new()?;
    let mut rows = Vec::new();

    let small = desk.input("small.yaml", &yaml(SMALL))?;
    let small = desk.encrypted(&small)?;
    let [peer, ours] = desk.both(plan.runs * SMALL_TIMES, "decrypt", &small, true)?;
    rows.extend(peer.beside(&ours, format!("sops decrypt, YAML, {SMALL} values")));

    let large = desk.input("large.yaml", &yaml(YAML))?;
    rows.extend(desk.there_and_back(plan.runs, &large, &format!("YAML, {YAML} values"), true)?);
    // The peer needs the square of the keys: it is run once, and not at all when in a hurry.
    let object = desk.input("object.json", &json(JSON))?;
    let work = format!("JSON, one object of {JSON} keys");
    rows.extend(desk.there_and_back(1, &object, &work, !plan.quick)?);

    for values in GROWTH {
        let file = desk.input("growth.yaml", &yaml(values))?;
        rows.extend(desk.there_and_back(1, &file, &format!("YAML, {values} values"), false)?);
        let file = desk.input("growth.json", &json(values))?;
        rows.extend(desk.there_and_back(1, &file, &format!("JSON, {values} keys"), false)?);
    }
    Ok(rows)
}

/// What one run took.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    mebibytes: f64,
}

/// What runs of one program took.
struct Costs {
    seconds: f64,
    mebibytes: f64,
    ran: bool,
}

impl Costs {
    fn of(runs: &[Cost]) -> Self {
        Self {
            seconds: median(runs.iter().map(|run| run.seconds).collect()),
            mebibytes: median(runs.iter().map(|run| run.mebibytes).collect()),
            ran: true,
        }
    }

    fn none() -> Self {
        Self {
            seconds: 0.0,
            mebibytes: 0.0,
            ran: false,
        }
    }

    /// The rows of a table: wall time and peak memory of this one, the peer's, and of ours.
    fn beside(&self, ours: &Self, work: String) -> [Row; 2] {
        let peer = |value| self.ran.then_some(value);
        let memory = format!("{work}: memory");
        [
            Row::new(work, Unit::Seconds, peer(self.seconds), ours.seconds),
            Row::new(memory, Unit::MiB, peer(self.mebibytes), ours.mebibytes),
        ]
    }
}

/// A folder with a key pair and both programs.
struct Desk {
    folder: tempfile::TempDir,
    peer: PathBuf,
    ours: PathBuf,
    identities: PathBuf,
    recipient: String,
}

impl Desk {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let identities = folder.path().join("keys.txt");
        let made = Command::new(tools().path("age-keygen"))
            .arg("-o")
            .arg(&identities)
            .output()?;
        let told = String::from_utf8(made.stderr)?;
        let recipient = told.trim().strip_prefix("Public key: ");
        let recipient = recipient
            .ok_or("age-keygen names no public key")?
            .to_owned();
        // Under this name it has the peer's grammar.
        let ours = folder.path().join("sops");
        std::os::unix::fs::symlink(cargo::signet(), &ours)?;
        Ok(Self {
            peer: tools().path("sops"),
            ours,
            identities,
            recipient,
            folder,
        })
    }

    fn input(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.folder.path().join(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Both ways of both programs over one file in the clear.
    fn there_and_back(
        &self,
        runs: usize,
        plain: &Path,
        work: &str,
        with_peer: bool,
    ) -> Result<Vec<Row>> {
        let [peer, ours] = self.both(runs, "encrypt", plain, with_peer)?;
        let mut rows = Vec::from(peer.beside(&ours, format!("sops encrypt, {work}")));
        let encrypted = self.encrypted(plain)?;
        let [peer, ours] = self.both(runs, "decrypt", &encrypted, with_peer)?;
        rows.extend(peer.beside(&ours, format!("sops decrypt, {work}")));
        Ok(rows)
    }

    /// Alternating, so that other load of the machine meets both.
    fn both(&self, runs: usize, verb: &str, file: &Path, with_peer: bool) -> Result<[Costs; 2]> {
        let (mut theirs, mut own) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            if with_peer {
                theirs.push(self.run(&self.peer, verb, file, None)?);
            }
            own.push(self.run(&self.ours, verb, file, None)?);
        }
        let peer = if with_peer {
            Costs::of(&theirs)
        } else {
            Costs::none()
        };
        Ok([peer, Costs::of(&own)])
    }

    fn encrypted(&self, plain: &Path) -> Result<PathBuf> {
        let name = plain.file_name().ok_or("a file has a name")?;
        let folder = self.folder.path().join("encrypted");
        fs::create_dir_all(&folder)?;
        let path = folder.join(name);
        self.run(&self.ours, "encrypt", plain, Some(&path))?;
        Ok(path)
    }

    fn run(&self, program: &Path, verb: &str, file: &Path, output: Option<&Path>) -> Result<Cost> {
        let stdout = match output {
            Some(path) => File::create(path)?.into(),
            None => Stdio::null(),
        };
        let start = Instant::now();
        let mut child = Command::new(program)
            .arg(verb)
            .arg(file)
            .current_dir(self.folder.path())
            .env("SOPS_AGE_KEY_FILE", &self.identities)
            .env("SOPS_AGE_RECIPIENTS", &self.recipient)
            .env("SOPS_DISABLE_VERSION_CHECK", "1")
            .stdin(Stdio::null())
            .stdout(stdout)
            .spawn()?;
        let peak = Peak::watch(child.id());
        let status = child.wait()?;
        let seconds = start.elapsed().as_secs_f64();
        let mebibytes = peak.end();
        if status.success() {
            Ok(Cost { seconds, mebibytes })
        } else {
            Err(format!("{} {verb} ended with {status}", program.display()).into())
        }
    }
}

/// Looks at the peak memory of a process until it ends. The kernel keeps the peak, so only what is
/// added in the last moment is missed.
struct Peak(thread::JoinHandle<f64>);

impl Peak {
    fn watch(process: u32) -> Self {
        Self(thread::spawn(move || {
            let mut peak = 0.0;
            while let Some(kilobytes) = peak_of(process) {
                peak = kilobytes / 1024.0;
                thread::sleep(Duration::from_micros(500));
            }
            peak
        }))
    }

    fn end(self) -> f64 {
        self.0.join().unwrap_or_default()
    }
}

/// `None` once the process has given its memory back.
fn peak_of(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Values of 40 characters, 20 to a mapping.
fn yaml(values: usize) -> String {
    let mut lines = Vec::with_capacity(values + values / 20 + 1);
    for number in 0..values {
        if number % 20 == 0 {
            lines.push(format!("group-{}:", number / 20));
        }
        lines.push(format!("    key-{number}: {}", value(number)));
    }
    lines.join("\n") + "\n"
}

/// One object, as the peer takes longest for it.
fn json(values: usize) -> String {
    let lines: Vec<_> = (0..values)
        .map(|number| format!("\t\"key-{number}\": \"{}\"", value(number)))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn value(number: usize) -> String {
    format!("value-{number:034}")
}
