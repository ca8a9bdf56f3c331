#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};

use super::*;
use crate::testing::{Cluster, edit, exposed, open, sealed, secret, texts};

mod immutable;
mod kinds;
mod metadata;
mod property;
mod takeover;

/// Metadata of a Secret that belongs to the SealedSecret of the tests.
fn owned(more: &Value) -> Value {
    let mut metadata = json!({ "ownerReferences": [owner("sealed-1")] });
    metadata
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    metadata
}

fn owner(uid: &str) -> Value {
    json!({
        "apiVersion": "bitnami.com/v1alpha1", "kind": "SealedSecret", "name": "demo", "uid": uid,
        "controller": true,
    })
}

fn act(sealed: &SealedSecret, observed: Option<&Secret>) -> Action {
    plan(sealed, &open(sealed).unwrap(), observed, &Policy::default()).action
}

fn replaced(sealed: &SealedSecret, observed: &Secret) -> Secret {
    match act(sealed, Some(observed)) {
        Action::Replace(manifest) => exposed(&manifest),
        other => panic!("expected a replacement, not {other:?}"),
    }
}

fn refused(sealed: &SealedSecret, observed: &Secret) -> Refusal {
    match act(sealed, Some(observed)) {
        Action::Refuse(refusal) => refusal,
        other => panic!("expected a refusal, not {other:?}"),
    }
}

fn data(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
        .collect()
}

#[test]
fn a_missing_secret_is_created_as_described() {
    let Action::Create(manifest) = act(&sealed(&[("a", "1")]), None) else {
        panic!()
    };
    assert_eq!(texts(manifest.expose()), data(&[("a", "1")]));
    assert_eq!(manifest.expose().type_.as_deref(), Some("Opaque"));
}

#[test]
fn a_secret_of_our_own_becomes_exactly_what_is_described() {
    let observed = secret(&owned(&json!({})), &[("a", "old"), ("stale", "x")]);
    let written = replaced(&sealed(&[("a", "1"), ("b", "2")]), &observed);
    assert_eq!(texts(&written), data(&[("a", "1"), ("b", "2")]));
}

#[test]
fn a_write_is_bound_to_the_secret_that_was_observed() {
    let written = replaced(&sealed(&[("a", "1")]), &secret(&owned(&json!({})), &[]));
    assert_eq!(written.metadata.uid.as_deref(), Some("secret-1"));
    assert_eq!(written.metadata.resource_version.as_deref(), Some("100"));
}

#[test]
fn a_secret_that_is_as_described_is_kept() {
    let observed = secret(&owned(&json!({})), &[("a", "1")]);
    assert_eq!(act(&sealed(&[("a", "1")]), Some(&observed)), Action::Keep);
    // Absent and empty say the same.
    let mut bare = secret(&owned(&json!({ "labels": {} })), &[]);
    bare.data = None;
    bare.type_ = None;
    assert_eq!(act(&sealed(&[]), Some(&bare)), Action::Keep);
}

#[test]
fn issue_1090_the_secret_in_the_way_is_refused_and_its_deletion_heals() {
    let mut cluster = Cluster::new(
        sealed(&[("a", "1")]),
        Some(secret(&json!({}), &[("x", "y")])),
    );
    assert_eq!(cluster.reconcile().secret_writes, 0);
    assert_eq!(texts(cluster.secret.as_ref().unwrap()), data(&[("x", "y")]));
    cluster.secret = None;
    assert_eq!(cluster.reconcile().secret_writes, 1);
    assert_eq!(cluster.sealed.status.unwrap().conditions[0].status, "True");
}

#[test]
fn a_secret_that_goes_away_is_waited_for() {
    let going = owned(&json!({ "deletionTimestamp": "2026-01-01T00:00:00Z" }));
    let refusal = refused(&sealed(&[("a", "1")]), &secret(&going, &[]));
    assert_eq!(refusal, Refusal::Terminating("demo".into()));
}

#[test]
fn a_changed_secret_is_repaired_unless_that_is_switched_off() {
    for (annotation, policy, repaired) in [
        (None, true, true),
        (Some("false"), true, false),
        (None, false, false),
        (Some("true"), false, true),
    ] {
        let mut object = sealed(&[("a", "1")]);
        if let Some(value) = annotation {
            object = crate::testing::annotate(&object, "signet.dev/drift-repair", value);
        }
        let mut cluster = Cluster::new(object, None);
        cluster.policy.drift_repair = policy;
        cluster.reconcile();
        cluster.touch(|secret| secret.data = secret_data("changed"));
        assert_eq!(cluster.reconcile().secret_writes, usize::from(repaired));
        let found = texts(cluster.secret.as_ref().unwrap());
        assert_eq!(
            found,
            data(&[("a", if repaired { "1" } else { "changed" })])
        );
        // Once looked at, it is left in peace; deleted, it is made again.
        assert_eq!(cluster.reconcile().private_operations, 0);
        cluster.secret = None;
        assert_eq!(cluster.reconcile().secret_writes, 1);
    }
}

#[test]
fn a_new_generation_is_written_also_where_drift_is_left() {
    let object =
        crate::testing::annotate(&sealed(&[("a", "1")]), "signet.dev/drift-repair", "false");
    let mut cluster = Cluster::new(object, None);
    cluster.reconcile();
    cluster.touch(|secret| secret.data = secret_data("changed"));
    cluster.apply(&sealed(&[("a", "2")]));
    assert_eq!(cluster.reconcile().secret_writes, 1);
    assert_eq!(texts(cluster.secret.as_ref().unwrap()), data(&[("a", "2")]));
}

fn secret_data(value: &str) -> Option<std::collections::BTreeMap<String, k8s_openapi::ByteString>> {
    secret(&json!({}), &[("a", value)]).data
}
