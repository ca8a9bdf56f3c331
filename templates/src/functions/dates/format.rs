//! Dates to text.

use std::fmt::Write;

use jiff::Zoned;
use jiff::tz::TimeZone;

use super::layout::{self, Part, Zone};
use crate::value::Time;

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(super) const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// Name of a month, from 1.
pub(crate) fn month(number: i128) -> &'static str {
    let index = usize::try_from(number - 1).ok();
    index
        .and_then(|index| MONTHS.get(index))
        .copied()
        .unwrap_or("")
}

/// Name of a weekday, from Sunday, 0.
pub(crate) fn weekday(number: i128) -> &'static str {
    let index = usize::try_from(number).ok();
    index
        .and_then(|index| WEEKDAYS.get(index))
        .copied()
        .unwrap_or("")
}

/// As a time prints by itself.
pub(crate) fn to_string(time: &Time) -> String {
    format(time, "2006-01-02 15:04:05.999999999 -0700 MST")
}

/// As `%#v` prints it.
pub(crate) fn go_syntax(time: &Time) -> String {
    let zoned = time.zoned();
    let location = if zoned.offset().is_zero() {
        "time.UTC"
    } else {
        "time.Local"
    };
    format!(
        "time.Date({}, time.{}, {}, {}, {}, {}, {}, {location})",
        zoned.year(),
        month(zoned.month().into()),
        zoned.day(),
        zoned.hour(),
        zoned.minute(),
        zoned.second(),
        zoned.subsec_nanosecond()
    )
}

/// A date in a layout.
pub(crate) fn format(time: &Time, layout: &str) -> String {
    let zoned = time.zoned();
    let mut text = String::new();
    let mut rest = layout;
    while !rest.is_empty() {
        let (before, part, after) = layout::next(rest);
        text.push_str(before);
        if let Some(part) = part {
            let separator = &rest[before.len()..];
            text.push_str(&written(time, &zoned, part, separator));
        }
        rest = after;
    }
    text
}

fn written(time: &Time, zoned: &Zoned, part: Part, layout: &str) -> String {
    let short = |name: &str| name[..3.min(name.len())].to_owned();
    let hour12 = match zoned.hour() % 12 {
        0 => 12,
        hour => hour,
    };
    let weekday = weekday(zoned.weekday().to_sunday_zero_offset().into());
    let month_name = month(zoned.month().into());
    match part {
        Part::Month => month_name.to_owned(),
        Part::MonthShort => short(month_name),
        Part::MonthNumber => zoned.month().to_string(),
        Part::MonthPadded => format!("{:02}", zoned.month()),
        Part::Weekday => weekday.to_owned(),
        Part::WeekdayShort => short(weekday),
        Part::Day => zoned.day().to_string(),
        Part::DaySpaced => format!("{:2}", zoned.day()),
        Part::DayPadded => format!("{:02}", zoned.day()),
        Part::YearDaySpaced => format!("{:3}", zoned.day_of_year()),
        Part::YearDayPadded => format!("{:03}", zoned.day_of_year()),
        Part::Hour => format!("{:02}", zoned.hour()),
        Part::Hour12 => hour12.to_string(),
        Part::Hour12Padded => format!("{hour12:02}"),
        Part::Minute => zoned.minute().to_string(),
        Part::MinutePadded => format!("{:02}", zoned.minute()),
        Part::Second => zoned.second().to_string(),
        Part::SecondPadded => format!("{:02}", zoned.second()),
        Part::Year => format!("{:04}", zoned.year()),
        Part::YearShort => format!("{:02}", zoned.year().rem_euclid(100)),
        Part::NoonUpper => if zoned.hour() >= 12 { "PM" } else { "AM" }.to_owned(),
        Part::NoonLower => if zoned.hour() >= 12 { "pm" } else { "am" }.to_owned(),
        Part::ZoneName => zone_name(time, zoned),
        Part::Zone(zone) => offset(zoned, zone),
        Part::Fraction(digits) => fraction(zoned, &layout[..1], digits),
        Part::FractionTrimmed(digits) => {
            let text = fraction(zoned, &layout[..1], digits);
            text.trim_end_matches('0')
                .trim_end_matches(['.', ','])
                .to_owned()
        }
    }
}

fn fraction(zoned: &Zoned, separator: &str, digits: usize) -> String {
    let nanoseconds = format!("{:09}", zoned.subsec_nanosecond());
    format!("{separator}{}", &nanoseconds[..digits.min(9)])
}

/// An abbreviation; a zone that has none is written as an offset.
fn zone_name(time: &Time, zoned: &Zoned) -> String {
    if let Some(name) = &time.name {
        return name.to_string();
    }
    if *zoned.time_zone() == TimeZone::UTC {
        return "UTC".to_owned();
    }
    if zoned.time_zone().to_fixed_offset().is_ok() {
        let numeric = Zone {
            z: false,
            colon: false,
            minutes: true,
            seconds: false,
        };
        return offset(zoned, numeric);
    }
    let info = zoned.time_zone().to_offset_info(time.at);
    info.abbreviation().to_owned()
}

fn offset(zoned: &Zoned, zone: Zone) -> String {
    let seconds = zoned.offset().seconds();
    if zone.z && seconds == 0 {
        return "Z".to_owned();
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let seconds = seconds.unsigned_abs();
    let colon = if zone.colon { ":" } else { "" };
    let mut text = format!("{sign}{:02}", seconds / 3600);
    if zone.minutes {
        _ = write!(text, "{colon}{:02}", seconds / 60 % 60);
    }
    if zone.seconds {
        _ = write!(text, "{colon}{:02}", seconds % 60);
    }
    text
}
