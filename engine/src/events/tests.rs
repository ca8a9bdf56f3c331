#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::*;
use crate::testing::{Cluster, annotate, edit, sealed, secret};

fn told(cluster: &mut Cluster) -> Vec<(EventKind, &'static str, String)> {
    let events = cluster.reconcile().events;
    events
        .into_iter()
        .map(|event| (event.kind, event.reason, event.message))
        .collect()
}

#[test]
fn a_written_secret_is_told_once() {
    let mut cluster = Cluster::new(sealed(&[("a", "1")]), None);
    let event = (
        EventKind::Normal,
        "Unsealed",
        "SealedSecret unsealed successfully".to_owned(),
    );
    assert_eq!(told(&mut cluster), [event]);
    assert_eq!(told(&mut cluster), []);
    cluster.touch(|_| {});
    assert_eq!(told(&mut cluster), []);
}

#[test]
fn items_that_do_not_open_are_told_once_for_a_generation() {
    let object = annotate(
        &sealed(&[("a", "1")]),
        "sealedsecrets.bitnami.com/cluster-wide",
        "true",
    );
    let mut cluster = Cluster::new(object.clone(), None);
    let [(kind, reason, message)] = &told(&mut cluster)[..] else {
        panic!()
    };
    assert_eq!((*kind, *reason), (EventKind::Warning, "ErrUnsealFailed"));
    assert!(
        message.starts_with("Failed to unseal: no key could decrypt secret (a)"),
        "{message}"
    );
    assert_eq!(told(&mut cluster), []);
    cluster.apply(&object);
    assert_eq!(told(&mut cluster).len(), 1);
}

#[test]
fn a_conflict_and_its_end_are_told() {
    let mut cluster = Cluster::new(sealed(&[("a", "1")]), Some(secret(&json!({}), &[])));
    let [(kind, reason, message)] = &told(&mut cluster)[..] else {
        panic!()
    };
    assert_eq!((*kind, *reason), (EventKind::Warning, "ErrUpdateFailed"));
    assert!(
        message.starts_with("Resource \"demo\" already exists and is not managed by SealedSecret")
    );
    cluster.secret = None;
    assert_eq!(told(&mut cluster)[0].1, "Unsealed");
}

#[test]
fn an_immutable_secret_that_would_change_is_told_in_the_words_that_scripts_match() {
    let immutable = |value| {
        edit(
            &sealed(&[("a", value)]),
            "/spec/template",
            json!({ "immutable": true }),
        )
    };
    let mut cluster = Cluster::new(immutable("1"), None);
    cluster.reconcile();
    cluster.apply(&immutable("2"));
    let [(_, reason, message)] = &told(&mut cluster)[..] else {
        panic!()
    };
    assert_eq!(*reason, "ErrUpdateFailed");
    assert!(message.contains("the target Secret is immutable"));
    assert_eq!(cluster.sealed.status.unwrap().observed_generation, Some(2));
}

#[test]
fn a_message_is_never_longer_than_the_api_server_takes() {
    let failure = crate::outcome::ApiFailure {
        code: None,
        message: "ä".repeat(2000),
        retry_after: None,
    };
    let outcome = Outcome::Failed(crate::outcome::Failure::Api(failure));
    let message = &of(&sealed(&[]), &outcome)[0].message;
    assert!(
        message.len() <= 1024 && message.ends_with("ä..."),
        "{}",
        message.len()
    );
}
