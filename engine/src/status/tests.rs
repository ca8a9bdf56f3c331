#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};

use super::*;
use crate::outcome::{ApiFailure, Failure};
use crate::testing::{
    Cluster, annotate, at, edit, foreign_key, object, open, seal, sealed, secret,
};
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::Scope;

mod health;

const T0: &str = "2026-03-01T10:00:00Z";
const T1: &str = "2026-03-01T11:00:00Z";

fn applied(sealed: &SealedSecret) -> Outcome {
    let mut unsealed = open(sealed).unwrap();
    unsealed.warnings.clear();
    let policy = crate::policy::Policy::default();
    let plan = crate::plan::plan(sealed, &unsealed, None, &policy);
    let meta = secret(&json!({}), &[]).metadata;
    Outcome::done(sealed, &unsealed, &plan, &meta, &policy)
}

fn api(code: u16) -> Outcome {
    Outcome::Failed(Failure::Api(ApiFailure {
        code: Some(code),
        message: "it said no".into(),
        retry_after: None,
    }))
}

/// The object as the API server has it after a write.
fn with(sealed: &SealedSecret, outcome: &Outcome, now: &str) -> SealedSecret {
    let status = after(sealed, outcome, at(now)).expect("a status to write");
    edit(sealed, "/status", json!(status))
}

fn synced(sealed: &SealedSecret) -> &Condition {
    &sealed.status.as_ref().unwrap().conditions[0]
}

fn types(sealed: &SealedSecret) -> Vec<String> {
    let conditions = &sealed.status.as_ref().unwrap().conditions;
    conditions
        .iter()
        .map(|c| format!("{}={}", c.type_, c.status))
        .collect()
}

#[test]
fn the_first_status_has_equal_times_and_synced_first() {
    let object = sealed(&[("a", "1")]);
    let object = with(&object, &applied(&object), "2026-03-01T10:00:00.987Z");
    assert_eq!(types(&object), ["Synced=True", "Ready=True"]);
    let condition = synced(&object);
    assert_eq!(condition.last_update_time, Some(Time(at(T0))));
    assert_eq!(condition.last_transition_time, condition.last_update_time);
    assert_eq!(
        condition.message, "",
        "the column Status is empty when all is well"
    );
    assert_eq!(object.status.unwrap().observed_generation, Some(1));
}

#[test]
fn an_attempt_without_news_writes_nothing() {
    let object = sealed(&[("a", "1")]);
    for outcome in [
        applied(&object),
        api(503),
        Outcome::Progressing,
        Outcome::Suspended,
    ] {
        let object = with(&object, &outcome, T0);
        assert_eq!(after(&object, &outcome, at(T1)), None, "{outcome:?}");
    }
}

#[test]
fn under_a_resource_definition_that_drops_our_fields_the_same_status_is_written_again() {
    // The API server answers such a write without a new version, so that nothing follows from it.
    let pruned = |sealed: &SealedSecret| {
        let mut sealed = sealed.clone();
        let status = sealed.status.as_mut().unwrap();
        status.applied = None;
        status
            .conditions
            .iter_mut()
            .for_each(|condition| condition.observed_generation = None);
        sealed
    };
    let object = sealed(&[("a", "1")]);
    for outcome in [applied(&object), api(422)] {
        let first = pruned(&with(&object, &outcome, T0));
        let second = pruned(&with(&first, &outcome, T1));
        assert_eq!(second.status, first.status);
    }
}

#[test]
fn a_slow_later_attempt_does_not_make_the_status_unknown() {
    let object = sealed(&[("a", "1")]);
    let object = with(&object, &applied(&object), T0);
    let object = edit(&object, "/metadata/generation", json!(2));
    assert_eq!(after(&object, &Outcome::Progressing, at(T1)), None);
}

#[test]
fn a_new_generation_moves_the_update_time_and_not_the_transition_time() {
    let object = sealed(&[("a", "1")]);
    let object = with(&object, &applied(&object), T0);
    let object = edit(&object, "/metadata/generation", json!(2));
    let object = with(&object, &applied(&object), T1);
    let condition = synced(&object);
    assert_eq!(condition.last_update_time, Some(Time(at(T1))));
    assert_eq!(condition.last_transition_time, Some(Time(at(T0))));
    assert_eq!(condition.observed_generation, Some(2));
    assert_eq!(object.status.unwrap().observed_generation, Some(2));
}

#[test]
fn a_failed_attempt_counts_for_its_generation_too() {
    let object = sealed(&[("a", "1")]);
    let object = with(&object, &applied(&object), T0);
    let object = with(
        &edit(&object, "/metadata/generation", json!(2)),
        &api(422),
        T1,
    );
    assert_eq!(object.status.as_ref().unwrap().observed_generation, Some(2));
    assert_eq!(
        types(&object),
        ["Synced=False", "Ready=False", "Stalled=True"]
    );
    assert_eq!(synced(&object).last_transition_time, Some(Time(at(T1))));
}

#[test]
fn another_message_is_written_even_when_the_status_stays_false() {
    let object = sealed(&[("a", "1")]);
    let object = with(&object, &api(503), T0);
    assert_eq!(
        types(&object),
        ["Synced=False", "Ready=False", "Reconciling=True"]
    );
    let object = with(&object, &api(422), T1);
    assert_eq!(
        types(&object),
        ["Synced=False", "Ready=False", "Stalled=True"]
    );
}

#[test]
fn issue_603_success_clears_what_failure_wrote() {
    let mut cluster = Cluster::new(sealed(&[("a", "1")]), Some(secret(&json!({}), &[])));
    cluster.reconcile();
    assert_eq!(
        types(&cluster.sealed),
        ["Synced=False", "Ready=False", "Stalled=True"]
    );
    assert_eq!(synced(&cluster.sealed).reason, "Conflict");
    cluster.secret = None;
    cluster.reconcile();
    assert_eq!(types(&cluster.sealed), ["Synced=True", "Ready=True"]);
    assert_eq!(synced(&cluster.sealed).message, "");
}

#[test]
fn issue_603_a_false_status_of_another_controller_is_corrected_without_touching_the_secret() {
    let mut cluster = Cluster::new(sealed(&[("a", "1")]), None);
    cluster.reconcile();
    let left_behind = json!({
        "observedGeneration": 1,
        "conditions": [{ "type": "Synced", "status": "False", "message": "failed update" }],
    });
    cluster.sealed = edit(&cluster.sealed, "/status", left_behind);
    let report = cluster.reconcile();
    assert_eq!((report.secret_writes, report.status_writes), (0, 1));
    assert_eq!(types(&cluster.sealed), ["Synced=True", "Ready=True"]);
}

#[test]
fn a_key_that_arrives_heals_the_object() {
    let item = seal(&foreign_key(), Scope::Strict, ("team-a", "demo"), "1");
    let mut cluster = Cluster::new(object(&[("a", item)]), None);
    cluster.reconcile();
    assert_eq!(synced(&cluster.sealed).reason, "UnsealFailed");
    assert!(
        synced(&cluster.sealed)
            .message
            .starts_with("no key could decrypt secret (a)")
    );
    cluster.ring = KeyRing::new(vec![foreign_key()]);
    cluster.reconcile();
    assert_eq!(types(&cluster.sealed), ["Synced=True", "Ready=True"]);
}

#[test]
fn warnings_are_told_while_all_is_well() {
    let template = json!({ "stringData": { "x": "y" } });
    let mut cluster = Cluster::new(
        edit(&sealed(&[("a", "1")]), "/spec/template", template),
        None,
    );
    cluster.reconcile();
    assert_eq!(types(&cluster.sealed), ["Synced=True", "Ready=True"]);
    assert!(
        synced(&cluster.sealed)
            .message
            .contains("use spec.template.data")
    );
}

#[test]
fn a_suspended_object_keeps_its_state_and_says_so() {
    let mut cluster = Cluster::new(sealed(&[("a", "1")]), None);
    cluster.reconcile();
    cluster.sealed = annotate(&cluster.sealed, "signet.dev/suspend", "true");
    cluster.apply(&sealed(&[("a", "2")]));
    let report = cluster.reconcile();
    assert_eq!((report.private_operations, report.secret_writes), (0, 0));
    assert_eq!(types(&cluster.sealed), ["Synced=True", "Ready=True"]);
    assert_eq!(synced(&cluster.sealed).reason, "Suspended");
    let status = cluster.sealed.status.clone().unwrap();
    assert_eq!(
        status.observed_generation,
        Some(1),
        "the new generation was not looked at"
    );
    cluster.sealed.metadata.annotations = None;
    assert_eq!(cluster.reconcile().secret_writes, 1);
    assert_eq!(synced(&cluster.sealed).reason, "Unsealed");
}

#[test]
fn conditions_of_other_programs_stay_behind_ours() {
    let object = edit(
        &sealed(&[("a", "1")]),
        "/status",
        json!({ "conditions": [{ "type": "Audited", "status": "True" }] }),
    );
    assert_eq!(
        types(&with(&object, &applied(&object), T0)),
        ["Synced=True", "Ready=True", "Audited=True"]
    );
}

#[test]
fn missing_rights_need_a_person_and_an_ending_namespace_needs_time() {
    let remedy = |code, message: &str| {
        Failure::Api(ApiFailure {
            code,
            message: message.to_owned(),
            retry_after: None,
        })
        .remedy()
    };
    assert_eq!(remedy(Some(403), "forbidden"), Remedy::Cluster);
    assert_eq!(
        remedy(Some(403), "namespace x is being terminated"),
        Remedy::Retry
    );
    for code in [
        None,
        Some(404),
        Some(409),
        Some(410),
        Some(429),
        Some(500),
        Some(504),
    ] {
        assert_eq!(remedy(code, ""), Remedy::Retry, "{code:?}");
    }
}

#[test]
fn messages_and_what_is_remembered_fit_into_an_object() {
    let warned = |object: &SealedSecret| {
        let Outcome::Applied { mut applied, .. } = applied(object) else {
            unreachable!("the object opens")
        };
        applied.keys[0].items = vec!["x".repeat(253); 2000];
        Outcome::Applied {
            applied,
            written: true,
            drifted: false,
            warnings: vec![crate::unseal::Warning::UnknownField("x".repeat(253)); 2000],
        }
    };
    let object = sealed(&[("a", "1")]);
    let status = after(&object, &warned(&object), at(T0)).unwrap();
    assert!(status.conditions.iter().all(|c| c.message.len() <= LONGEST));
    let short = shortened(status);
    assert!(serde_json::to_string(&short).unwrap().len() < 4096);
    assert_eq!(short.conditions[0].status, "True");
    assert!(
        short
            .applied
            .is_some_and(|applied| !applied.keys.is_empty())
    );
}
