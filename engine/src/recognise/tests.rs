#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::*;
use crate::testing::{Cluster, Report, annotate, edit, old_key, open, seal, sealed, secret};
use signet_keys::sealed::Scope;

const QUIET: Report = Report {
    private_operations: 0,
    secret_writes: 0,
    status_writes: 0,
    events: Vec::new(),
};

fn applied_once(object: SealedSecret) -> Cluster {
    let mut cluster = Cluster::new(object, None);
    let report = cluster.reconcile();
    assert_eq!(
        (
            report.secret_writes,
            report.status_writes,
            report.events.len()
        ),
        (1, 1, 1)
    );
    cluster
}

#[test]
fn an_unchanged_object_costs_nothing() {
    let mut cluster = applied_once(sealed(&[("a", "1"), ("b", "2")]));
    assert_eq!(cluster.reconcile(), QUIET);
}

#[test]
fn a_patched_secret_is_recognised_too() {
    let theirs = json!({ "annotations": { "sealedsecrets.bitnami.com/patch": "true" } });
    let mut cluster = Cluster::new(sealed(&[("a", "1")]), Some(secret(&theirs, &[("x", "y")])));
    cluster.reconcile();
    assert_eq!(cluster.reconcile(), QUIET);
}

#[test]
fn any_change_of_the_secret_or_the_object_is_looked_at() {
    let mut cluster = applied_once(sealed(&[("a", "1")]));
    cluster.touch(|_| {});
    assert_eq!(cluster.reconcile().private_operations, 1);
    cluster.apply(&sealed(&[("a", "1")]));
    assert_eq!(cluster.reconcile().private_operations, 1);
    cluster.secret.as_mut().unwrap().metadata.uid = Some("another".to_owned());
    assert_eq!(cluster.reconcile().private_operations, 1);
    cluster
        .policy
        .default_labels
        .insert("app".to_owned(), "x".to_owned());
    assert_eq!(cluster.reconcile().secret_writes, 1);
    assert_eq!(cluster.reconcile(), QUIET);
}

#[test]
fn d3_an_annotation_alone_is_noticed() {
    let wide = seal(&old_key(), Scope::NamespaceWide, ("team-a", "demo"), "1");
    let mut cluster = Cluster::new(crate::testing::object(&[("a", wide)]), None);
    cluster.reconcile();
    assert_eq!(
        cluster.sealed.status.as_ref().unwrap().conditions[0].status,
        "False"
    );
    let annotation = "sealedsecrets.bitnami.com/namespace-wide";
    cluster.sealed = annotate(&cluster.sealed, annotation, "true");
    assert_eq!(cluster.reconcile().secret_writes, 1);
    // The other way round as well: what opened no longer does.
    cluster.sealed.metadata.annotations = None;
    assert_eq!(cluster.reconcile().events.len(), 1);
    assert_eq!(
        cluster.sealed.status.as_ref().unwrap().conditions[0].status,
        "False"
    );
}

#[test]
fn other_annotations_change_nothing() {
    let mut cluster = applied_once(sealed(&[("a", "1")]));
    cluster.sealed = annotate(&cluster.sealed, "kubectl.kubernetes.io/x", "y");
    assert_eq!(cluster.reconcile(), QUIET);
}

#[test]
fn the_digest_does_not_depend_on_the_order_of_fields() {
    let policy = Policy::default();
    let template = |text: &str| serde_json::from_str(text).unwrap();
    let base = sealed(&[("a", "1")]);
    let one = edit(
        &base,
        "/spec/template",
        template(r#"{"x": {"a": 1, "b": 2}}"#),
    );
    let two = edit(
        &base,
        "/spec/template",
        template(r#"{"x": {"b": 2, "a": 1}}"#),
    );
    let other = edit(
        &base,
        "/spec/template",
        template(r#"{"x": {"b": 1, "a": 2}}"#),
    );
    assert_eq!(digest(&one, &policy), digest(&two, &policy));
    assert_ne!(digest(&one, &policy), digest(&other, &policy));
}

#[test]
fn the_digest_is_of_ciphertext_so_one_value_sealed_twice_has_two() {
    let policy = Policy::default();
    let (one, two) = (sealed(&[("a", "1")]), sealed(&[("a", "1")]));
    assert_ne!(digest(&one, &policy), digest(&two, &policy));
    assert!(digest(&one, &policy).starts_with("sha256:"));
    assert_eq!(digest(&one, &policy).len(), 7 + 64);
}

#[test]
fn a_hundred_items_of_one_key_are_remembered_in_one_line() {
    let mut unsealed = open(&sealed(&[("a", "1")])).unwrap();
    let key = unsealed.opened_by["a"];
    unsealed.opened_by = (0..100).map(|n| (format!("item-{n}"), key)).collect();
    let (sealed, meta) = (sealed(&[]), ObjectMeta::default());
    let applied = applied(
        &sealed,
        &unsealed,
        TargetMode::Owned,
        &meta,
        &Policy::default(),
    );
    assert_eq!(applied.key_of("item-7"), Some(key.to_string().as_str()));
    assert!(serde_json::to_string(&applied).unwrap().len() < 300);
}

#[test]
fn issue_638_each_item_is_told_its_key_where_there_are_several() {
    let mut unsealed = open(&sealed(&[("a", "1")])).unwrap();
    let (new, old) = (unsealed.opened_by["a"], old_key().fingerprint());
    unsealed.opened_by = [("a", new), ("b", old), ("c", new)]
        .map(|(k, v)| (k.to_owned(), v))
        .into();
    let keys = keys(&unsealed);
    assert_eq!(
        keys[0],
        KeyUse {
            fingerprint: new.to_string(),
            items: vec!["a".into(), "c".into()]
        }
    );
    assert_eq!(
        keys[1],
        KeyUse {
            fingerprint: old.to_string(),
            items: vec!["b".into()]
        }
    );
}

/// Whoever may write the status of an object, and nothing else, writes what the controller would.
fn forge(cluster: &mut Cluster, mode: TargetMode) {
    let secret = cluster.secret.clone().unwrap_or_default().metadata;
    let unsealed = open(&sealed(&[])).unwrap();
    let generation = cluster.sealed.metadata.generation;
    let forged = applied(&cluster.sealed, &unsealed, mode, &secret, &cluster.policy);
    let status = cluster.sealed.status.get_or_insert_default();
    status.applied = Some(forged);
    status.observed_generation = generation;
    for condition in &mut status.conditions {
        condition.status = "True".to_owned();
        condition.reason = "Unsealed".to_owned();
    }
}

#[test]
fn a_forged_status_holds_a_secret_back_until_the_object_or_the_secret_changes() {
    let mut cluster = applied_once(sealed(&[("a", "1")]));
    cluster.apply(&sealed(&[("a", "2")]));
    forge(&mut cluster, TargetMode::Owned);
    assert_eq!(cluster.reconcile(), QUIET, "the new value does not arrive");
    cluster.apply(&sealed(&[("a", "3")]));
    assert_eq!(cluster.reconcile().secret_writes, 1, "the next one does");
    cluster.apply(&sealed(&[("a", "4")]));
    forge(&mut cluster, TargetMode::Owned);
    cluster.touch(|_| {});
    assert_eq!(cluster.reconcile().secret_writes, 1, "any write tells");
}

#[test]
fn a_forged_status_gives_no_hold_on_the_secret_of_somebody_else() {
    for mode in [TargetMode::Owned, TargetMode::Patched] {
        let theirs = secret(&json!({}), &[("theirs", "x")]);
        let mut cluster = Cluster::new(sealed(&[("a", "1")]), Some(theirs.clone()));
        cluster.reconcile();
        forge(&mut cluster, mode);
        cluster.touch(|_| {});
        cluster.reconcile();
        assert_eq!(cluster.secret.unwrap().data, theirs.data);
        let condition = &cluster.sealed.status.unwrap().conditions[0];
        assert_eq!(condition.reason, "Conflict");
    }
}

#[test]
fn items_are_not_listed_when_they_are_too_many_for_a_status() {
    let mut unsealed = open(&sealed(&[("a", "1")])).unwrap();
    let (new, old) = (unsealed.opened_by["a"], old_key().fingerprint());
    let name = |number| format!("{number:0>253}");
    unsealed.opened_by = (0..2000)
        .map(|number| (name(number), if number % 2 == 0 { new } else { old }))
        .collect();
    let applied = Applied {
        keys: keys(&unsealed),
        ..Applied::default()
    };
    assert!(serde_json::to_string(&applied).unwrap().len() < 1000);
    assert_eq!(applied.keys.len(), 2, "both keys are in use");
    assert_eq!(applied.key_of(&name(1)), None);
}
