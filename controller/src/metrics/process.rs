//! Metrics of the process under the names that Go's client library gives them, which the peer's
//! dashboards use: `process_cpu_seconds_total`, `process_resident_memory_bytes` and so on.
//!
//! Read from `/proc` at each scrape; where there is none there are no such metrics.

use std::{fmt, fs};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{counter::ConstCounter, gauge::ConstGauge},
};
use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

/// Reads them.
#[derive(Debug)]
pub struct Process;

/// What the kernel says of a process.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Usage {
    cpu_seconds: f64,
    virtual_bytes: f64,
    resident_bytes: f64,
    /// Since the machine was started.
    started_seconds: f64,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let stat = fs::read_to_string("/proc/self/stat").ok();
        let Some(usage) = stat.as_deref().and_then(usage) else {
            return Ok(());
        };
        let help = "Total user and system CPU time spent in seconds.";
        let cpu = ConstCounter::new(usage.cpu_seconds);
        let descriptor =
            encoder.encode_descriptor("process_cpu_seconds", help, None, cpu.metric_type())?;
        cpu.encode(descriptor)?;

        let mut gauge = |name: &str, help: &str, value: Option<f64>| {
            let Some(value) = value else { return Ok(()) };
            let gauge = ConstGauge::new(value);
            let descriptor = encoder.encode_descriptor(name, help, None, gauge.metric_type())?;
            gauge.encode(descriptor)
        };
        gauge(
            "process_resident_memory_bytes",
            "Resident memory size in bytes.",
            Some(usage.resident_bytes),
        )?;
        gauge(
            "process_virtual_memory_bytes",
            "Virtual memory size in bytes.",
            Some(usage.virtual_bytes),
        )?;
        gauge(
            "process_start_time_seconds",
            "Start time of the process since unix epoch in seconds.",
            boot_time().map(|boot| boot + usage.started_seconds),
        )?;
        gauge(
            "process_open_fds",
            "Number of open file descriptors.",
            open_files(),
        )?;
        gauge(
            "process_max_fds",
            "Maximum number of open file descriptors.",
            getrlimit(Resource::Nofile).current.map(number),
        )
    }
}

/// The fields of `/proc/self/stat`, see `man 5 proc_pid_stat`. The name of the program comes second, in
/// parentheses, and may hold anything.
fn usage(stat: &str) -> Option<Usage> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    // The first here is the third there.
    let field = |place: usize| number_of(fields.get(place - 3)?);
    let ticks = number(clock_ticks_per_second());
    Some(Usage {
        cpu_seconds: (field(14)? + field(15)?) / ticks,
        started_seconds: field(22)? / ticks,
        virtual_bytes: field(23)?,
        resident_bytes: field(24)? * number(page_size() as u64),
    })
}

/// When the machine was started, in seconds of Unix time.
fn boot_time() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    number_of(stat.lines().find_map(|line| line.strip_prefix("btime "))?)
}

fn open_files() -> Option<f64> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    // One of them is the folder that is being read.
    Some(number(count.saturating_sub(1) as u64))
}

fn number_of(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, as everywhere in Prometheus"
)]
fn number(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::metrics::Metrics;

    #[test]
    fn the_name_of_a_program_does_not_shift_the_fields() {
        let stat = "7 (a b) c) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 9 0 4200 1048576 3 18446744073709551615";
        let usage = usage(stat).unwrap();
        let ticks = number(clock_ticks_per_second());
        assert!((usage.cpu_seconds - 300.0 / ticks).abs() < 1e-9);
        assert!((usage.started_seconds - 4200.0 / ticks).abs() < 1e-9);
        assert!((usage.virtual_bytes - 1_048_576.0).abs() < 1e-9);
        assert!((usage.resident_bytes - 3.0 * number(page_size() as u64)).abs() < 1e-9);
    }

    #[test]
    fn the_process_is_told_as_go_programs_tell_it() {
        let text = Metrics::new("v0", vec![Box::new(Process)])
            .encode()
            .unwrap();
        let value = |name: &str| -> f64 {
            let line = text
                .lines()
                .find(|line| line.starts_with(&format!("{name} ")));
            let line = line.unwrap_or_else(|| panic!("no {name} in\n{text}"));
            line.rsplit(' ').next().unwrap().parse().unwrap()
        };
        assert!(value("process_cpu_seconds_total") >= 0.0);
        assert!(value("process_resident_memory_bytes") > 1e6);
        assert!(value("process_virtual_memory_bytes") > 1e6);
        assert!(value("process_open_fds") >= 3.0);
        assert!(value("process_max_fds") >= value("process_open_fds"));
        let started = value("process_start_time_seconds");
        let now = number(u64::try_from(jiff::Timestamp::now().as_second()).unwrap());
        assert!(started > now - 86_400.0 && started < now + 5.0, "{started}");
    }
}
