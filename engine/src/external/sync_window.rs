//! When periodic refreshes are allowed.

use jiff::{SignedDuration, Timestamp};
use signet_crds::external::external_secret::{SyncWindowKind, SyncWindows};

mod cron;

use cron::Schedule;

/// Why windows mean nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyncWindowError {
    /// The schedule is none.
    #[error(
        "syncWindows.windows[{index}].schedule `{schedule}` is no schedule: {reason}; expected five fields such as `0 22 * * 1-5`, or @hourly, @daily, @weekly, @monthly, @yearly, @every 6h"
    )]
    Schedule {
        /// Which of the windows.
        index: usize,
        /// What it says.
        schedule: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// It opens for no time.
    #[error("syncWindows.windows[{index}].duration must be longer than nothing")]
    Duration {
        /// Which of the windows.
        index: usize,
    },
}

/// Windows that were read.
#[derive(Debug)]
pub(super) struct Windows {
    kind: SyncWindowKind,
    windows: Vec<(Schedule, SignedDuration)>,
}

impl Windows {
    pub(super) fn parse(windows: &SyncWindows) -> Result<Self, SyncWindowError> {
        let read = |(index, window): (usize, &_)| {
            let window: &signet_crds::external::external_secret::SyncWindow = window;
            let schedule = Schedule::parse(&window.schedule);
            let schedule = schedule.map_err(|reason| SyncWindowError::Schedule {
                index,
                schedule: window.schedule.clone(),
                reason,
            })?;
            if !window.duration.is_positive() {
                return Err(SyncWindowError::Duration { index });
            }
            Ok((
                schedule,
                SignedDuration::from_nanos(window.duration.nanos()),
            ))
        };
        Ok(Self {
            kind: windows.kind,
            windows: windows
                .windows
                .iter()
                .enumerate()
                .map(read)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The first moment from `time` on at which a refresh is allowed; `None`: never.
    pub(super) fn first_allowed(&self, time: Timestamp) -> Option<Timestamp> {
        match self.kind {
            SyncWindowKind::Allow if self.end_of_open(time).is_some() => Some(time),
            SyncWindowKind::Allow => {
                let starts = self.windows.iter();
                starts.filter_map(|(schedule, _)| schedule.next(time)).min()
            }
            SyncWindowKind::Deny => {
                let mut time = time;
                for _ in 0..MOST_WINDOWS_IN_A_ROW {
                    match self.end_of_open(time) {
                        Some(end) => time = end,
                        None => return Some(time),
                    }
                }
                None
            }
        }
    }

    /// When the last of the windows closes that are open.
    fn end_of_open(&self, time: Timestamp) -> Option<Timestamp> {
        let ends = self.windows.iter().filter_map(|(schedule, duration)| {
            let mut start = schedule.next(time.checked_sub(*duration).ok()?)?;
            let mut end = None;
            // A window that opens again before it closes stays open.
            while start <= time {
                end = start.checked_add(*duration).ok();
                start = schedule.next(start)?;
                if *duration > LONG && end.is_some() {
                    break;
                }
            }
            end
        });
        ends.max()
    }
}

/// Windows that follow on each other without a gap.
const MOST_WINDOWS_IN_A_ROW: usize = 1000;

/// Of longer windows only the first start is looked at; the next look finds the next.
const LONG: SignedDuration = SignedDuration::from_hours(24);

#[cfg(test)]
mod tests;
