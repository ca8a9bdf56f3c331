#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;
use signet_keys::keyring::KeyRing;
use signet_keys::sealed::Scope;

use super::*;
use crate::testing::{
    annotate, edit, foreign_key, new_key, object, old_key, open, ring, seal, sealed, text,
};

mod canary;
mod deprecated;
mod diagnosis;
mod template;

const HERE: (&str, &str) = ("team-a", "demo");

#[test]
fn all_items_open_and_become_the_secret() {
    let sealed = sealed(&[("user", "bob"), ("password", "s3cret"), ("empty", "")]);
    let unsealed = open(&sealed).unwrap();
    assert_eq!(text(&unsealed, "user").as_deref(), Some("bob"));
    assert_eq!(text(&unsealed, "password").as_deref(), Some("s3cret"));
    assert_eq!(text(&unsealed, "empty").as_deref(), Some(""));
    assert_eq!(unsealed.secret.name, "demo");
    assert_eq!(unsealed.secret.namespace.as_deref(), Some("team-a"));
    assert_eq!(unsealed.secret.effective_type(), "Opaque");
    assert!(
        unsealed
            .opened_by
            .values()
            .all(|by| *by == new_key().fingerprint())
    );
    assert_eq!(unsealed.warnings, []);
}

#[test]
fn the_secret_belongs_to_the_sealed_secret_and_does_not_block_its_deletion() {
    let unsealed = open(&sealed(&[("a", "1")])).unwrap();
    let owner = unsealed.secret.owner.unwrap();
    assert_eq!(
        (owner.kind.as_str(), owner.uid.as_str()),
        ("SealedSecret", "sealed-1")
    );
    assert_eq!(owner.api_version, "bitnami.com/v1alpha1");
    assert_eq!(
        (owner.controller, owner.block_owner_deletion),
        (Some(true), None)
    );
}

#[test]
fn d9_outside_of_a_cluster_there_is_no_owner_reference() {
    for uid in [json!(null), json!("")] {
        let sealed = edit(&sealed(&[("a", "1")]), "/metadata/uid", uid);
        let manifest = open(&sealed).unwrap().secret.manifest();
        assert_eq!(manifest.expose().metadata.owner_references, None);
    }
}

#[test]
fn issue_226_a_remembered_key_is_tried_first() {
    let items = [("a", seal(&old_key(), Scope::Strict, HERE, "1"))];
    let sealed = object(&items);
    let policy = Policy::default();
    let cold = unseal(&sealed, &ring(), &Hints::default(), &policy).unwrap();
    assert_eq!(cold.attempts, 2);
    let warm = unseal(&sealed, &ring(), &Hints::from(cold.opened_by), &policy).unwrap();
    assert_eq!(warm.attempts, 1);
}

#[test]
fn what_fails_is_grouped_by_cause_in_a_stable_order() {
    let foreign = |value| seal(&foreign_key(), Scope::Strict, HERE, value);
    let sealed = object(&[
        ("z", foreign("1")),
        ("b", foreign("2")),
        ("m", "AgA".to_owned()),
        ("good", seal(&new_key(), Scope::Strict, HERE, "3")),
    ]);
    let error = open(&sealed).unwrap_err();
    let lines: Vec<_> = error.brief().lines().map(ToOwned::to_owned).collect();
    assert_eq!(lines[0], "no key could decrypt secret (b, z)");
    assert!(lines[1].ends_with("(m)"), "{lines:?}");
    assert_eq!(lines.len(), 2);
    assert!(
        error
            .to_string()
            .starts_with("no key could decrypt secret (b, z): ")
    );
}

#[test]
fn what_fails_by_the_thousand_is_told_in_short() {
    let keys: Vec<_> = (0..1000).map(|n| format!("key-{n:04}")).collect();
    let items: Vec<_> = keys
        .iter()
        .map(|key| (key.as_str(), "AgA=".to_owned()))
        .collect();
    let message = open(&object(&items)).unwrap_err().to_string();
    assert!(message.contains("key-0019, and 980 more)"), "{message}");
    assert!(message.len() < 1024);
}

#[test]
fn a_text_that_is_not_base64_is_named_and_not_called_undecryptable() {
    let error = open(&object(&[("pw", "not base64!".to_owned())])).unwrap_err();
    assert!(error.to_string().contains("(pw)"));
    assert!(!error.to_string().contains("decrypt"));
}

#[test]
fn a_cut_ciphertext_is_called_that() {
    let whole = seal(&new_key(), Scope::Strict, HERE, "1");
    let error = open(&object(&[("pw", whole[..40].to_owned())])).unwrap_err();
    assert_eq!(error.brief(), "no key could decrypt secret (pw)");
    assert!(
        error.to_string().contains("not a complete sealed item"),
        "{error}"
    );
    assert_eq!(error.attempts, 0);
}

#[test]
fn without_any_key_it_says_so() {
    let sealed = sealed(&[("pw", "1")]);
    let error = unseal(
        &sealed,
        &KeyRing::default(),
        &Hints::default(),
        &Policy::default(),
    );
    let error = error.unwrap_err();
    assert!(
        error.to_string().contains("there is no private key"),
        "{error}"
    );
    assert!(error.waits_for_a_key());
}

#[test]
fn an_item_of_the_wrong_kind_is_named_and_the_others_are_tried() {
    let sealed = edit(
        &sealed(&[("good", "1")]),
        "/spec/encryptedData/port",
        json!(5432),
    );
    let error = open(&sealed).unwrap_err();
    assert!(error.to_string().starts_with("expected text"), "{error}");
    assert!(error.to_string().contains("(port)"));
    assert!(!error.to_string().contains("5432"));
    assert_eq!(error.attempts, 1);
}

#[test]
fn a_field_of_the_wrong_kind_fails_before_any_private_operation() {
    let sealed = edit(
        &sealed(&[("good", "1")]),
        "/spec/template",
        json!({ "immutable": "yes" }),
    );
    let error = open(&sealed).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected true or false (spec.template.immutable)"
    );
    assert_eq!(error.attempts, 0);
}

#[test]
fn one_object_may_hold_items_of_several_keys() {
    let sealed = object(&[
        ("a", seal(&old_key(), Scope::Strict, HERE, "1")),
        ("b", seal(&new_key(), Scope::Strict, HERE, "2")),
    ]);
    let unsealed = open(&sealed).unwrap();
    assert_eq!(unsealed.opened_by["a"], old_key().fingerprint());
    assert_eq!(unsealed.opened_by["b"], new_key().fingerprint());
}

#[test]
fn a_renamed_item_opens_as_names_are_not_bound() {
    let sealed = object(&[("renamed", seal(&new_key(), Scope::Strict, HERE, "1"))]);
    assert_eq!(
        text(&open(&sealed).unwrap(), "renamed").as_deref(),
        Some("1")
    );
}

#[test]
fn the_scope_is_that_of_the_object_and_not_of_its_template() {
    let wide = object(&[("a", seal(&new_key(), Scope::ClusterWide, HERE, "1"))]);
    let annotation = "sealedsecrets.bitnami.com/cluster-wide";
    let metadata = json!({ "metadata": { "annotations": { annotation: "true" } } });
    assert!(open(&edit(&wide, "/spec/template", metadata)).is_err());
    assert!(open(&annotate(&wide, annotation, "true")).is_ok());
    assert!(open(&annotate(&wide, annotation, "True")).is_err());
}

/// What an author may write where a name is expected.
const FORGED: &str = "x\n2026-01-01T00:00:00Z  INFO making a sealing key reason=forged\u{1b}[2J\r";

#[test]
fn names_that_cannot_be_are_quoted_and_forge_no_line() {
    let mut sealed = object(&[("password", "AAAA".to_owned()), (FORGED, "!".to_owned())]);
    sealed.spec.template.metadata.name = Some(FORGED.to_owned());
    let error = open(&sealed).unwrap_err();
    for text in [error.to_string(), error.brief()] {
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(
            text.chars().all(|c| c == '\n' || !c.is_control()),
            "{text:?}"
        );
        assert!(text.contains("(\"x\\n2026"), "{text}");
        assert!(text.contains("(password)"), "{text}");
    }
    let unknown = Warning::UnknownField(FORGED.to_owned()).to_string();
    let shadowed = Warning::Shadowed(vec!["a".into(), FORGED.into()]).to_string();
    for text in [unknown, shadowed] {
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}
