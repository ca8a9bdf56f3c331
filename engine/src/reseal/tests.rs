#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;
use signet_keys::sealed::Scope;

use super::*;
use crate::pace::Steady;
use crate::testing::{
    annotate, edit, foreign_key, new_key, object as sealed_object, old_key, open, ring, seal,
    sealed, text,
};

const HERE: (&str, &str) = ("team-a", "demo");

fn to_newest(sealed: &SealedSecret, which: Which) -> Result<Resealed, ResealError> {
    let newest = new_key();
    reseal(
        sealed,
        &ring(),
        newest.certificate.public_key(),
        which,
        &Policy::default(),
        &mut Steady,
    )
}

fn mixed() -> SealedSecret {
    sealed_object(&[
        ("old", seal(&old_key(), Scope::Strict, HERE, "1")),
        ("new", seal(&new_key(), Scope::Strict, HERE, "2")),
    ])
}

#[test]
fn only_items_of_other_keys_are_sealed_anew() {
    let before = mixed();
    let resealed = to_newest(&before, Which::Stale).unwrap();
    assert_eq!(resealed.changed.keys().collect::<Vec<_>>(), ["old"]);
    assert_eq!(resealed.kept, ["new"]);
    let after = object(&before, resealed);
    assert_eq!(
        after.spec.encrypted_data["new"],
        before.spec.encrypted_data["new"]
    );
    let unsealed = open(&after).unwrap();
    assert_eq!(text(&unsealed, "old").as_deref(), Some("1"));
    assert!(
        unsealed
            .opened_by
            .values()
            .all(|key| *key == new_key().fingerprint())
    );
    // A second time there is nothing to do.
    assert!(to_newest(&after, Which::Stale).unwrap().changed.is_empty());
}

#[test]
fn all_items_are_sealed_anew_on_request() {
    let before = mixed();
    let after = object(&before, to_newest(&before, Which::All).unwrap());
    for (item, ciphertext) in &after.spec.encrypted_data {
        assert_ne!(*ciphertext, before.spec.encrypted_data[item]);
    }
}

#[test]
fn d2_template_data_stays_as_it_is_written() {
    let template = json!({
        "data": { "url": "db://{{ .old | urlquery }}", "gone": null },
        "type": "example.com/t",
        "unknown": { "kept": true },
    });
    let before = edit(&mixed(), "/spec/template", template);
    let after = object(&before, to_newest(&before, Which::All).unwrap());
    assert_eq!(after.spec.template, before.spec.template);
    assert_eq!(after.spec.encrypted_data.len(), 2);
}

#[test]
fn the_scope_is_that_of_the_object_and_stays() {
    let annotation = "sealedsecrets.bitnami.com/namespace-wide";
    let wide = sealed_object(&[("a", seal(&old_key(), Scope::NamespaceWide, HERE, "1"))]);
    let cluster_wide = "sealedsecrets.bitnami.com/cluster-wide";
    let metadata = json!({ "metadata": { "annotations": { cluster_wide: "true" } } });
    let before = annotate(&edit(&wide, "/spec/template", metadata), annotation, "true");
    let mut after = object(&before, to_newest(&before, Which::Stale).unwrap());
    assert!(open(&after).is_ok());
    after.metadata.annotations = None;
    assert!(open(&after).is_err(), "the scope was widened or lost");
}

#[test]
fn issue_1556_and_1032_a_failure_names_the_item_and_the_reason() {
    let foreign = json!(seal(&foreign_key(), Scope::Strict, HERE, "3"));
    let error = to_newest(
        &edit(&mixed(), "/spec/encryptedData/x", foreign),
        Which::Stale,
    );
    let message = error.unwrap_err().to_string();
    assert!(
        message.starts_with("no key could decrypt secret (x)"),
        "{message}"
    );
}

#[test]
fn a_stranger_is_not_told_where_an_item_would_open() {
    let wide = sealed_object(&[("a", seal(&old_key(), Scope::ClusterWide, HERE, "1"))]);
    let message = to_newest(&wide, Which::Stale).unwrap_err().to_string();
    assert!(!message.contains("cluster-wide"), "{message}");
}

#[test]
fn nothing_of_the_server_is_in_the_answer() {
    let mut before = mixed();
    before.status = Some(signet_crds::sealed_secret::SealedSecretStatus::default());
    before.metadata.resource_version = Some("7".to_owned());
    let before = annotate(
        &before,
        "kubectl.kubernetes.io/last-applied-configuration",
        "{}",
    );
    let before = annotate(&before, "argocd.argoproj.io/sync-wave", "2");
    let after = object(&before, to_newest(&before, Which::Stale).unwrap());
    assert_eq!(after.status, None);
    assert_eq!(
        json!(after.metadata),
        json!({
            "namespace": "team-a", "name": "demo",
            "annotations": { "argocd.argoproj.io/sync-wave": "2" },
        })
    );
}

#[test]
fn the_deprecated_form_becomes_the_present_one() {
    let inside = json!({
        "metadata": { "labels": { "app": "demo" } }, "type": "example.com/t", "data": { "a": "MQ==" },
    });
    let data = seal(&old_key(), Scope::Strict, HERE, &inside.to_string());
    let before = edit(&sealed(&[]), "/spec/data", json!(data));
    let after = object(&before, to_newest(&before, Which::Stale).unwrap());
    assert_eq!(after.spec.data, None);
    let (old, new) = (open(&before).unwrap().secret, open(&after).unwrap().secret);
    assert_eq!(new.data, old.data);
    assert_eq!((new.labels, new.type_), (old.labels, old.type_));
}
