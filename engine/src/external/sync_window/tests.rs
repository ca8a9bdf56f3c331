#![allow(clippy::unwrap_used)]

use signet_crds::external::external_secret::SyncWindow;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn next(schedule: &str, after: &str) -> Option<String> {
    let schedule = Schedule::parse(schedule).unwrap();
    schedule.next(at(after)).map(|time| time.to_string())
}

fn windows(kind: SyncWindowKind, windows: &[(&str, &str)]) -> Windows {
    let window = |(schedule, duration): &(&str, &str)| SyncWindow {
        schedule: (*schedule).to_owned(),
        duration: duration.parse().unwrap(),
    };
    let windows = windows.iter().map(window).collect();
    Windows::parse(&SyncWindows { kind, windows }).unwrap()
}

#[test]
fn a_schedule_begins_when_all_its_fields_fit() {
    for (schedule, after, expected) in [
        ("0 22 * * *", "2026-11-30T23:00:00Z", "2026-12-01T22:00:00Z"),
        ("0 22 * * *", "2026-11-30T22:00:00Z", "2026-12-01T22:00:00Z"),
        ("0 22 * * *", "2026-11-30T21:59:59Z", "2026-11-30T22:00:00Z"),
        (
            "*/15 * * * *",
            "2026-01-01T00:07:30Z",
            "2026-01-01T00:15:00Z",
        ),
        (
            "5/20 * * * *",
            "2026-01-01T00:07:30Z",
            "2026-01-01T00:25:00Z",
        ),
        (
            "30 9-17/4 * * 1-5",
            "2026-11-28T12:00:00Z",
            "2026-11-30T09:30:00Z",
        ),
        (
            "0 0 1 jan *",
            "2026-01-01T00:00:00Z",
            "2027-01-01T00:00:00Z",
        ),
        ("0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"),
        (
            "0 0 * * SUN",
            "2026-12-01T00:00:00Z",
            "2026-12-06T00:00:00Z",
        ),
        ("@hourly", "2026-12-31T23:00:00Z", "2027-01-01T00:00:00Z"),
        ("@weekly", "2026-12-01T00:00:00Z", "2026-12-06T00:00:00Z"),
        ("@every 6h", "2026-12-01T05:00:00Z", "2026-12-01T06:00:00Z"),
    ] {
        assert_eq!(
            next(schedule, after).as_deref(),
            Some(expected),
            "{schedule} after {after}"
        );
    }
    assert_eq!(next("0 0 30 2 *", "2026-01-01T00:00:00Z"), None);
}

#[test]
fn with_both_a_date_and_a_weekday_either_is_enough() {
    assert_eq!(
        next("0 0 13 * 5", "2026-12-01T00:00:00Z").as_deref(),
        Some("2026-12-04T00:00:00Z")
    );
    assert_eq!(
        next("0 0 2,13 * 5", "2026-12-01T00:00:00Z").as_deref(),
        Some("2026-12-02T00:00:00Z")
    );
}

#[test]
fn what_is_no_schedule_is_refused() {
    for text in [
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 7",
        "5-1 * * * *",
        "*/0 * * * *",
        "a * * * *",
        "1,,2 * * * *",
        "@fortnightly",
        "@every",
        "@every soon",
        "@every 0s",
        "TZ=Europe/Berlin 0 0 * * *",
        "+1 * * * *",
    ] {
        assert!(Schedule::parse(text).is_err(), "{text}");
    }
}

#[test]
fn refreshes_are_allowed_inside_of_an_allowing_window_only() {
    let nights = windows(SyncWindowKind::Allow, &[("0 22 * * *", "2h")]);
    for (time, allowed) in [
        ("2026-11-30T22:00:00Z", "2026-11-30T22:00:00Z"),
        ("2026-11-30T23:59:59Z", "2026-11-30T23:59:59Z"),
        ("2026-12-01T00:00:00Z", "2026-12-01T22:00:00Z"),
        ("2026-12-01T21:00:00Z", "2026-12-01T22:00:00Z"),
    ] {
        assert_eq!(nights.first_allowed(at(time)), Some(at(allowed)), "{time}");
    }
}

#[test]
fn refreshes_are_allowed_outside_of_all_denying_windows() {
    let days = windows(
        SyncWindowKind::Deny,
        &[("0 8 * * *", "4h"), ("0 12 * * *", "5h")],
    );
    for (time, allowed) in [
        ("2026-12-01T07:59:59Z", "2026-12-01T07:59:59Z"),
        ("2026-12-01T08:00:00Z", "2026-12-01T17:00:00Z"),
        ("2026-12-01T16:00:00Z", "2026-12-01T17:00:00Z"),
        ("2026-12-01T17:00:00Z", "2026-12-01T17:00:00Z"),
    ] {
        assert_eq!(days.first_allowed(at(time)), Some(at(allowed)), "{time}");
    }
    let always = windows(SyncWindowKind::Deny, &[("* * * * *", "1h")]);
    assert!(
        always
            .first_allowed(at("2026-12-01T07:59:59Z"))
            .is_none_or(|time| time > at("2026-12-01T09:00:00Z"))
    );
}
