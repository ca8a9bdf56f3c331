#![allow(clippy::unwrap_used)]

use serde_json::json;
use signet_crds::external::Condition;

use super::*;
use crate::external::outcome::{Failure, Synced};
use crate::external::testing::external;

const NOON: &str = "2026-06-01T12:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn failed(transient: bool) -> Outcome {
    Outcome::Failed(Failure::Store {
        message: "SecretStore `vault`: no answer".to_owned(),
        transient,
    })
}

fn synced() -> Outcome {
    Outcome::Synced(Synced::default())
}

fn types(status: &ExternalSecretStatus) -> Vec<(&str, &str)> {
    status
        .conditions
        .iter()
        .map(|c| (&*c.type_, &*c.status))
        .collect()
}

#[test]
fn success_is_told_as_the_peer_does() {
    let external = external(json!({}));
    let status = after(&external, &synced(), at("2026-06-01T12:00:00.7Z")).unwrap();
    assert_eq!(types(&status), [("Ready", "True")]);
    assert_eq!(status.conditions[0].reason, "SecretSynced");
    assert_eq!(status.conditions[0].message, "secret synced");
    assert_eq!(status.refresh_time, Some(Time(at(NOON))));
    assert_eq!(
        status.synced_resource_version,
        hash::of_version(&external.metadata)
    );
    assert_eq!(status.binding.name, "app");
    assert_eq!(status.observed_generation, Some(1));
}

#[test]
fn a_failure_says_why_and_leaves_what_the_last_success_left() {
    let mut external = external(json!({}));
    external.status = after(&external, &synced(), at(NOON));
    let later = at("2026-06-01T13:00:00Z");
    for (transient, who) in [(true, "Reconciling"), (false, "Stalled")] {
        let status = after(&external, &failed(transient), later).unwrap();
        assert_eq!(types(&status), [("Ready", "False"), (who, "True")]);
        assert_eq!(status.conditions[0].reason, "SecretSyncedError");
        assert_eq!(
            status.conditions[0].message,
            "could not get secret data from provider: SecretStore `vault`: no answer"
        );
        assert_eq!(status.refresh_time, Some(Time(at(NOON))));
        assert_eq!(status.conditions[0].last_transition_time, Some(Time(later)));
    }
}

#[test]
fn recovery_clears_what_failure_wrote() {
    let mut external = external(json!({}));
    external.status = after(&external, &failed(false), at(NOON));
    let status = after(&external, &synced(), at("2026-06-01T13:00:00Z")).unwrap();
    assert_eq!(types(&status), [("Ready", "True")]);
}

#[test]
fn the_same_again_writes_nothing_but_the_time_of_the_refresh() {
    let mut external = external(json!({}));
    external.status = after(&external, &failed(true), at(NOON));
    assert_eq!(
        after(&external, &failed(true), at("2026-06-01T13:00:00Z")),
        None
    );
    external.status = after(&external, &synced(), at(NOON));
    assert_eq!(after(&external, &synced(), at(NOON)), None);
    let later = after(&external, &synced(), at("2026-06-01T13:00:00Z")).unwrap();
    assert_eq!(later.conditions, external.status.unwrap().conditions);
}

#[test]
fn issue_1049_a_secret_that_lacks_something_is_ready_and_partial() {
    use crate::external::assemble::{Asked, Missing, Place};
    let missing = vec![Missing {
        place: Place::Data {
            index: 1,
            key: "password".to_owned(),
        },
        asked: Asked::Read(crate::external::testing::read("db")),
    }];
    let outcome = Outcome::Synced(Synced {
        missing,
        removed: Vec::new(),
    });
    let status = after(&external(json!({})), &outcome, at(NOON)).unwrap();
    assert_eq!(types(&status), [("Ready", "True")]);
    assert_eq!(status.conditions[0].reason, "Partial");
    assert!(
        status.conditions[0]
            .message
            .contains("`db` in SecretStore `vault` of data[1] (key `password`)")
    );
}

#[test]
fn what_has_no_target_says_so_and_asks_no_more_before_the_interval() {
    let status = after(&external(json!({})), &Outcome::NoTarget, at(NOON)).unwrap();
    assert_eq!(
        types(&status),
        [("Ready", "False"), ("Reconciling", "True")]
    );
    assert_eq!(status.conditions[0].reason, "SecretMissing");
    assert!(status.refresh_time.is_some());
    assert_eq!(status.binding.name, "");
}

#[test]
fn unknown_is_only_ever_a_first_status_and_others_conditions_stay() {
    let mut external = external(json!({}));
    let status = after(&external, &Outcome::Progressing, at(NOON)).unwrap();
    assert_eq!(
        types(&status),
        [("Ready", "Unknown"), ("Reconciling", "True")]
    );
    external.status = Some(status);
    assert_eq!(after(&external, &Outcome::Progressing, at(NOON)), None);
    let theirs = Condition {
        type_: "Theirs".to_owned(),
        status: "True".to_owned(),
        ..Condition::default()
    };
    external
        .status
        .as_mut()
        .unwrap()
        .conditions
        .insert(0, theirs);
    let status = after(&external, &synced(), at(NOON)).unwrap();
    assert_eq!(types(&status), [("Ready", "True"), ("Theirs", "True")]);
}
