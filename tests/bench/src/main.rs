//! `make bench`: signet beside the real peers, in one run on one machine. Prints a table, and appends it
//! to `docs/benchmarks.md` with the machine named.
//!
//! - `RUNS` (3): how often each row is measured; the median counts.
//! - `QUICK=1`: leaves out the restart of the peer with its default flags, which takes five minutes,
//!   and the peer's work on a large JSON object, which takes one.
//! - `ONLY=sops`: nothing but SOPS files, which need no cluster; `ONLY=sealed`: all but those.
#![expect(clippy::print_stdout, reason = "what it prints is its result")]

mod cluster;
mod controller;
mod load;
mod machine;
mod row;
mod sealing;
mod sops;

use std::error::Error;
use std::fs;

use signet_kit::tools::repository;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What was asked for by the environment.
#[derive(Clone, Copy)]
struct Plan {
    runs: usize,
    quick: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let plan = Plan {
        runs: std::env::var("RUNS").map_or(Ok(3), |runs| runs.parse())?,
        quick: std::env::var_os("QUICK").is_some(),
    };
    let only = std::env::var("ONLY").unwrap_or_default();
    let load = machine::load();
    let mut rows = Vec::new();
    if only != "sops" {
        let keys = load::Keys::generate()?;
        rows.extend(sealing::rows(plan, &keys)?);
        rows.extend(controller::rows(plan, &keys).await?);
    }
    if only != "sealed" {
        rows.extend(sops::rows(plan)?);
    }

    let table = row::table(&rows);
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d");
    let runs = plan.runs;
    let machine = machine::name();
    let section = format!(
        "\n## {date}, {machine}\n\nMedians of {runs}; load average {load} before the run.\n\n{table}"
    );
    println!("{section}");
    let path = repository().join("docs/benchmarks.md");
    let known = fs::read_to_string(&path)?;
    fs::write(&path, known + &section)?;
    Ok(())
}

/// The middle one of several measurements.
fn median(mut measured: Vec<f64>) -> f64 {
    measured.sort_by(f64::total_cmp);
    measured[measured.len() / 2]
}
