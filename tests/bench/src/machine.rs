//! The machine that the figures are of.

use std::fs;
use std::thread::available_parallelism;

/// Cores, processor and kernel.
pub fn name() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("an unnamed processor", |rest| {
            rest.trim_start_matches([' ', '\t', ':'])
        });
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let cores = available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{cores} cores of {model}, Linux {}", kernel.trim())
}

/// Processes that wanted the processor in the last minute: what else the figures were measured beside.
pub fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or_default().to_owned()
}
