//! Memory and processor time of a process, from `/proc`.

use std::fs;
use std::time::Duration;

/// What a process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Resident memory, in bytes.
    pub resident: u64,
    /// The most that it ever was, in bytes.
    pub peak: u64,
    /// Processor time in user and kernel mode.
    pub cpu: Duration,
}

/// Reads the usage of a process; zeros when it is gone.
pub(crate) fn of(pid: i32) -> Usage {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    Usage {
        resident: kilobytes(&status, "VmRSS:"),
        peak: kilobytes(&status, "VmHWM:"),
        cpu: cpu(&stat),
    }
}

fn kilobytes(status: &str, field: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse::<u64>().ok())
        .unwrap_or_default()
        * 1024
}

/// Fields 14 and 15 of `proc_pid_stat(5)`, counted from behind the name, which may hold anything.
fn cpu(stat: &str) -> Duration {
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return Duration::ZERO;
    };
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn this_process_has_used_something() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let mut sum = 0_u64;
        while of(pid).cpu.is_zero() {
            sum = sum.wrapping_add((0..100_000).sum::<u64>());
        }
        let usage = of(pid);
        assert!(
            usage.resident > 0 && usage.peak >= usage.resident,
            "{usage:?} {sum}"
        );
    }

    #[test]
    fn a_name_with_blanks_and_parentheses_does_not_shift_the_fields() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0";
        let ticks = rustix::param::clock_ticks_per_second();
        assert_eq!(cpu(stat), Duration::from_millis(300 * 1000 / ticks));
    }
}
