//! Sealing at the desk: both command lines over the same file, offline.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use signet_kit::{cargo, tools};

use crate::load::{ITEMS, Keys, SECRETS, secrets_yaml};
use crate::row::{Row, Unit};
use crate::{Plan, Result, median};

/// One run takes less than a second, so it is cheap to have many.
const TIMES: usize = 5;

pub fn rows(plan: Plan, keys: &Keys) -> Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("secrets.yaml"), secrets_yaml())?;
    std::fs::write(at("certificate.pem"), &keys.certificate)?;
    // Under this name it has the peer's grammar.
    std::os::unix::fs::symlink(cargo::signet(), at("kubeseal"))?;

    let (peer, ours) = (tools().path("kubeseal"), at("kubeseal"));
    let certificate = format!("--cert={}", at("certificate.pem").display());
    let seal = [certificate.as_str(), "-o", "yaml"];
    let work = format!("kubeseal, {SECRETS} Secrets of {ITEMS} items, offline");
    let (peer_seal, our_seal) = side_by_side(plan, &peer, &ours, &seal, &at("secrets.yaml"))?;
    let version = ["--version"];
    let (peer_start, our_start) =
        side_by_side(plan, &peer, &ours, &version, Path::new("/dev/null"))?;
    Ok(vec![
        Row::new(work, Unit::Seconds, Some(peer_seal), our_seal),
        Row::new(
            "kubeseal --version",
            Unit::Seconds,
            Some(peer_start),
            our_start,
        ),
    ])
}

/// Alternating, so that other load of the machine meets both.
fn side_by_side(
    plan: Plan,
    peer: &Path,
    ours: &Path,
    args: &[&str],
    input: &Path,
) -> Result<(f64, f64)> {
    let (mut theirs, mut own) = (Vec::new(), Vec::new());
    for _ in 0..plan.runs * TIMES {
        theirs.push(run(peer, args, input)?);
        own.push(run(ours, args, input)?);
    }
    Ok((median(theirs), median(own)))
}

fn run(program: &Path, args: &[&str], input: &Path) -> Result<f64> {
    let start = Instant::now();
    let status = Command::new(program)
        .args(args)
        .stdin(File::open(input)?)
        .stdout(Stdio::null())
        .status()?;
    let took = start.elapsed().as_secs_f64();
    if status.success() {
        Ok(took)
    } else {
        Err(format!("{} ended with {status}", program.display()).into())
    }
}
