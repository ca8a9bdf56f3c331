#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use serde_json::{Value, json};

use super::*;
use crate::external::testing::external;

const FINE: Target = Target {
    exists: true,
    valid: Some(true),
};
const GONE: Target = Target {
    exists: false,
    valid: Some(false),
};
const DRIFTED: Target = Target {
    exists: true,
    valid: Some(false),
};
const NOON: &str = "2026-06-01T12:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Refreshed at noon, long after it was made.
fn synced(spec: Value) -> ExternalSecret {
    let mut external = external(spec);
    external.status = Some(ExternalSecretStatus {
        refresh_time: Some(Time(at(NOON))),
        synced_resource_version: hash::of_version(&external.metadata),
        ..ExternalSecretStatus::default()
    });
    external
}

fn changed(mut external: ExternalSecret) -> ExternalSecret {
    external.metadata.labels = Some([("a".to_owned(), "b".to_owned())].into());
    external
}

#[test]
fn what_was_never_synced_is_synced_at_once() {
    for policy in ["CreatedOnce", "OnChange", "Periodic"] {
        let new = external(json!({"refreshPolicy": policy, "refreshInterval": "0"}));
        assert_eq!(
            decide(&new, &GONE, at(NOON)),
            Refresh::Now(Why::First),
            "{policy}"
        );
    }
}

#[test]
fn the_interval_decides_when_stores_are_asked_again() {
    let external = synced(json!({"refreshInterval": "1h"}));
    let due = at("2026-06-01T13:00:00Z");
    assert_eq!(decide(&external, &FINE, at(NOON)), Refresh::Wait(due));
    assert_eq!(
        decide(&external, &FINE, at("2026-06-01T12:59:59Z")),
        Refresh::Wait(due)
    );
    assert_eq!(decide(&external, &FINE, due), Refresh::Now(Why::Interval));
    let by_default = synced(json!({}));
    assert_eq!(decide(&by_default, &FINE, at(NOON)), Refresh::Wait(due));
}

#[test]
fn a_change_of_the_resource_or_its_labels_is_a_reason_except_where_it_is_read_once() {
    for (spec, expected) in [
        (json!({}), Refresh::Now(Why::Changed)),
        (
            json!({"refreshPolicy": "OnChange"}),
            Refresh::Now(Why::Changed),
        ),
        (json!({"refreshPolicy": "CreatedOnce"}), Refresh::Never),
        (json!({"refreshInterval": "0"}), Refresh::Never),
    ] {
        let external = changed(synced(spec.clone()));
        assert_eq!(decide(&external, &FINE, at(NOON)), expected, "{spec}");
    }
    let unchanged = synced(json!({"refreshPolicy": "OnChange"}));
    assert_eq!(
        decide(&unchanged, &FINE, at("2027-01-01T00:00:00Z")),
        Refresh::Never
    );
}

#[test]
fn a_refresh_in_the_future_means_that_a_clock_was_wrong() {
    let external = synced(json!({}));
    let before = at("2026-06-01T11:00:00Z");
    assert_eq!(decide(&external, &FINE, before), Refresh::Now(Why::Clock));
}

#[test]
fn a_target_that_others_changed_is_repaired_also_where_it_is_read_once() {
    for spec in [
        json!({}),
        json!({"refreshPolicy": "CreatedOnce"}),
        json!({"refreshInterval": "0"}),
    ] {
        let external = synced(spec);
        assert_eq!(
            decide(&external, &DRIFTED, at(NOON)),
            Refresh::Now(Why::TargetChanged)
        );
        assert_eq!(
            decide(&external, &GONE, at(NOON)),
            Refresh::Now(Why::TargetMissing)
        );
    }
    assert!(Why::TargetMissing.takes_known_values() && !Why::Interval.takes_known_values());
}

#[test]
fn a_target_that_was_not_looked_at_is_looked_at_first() {
    let unknown = Target {
        exists: true,
        valid: None,
    };
    assert_eq!(
        decide(&synced(json!({})), &unknown, at(NOON)),
        Refresh::Verify
    );
    assert_eq!(
        decide(&external(json!({})), &unknown, at(NOON)),
        Refresh::Now(Why::First)
    );
}

#[test]
fn an_orphan_and_no_target_at_all_are_left_alone_between_refreshes() {
    for policy in ["Orphan", "None"] {
        let external = synced(json!({"target": {"creationPolicy": policy}}));
        assert!(
            matches!(decide(&external, &GONE, at(NOON)), Refresh::Wait(_)),
            "{policy}"
        );
        assert!(
            matches!(decide(&external, &DRIFTED, at(NOON)), Refresh::Wait(_)),
            "{policy}"
        );
    }
}

#[test]
fn a_target_that_is_absent_on_purpose_is_not_missed() {
    for (reason, message) in [
        (reason::SECRET_DELETED, "deleted"),
        (reason::SECRET_MISSING, "missing"),
        (reason::SECRET_SYNCED, message::SECRET_RETAINED),
    ] {
        let mut external = synced(json!({}));
        external.status.as_mut().unwrap().conditions = vec![signet_crds::external::Condition {
            type_: condition::READY.to_owned(),
            status: "True".to_owned(),
            reason: reason.to_owned(),
            message: message.to_owned(),
            ..Default::default()
        }];
        assert!(
            matches!(decide(&external, &GONE, at(NOON)), Refresh::Wait(_)),
            "{reason}"
        );
        assert_eq!(
            decide(&changed(external), &GONE, at(NOON)),
            Refresh::Now(Why::Changed)
        );
    }
}

#[test]
fn what_may_not_change_is_read_once() {
    let external = synced(json!({"target": {"immutable": true}}));
    assert_eq!(
        decide(&external, &FINE, at("2027-01-01T00:00:00Z")),
        Refresh::Never
    );
}

#[test]
fn windows_hold_back_periodic_refreshes_alone() {
    let external = synced(
        json!({"syncWindows": {"kind": "allow", "windows": [{"schedule": "0 22 * * *", "duration": "2h"}]}}),
    );
    let opens = at("2026-06-01T22:00:00Z");
    assert_eq!(
        decide(&external, &FINE, at("2026-06-01T15:00:00Z")),
        Refresh::Wait(opens)
    );
    assert_eq!(decide(&external, &FINE, opens), Refresh::Now(Why::Interval));
    let afternoon = at("2026-06-01T15:00:00Z");
    assert_eq!(
        decide(&changed(external), &FINE, afternoon),
        Refresh::Now(Why::Changed)
    );
}

/// Made and synced at noon, with a UID of its own.
fn fresh(uid: usize) -> ExternalSecret {
    let mut external = external(json!({"refreshInterval": "5m"}));
    external.metadata.uid = Some(format!("uid-{uid}"));
    external.metadata.creation_timestamp = Some(Time(at(NOON)));
    external.status = Some(ExternalSecretStatus {
        refresh_time: Some(Time(at(NOON))),
        synced_resource_version: hash::of_version(&external.metadata),
        ..ExternalSecretStatus::default()
    });
    external
}

#[test]
fn issue_4231_resources_that_were_made_together_do_not_ask_together() {
    let due = |uid| match decide(&fresh(uid), &FINE, at(NOON)) {
        Refresh::Wait(due) => due,
        other => panic!("{other:?}"),
    };
    let (earliest, latest) = (at("2026-06-01T12:04:30Z"), at("2026-06-01T12:05:00Z"));
    let mut seconds: Vec<_> = (0..500).map(due).collect();
    assert!(seconds.iter().all(|due| (earliest..=latest).contains(due)));
    assert_eq!(due(7), due(7));
    seconds.sort_unstable();
    let most = seconds
        .chunk_by(|a, b| a.as_second() == b.as_second())
        .map(<[_]>::len)
        .max();
    assert!(most.unwrap() < 40, "{most:?}");
    // From the second interval on they are apart anyway.
    let mut later = fresh(7);
    later.metadata.creation_timestamp = Some(Time(at("2026-06-01T11:00:00Z")));
    assert_eq!(decide(&later, &FINE, at(NOON)), Refresh::Wait(latest));
}
