//! Methods of values: `(now).Year`, `(semver "1.2.3").Major`.

use std::collections::HashMap;
use std::sync::OnceLock;

use jiff::tz::TimeZone;

use super::{Table, dates};
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::{Function, Int};
use crate::value::{IntegerKind, Text, Time, Value, Version};

/// The method of that name, which takes the value as its first argument.
pub(crate) fn find(receiver: &Value, name: &str) -> Option<&'static Function> {
    static OF_TIMES: OnceLock<HashMap<&'static str, Function>> = OnceLock::new();
    static OF_VERSIONS: OnceLock<HashMap<&'static str, Function>> = OnceLock::new();
    match receiver {
        Value::Time(_) => OF_TIMES
            .get_or_init(|| of_times().into_iter().collect())
            .get(name),
        Value::Version(_) => OF_VERSIONS
            .get_or_init(|| of_versions().into_iter().collect())
            .get(name),
        _ => None,
    }
}

fn of_times() -> Table {
    let time = |get: fn(&Time) -> Value| {
        Function::new(
            move |_: &mut Context<'_, '_>, time: Time| -> Result<Value, Failure> { Ok(get(&time)) },
        )
    };
    let two = |get: fn(&Time, &Time) -> bool| {
        Function::new(
            move |_: &mut Context<'_, '_>, left: Time, right: Time| -> Result<bool, Failure> {
                Ok(get(&left, &right))
            },
        )
    };
    vec![
        ("Year", time(|time| Value::int(time.zoned().year().into()))),
        (
            "Month",
            time(|time| Value::integer(IntegerKind::Month, time.zoned().month().into())),
        ),
        ("Day", time(|time| Value::int(time.zoned().day().into()))),
        ("Hour", time(|time| Value::int(time.zoned().hour().into()))),
        (
            "Minute",
            time(|time| Value::int(time.zoned().minute().into())),
        ),
        (
            "Second",
            time(|time| Value::int(time.zoned().second().into())),
        ),
        (
            "Nanosecond",
            time(|time| Value::int(time.zoned().subsec_nanosecond().into())),
        ),
        (
            "YearDay",
            time(|time| Value::int(time.zoned().day_of_year().into())),
        ),
        (
            "Weekday",
            time(|time| {
                let day = time.zoned().weekday().to_sunday_zero_offset();
                Value::integer(IntegerKind::Weekday, day.into())
            }),
        ),
        ("Unix", time(|time| dates::seconds(time).into())),
        (
            "UnixMilli",
            time(|time| {
                Value::integer(
                    IntegerKind::Int64,
                    time.at.as_nanosecond().div_euclid(1_000_000),
                )
            }),
        ),
        (
            "UnixNano",
            time(|time| Value::integer(IntegerKind::Int64, time.at.as_nanosecond())),
        ),
        (
            "IsZero",
            time(|time| dates::seconds(time).eq(&-62_135_596_800).into()),
        ),
        ("String", time(|time| dates::to_string(time).into())),
        ("UTC", time(|time| Time::new(time.at, TimeZone::UTC).into())),
        ("Local", Function::new(local)),
        ("Format", Function::new(format)),
        ("Add", Function::new(add)),
        ("AddDate", Function::new(add_date)),
        ("After", two(|left, right| left.at > right.at)),
        ("Before", two(|left, right| left.at < right.at)),
        ("Equal", two(|left, right| left.at == right.at)),
    ]
}

fn local(context: &mut Context<'_, '_>, time: Time) -> Result<Time, Failure> {
    Ok(Time::new(time.at, context.ambient.zone.clone()))
}

fn format(_: &mut Context<'_, '_>, time: Time, layout: Text) -> Result<String, Failure> {
    Ok(dates::format(&time, &layout.lossy()))
}

/// Nanoseconds: a constant, for there is no function that makes a duration.
fn add(_: &mut Context<'_, '_>, time: Time, Int(nanoseconds): Int) -> Result<Time, Failure> {
    dates::shift(&time, nanoseconds)
}

/// Years, months and days. What overflows a month goes into the next one, as in Go.
fn add_date(
    _: &mut Context<'_, '_>,
    time: Time,
    years: Int,
    months: Int,
    days: Int,
) -> Result<Time, Failure> {
    let out_of_range = || Failure::from("the date is out of range");
    let zoned = time.zoned();
    let moved = || {
        let whole = i64::from(zoned.year())
            .checked_add(years.0)?
            .checked_mul(12)?;
        let month = whole
            .checked_add(i64::from(zoned.month()) - 1)?
            .checked_add(months.0)?;
        let year = i16::try_from(month.div_euclid(12)).ok()?;
        let month = i8::try_from(month.rem_euclid(12) + 1).ok()?;
        let first = jiff::civil::Date::new(year, month, 1).ok()?;
        let days = days.0.checked_add(i64::from(zoned.day()) - 1)?;
        let date = first
            .checked_add(jiff::SignedDuration::from_secs(days.checked_mul(86_400)?))
            .ok()?;
        let time_of_day = zoned.datetime().time();
        time.zone
            .to_ambiguous_timestamp(date.to_datetime(time_of_day))
            .compatible()
            .ok()
    };
    Ok(Time {
        at: moved().ok_or_else(out_of_range)?,
        ..time.clone()
    })
}

fn of_versions() -> Table {
    let version = |get: fn(&Version) -> Value| {
        Function::new(
            move |_: &mut Context<'_, '_>, version: Version| -> Result<Value, Failure> {
                Ok(get(&version))
            },
        )
    };
    vec![
        ("Major", version(|version| number(version.major))),
        ("Minor", version(|version| number(version.minor))),
        ("Patch", version(|version| number(version.patch))),
        (
            "Prerelease",
            version(|version| version.prerelease.clone().into()),
        ),
        (
            "Metadata",
            version(|version| version.metadata.clone().into()),
        ),
        (
            "Original",
            version(|version| version.original.clone().into()),
        ),
        ("String", version(|version| version.to_string().into())),
    ]
}

fn number(value: u64) -> Value {
    Value::integer(IntegerKind::Uint64, value.into())
}
