//! Schedules in the form of cron, in UTC.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use signet_crds::duration::GoDuration;

/// When something begins, again and again.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Schedule {
    Fields(Fields),
    /// At multiples of so many seconds since 1970.
    Every(i64),
}

/// Sets of numbers, a bit each.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fields {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Whether a day needs to be of both `days` and `weekdays`: one of them is any.
    both: bool,
}

struct Field {
    first: u32,
    last: u32,
    names: &'static [&'static str],
}

const MINUTE: Field = Field {
    first: 0,
    last: 59,
    names: &[],
};
const HOUR: Field = Field {
    first: 0,
    last: 23,
    names: &[],
};
const DAY: Field = Field {
    first: 1,
    last: 31,
    names: &[],
};
const MONTH: Field = Field {
    first: 1,
    last: 12,
    names: &[
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ],
};
const WEEKDAY: Field = Field {
    first: 0,
    last: 6,
    names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

impl Schedule {
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if let Some(every) = text.strip_prefix("@every ") {
            let every: GoDuration = every.trim().parse().map_err(|_| "it is no duration")?;
            let seconds = every.nanos() / 1_000_000_000;
            return match seconds {
                1.. => Ok(Self::Every(seconds)),
                _ => Err("it must be at least a second"),
            };
        }
        let fields = match text {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            word if word.starts_with('@') => return Err("it is an unknown word"),
            zone if zone.starts_with("TZ=") || zone.starts_with("CRON_TZ=") => {
                return Err("it names a time zone, and all is in UTC");
            }
            fields => fields,
        };
        let fields: Vec<_> = fields.split_ascii_whitespace().collect();
        let &[minute, hour, day, month, weekday] = &fields[..] else {
            return Err("it does not have five fields");
        };
        let is_any = |field: &str| field.starts_with(['*', '?']);
        Ok(Self::Fields(Fields {
            minutes: MINUTE.parse(minute)?,
            hours: HOUR.parse(hour)?,
            days: DAY.parse(day)?,
            months: MONTH.parse(month)?,
            weekdays: WEEKDAY.parse(weekday)?,
            both: is_any(day) || is_any(weekday),
        }))
    }

    /// The first start after a moment; `None` if there is none in the next years, as of 30 February.
    pub(super) fn next(&self, after: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Every(seconds) => {
                let next = after.as_second().div_euclid(*seconds).checked_add(1)?;
                Timestamp::from_second(next.checked_mul(*seconds)?).ok()
            }
            Self::Fields(fields) => fields.next(after),
        }
    }
}

/// Between two 29th of February that are the same day of the week, with a century without one between.
const DAYS: usize = 366 * 40;

impl Fields {
    fn next(&self, after: Timestamp) -> Option<Timestamp> {
        let minute = SignedDuration::from_mins(1);
        let after = after.checked_add(minute).ok()?.to_zoned(TimeZone::UTC);
        let start = after.datetime();
        let mut date = start.date();
        let mut earliest = (start.hour(), start.minute());
        for _ in 0..DAYS {
            let time = self.first_from(earliest).filter(|_| self.is_day(date));
            if let Some((hour, minute)) = time {
                let found = date.at(hour, minute, 0, 0);
                return TimeZone::UTC.to_timestamp(found).ok();
            }
            date = date.checked_add(1.day()).ok()?;
            earliest = (0, 0);
        }
        None
    }

    fn is_day(&self, day: Date) -> bool {
        let has = |set: u64, number: i8| set & (1 << number) != 0;
        let by_date = has(self.days, day.day());
        let by_weekday = has(self.weekdays, day.weekday().to_sunday_zero_offset());
        let fits = if self.both {
            by_date && by_weekday
        } else {
            by_date || by_weekday
        };
        fits && has(self.months, day.month())
    }

    fn first_from(&self, (hour, minute): (i8, i8)) -> Option<(i8, i8)> {
        let first = |set: u64, from: i8| {
            let left = set.checked_shr(u32::try_from(from).ok()?)?;
            let next = i8::try_from(left.trailing_zeros()).ok()?;
            (left != 0).then_some(from + next)
        };
        if first(self.hours, hour) == Some(hour)
            && let Some(minute) = first(self.minutes, minute)
        {
            return Some((hour, minute));
        }
        let hour = first(self.hours, hour + 1)?;
        Some((hour, first(self.minutes, 0)?))
    }
}

impl Field {
    fn parse(&self, text: &str) -> Result<u64, &'static str> {
        let parts = text.split(',').map(|part| self.part(part));
        parts
            .reduce(|all, part| Ok(all? | part?))
            .unwrap_or(Err("a field is empty"))
    }

    /// `*`, `5`, `1-5`, each with a step such as `/2` behind it.
    fn part(&self, text: &str) -> Result<u64, &'static str> {
        let (range, step) = match text.split_once('/') {
            Some((range, step)) => (range, Some(step)),
            None => (text, None),
        };
        let (first, last) = match range.split_once('-') {
            _ if matches!(range, "*" | "?") => (self.first, self.last),
            Some((first, last)) => (self.number(first)?, self.number(last)?),
            // With a step a number is where it begins.
            None if step.is_some() => (self.number(range)?, self.last),
            None => (self.number(range)?, self.number(range)?),
        };
        let step = match step {
            Some(step) => step.parse().map_err(|_| "a step is no number")?,
            None => 1,
        };
        if step == 0 {
            return Err("a step is zero");
        }
        if first < self.first || last > self.last {
            return Err("a number is out of range");
        }
        if first > last {
            return Err("a range ends before it begins");
        }
        Ok((first..=last)
            .step_by(step)
            .fold(0, |set, number| set | 1 << number))
    }

    fn number(&self, text: &str) -> Result<u32, &'static str> {
        let name = text.to_ascii_lowercase();
        if let Some(position) = self.names.iter().position(|known| *known == name) {
            return Ok(self.first + u32::try_from(position).unwrap_or_default());
        }
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.then(|| text.parse().ok()).flatten();
        number.ok_or("a field is neither a number nor a name")
    }
}
