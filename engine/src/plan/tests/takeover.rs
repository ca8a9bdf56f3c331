use super::*;
use crate::outcome::Failure;

const MANAGED: &str = "sealedsecrets.bitnami.com/managed";
const PATCH: &str = "sealedsecrets.bitnami.com/patch";

fn existing(annotations: &Value) -> Secret {
    let metadata = json!({
        "annotations": annotations,
        "labels": { "anotherlabel": "anothervalue" },
    });
    secret(&metadata, &[("foo", "bar1"), ("foo2", "bar2")])
}

fn incoming() -> SealedSecret {
    let template = json!({ "metadata": { "labels": { "mylabel": "myvalue" } } });
    edit(&sealed(&[("foo", "bar")]), "/spec/template", template)
}

fn owners(secret: &Secret) -> Vec<&str> {
    let owners = secret.metadata.owner_references.iter().flatten();
    owners.map(|owner| owner.uid.as_str()).collect()
}

#[test]
fn a_secret_of_somebody_else_is_refused_in_the_words_that_scripts_match() {
    let refusal = refused(&incoming(), &existing(&json!({})));
    let failure = Failure::Refused(refusal);
    let phrase = "Resource \"demo\" already exists and is not managed by SealedSecret";
    assert!(
        failure
            .message()
            .starts_with(&format!("failed update: {phrase}: "))
    );
    assert!(failure.event().1.starts_with(phrase));
    assert!(failure.message().contains(MANAGED) && failure.message().contains(PATCH));
    for value in ["false", "True", ""] {
        let annotations = json!({ MANAGED: value, PATCH: value });
        assert!(matches!(
            refused(&incoming(), &existing(&annotations)),
            Refusal::Foreign(_)
        ));
    }
}

#[test]
fn a_managed_secret_is_taken_over_as_a_whole() {
    let written = replaced(
        &incoming(),
        &existing(&json!({ MANAGED: "true", "x": "y" })),
    );
    assert_eq!(texts(&written), data(&[("foo", "bar")]));
    assert_eq!(
        json!(written.metadata.labels),
        json!({ "mylabel": "myvalue" })
    );
    assert_eq!(
        written
            .metadata
            .annotations
            .clone()
            .unwrap_or_default()
            .len(),
        0
    );
    assert_eq!(owners(&written), ["sealed-1"]);
}

#[test]
fn a_patched_secret_is_added_to_and_not_owned() {
    let written = replaced(&incoming(), &existing(&json!({ PATCH: "true" })));
    assert_eq!(texts(&written), data(&[("foo", "bar"), ("foo2", "bar2")]));
    let labels = json!({ "anotherlabel": "anothervalue", "mylabel": "myvalue" });
    assert_eq!(json!(written.metadata.labels), labels);
    assert_eq!(
        json!(written.metadata.annotations),
        json!({ PATCH: "true" })
    );
    assert!(owners(&written).is_empty());
}

#[test]
fn a_managed_and_patched_secret_is_added_to_and_owned() {
    let written = replaced(
        &incoming(),
        &existing(&json!({ MANAGED: "true", PATCH: "true" })),
    );
    assert_eq!(texts(&written), data(&[("foo", "bar"), ("foo2", "bar2")]));
    assert_eq!(written.metadata.annotations.as_ref().unwrap().len(), 2);
    assert_eq!(owners(&written), ["sealed-1"]);
}

#[test]
fn an_empty_secret_can_be_patched() {
    let mut bare = secret(&json!({ "annotations": { PATCH: "true" } }), &[]);
    bare.data = None;
    assert_eq!(
        texts(&replaced(&incoming(), &bare)),
        data(&[("foo", "bar")])
    );
}

#[test]
fn a_patched_secret_keeps_its_type_when_the_template_names_none() {
    let mut theirs = existing(&json!({ PATCH: "true" }));
    theirs.type_ = Some("kubernetes.io/tls".to_owned());
    assert_eq!(
        replaced(&incoming(), &theirs).type_.as_deref(),
        Some("kubernetes.io/tls")
    );
}

#[test]
fn a_patched_secret_that_is_gone_is_not_made_again_until_something_new_is_asked() {
    let mut cluster = Cluster::new(incoming(), Some(existing(&json!({ PATCH: "true" }))));
    assert_eq!(cluster.reconcile().secret_writes, 1);
    cluster.secret = None;
    assert_eq!(cluster.reconcile().secret_writes, 0);
    let status = cluster.sealed.status.clone().unwrap();
    assert_eq!(status.conditions[0].reason, "TargetGone");
    cluster.apply(&sealed(&[("foo", "new")]));
    assert_eq!(cluster.reconcile().secret_writes, 1);
    assert_eq!(owners(cluster.secret.as_ref().unwrap()), ["sealed-1"]);
}

#[test]
fn a_secret_of_our_own_that_is_patched_by_its_template_is_made_again() {
    let template = json!({ "metadata": { "annotations": { PATCH: "true" } } });
    let mut cluster = Cluster::new(
        edit(&sealed(&[("a", "1")]), "/spec/template", template),
        None,
    );
    cluster.reconcile();
    cluster.touch(|_| {});
    cluster.reconcile();
    cluster.secret = None;
    assert_eq!(cluster.reconcile().secret_writes, 1);
}

#[test]
fn an_owned_secret_that_is_deleted_is_made_again() {
    let mut cluster = Cluster::new(incoming(), None);
    cluster.reconcile();
    cluster.secret = None;
    assert_eq!(cluster.reconcile().secret_writes, 1);
}

#[test]
fn a_secret_of_an_earlier_sealed_secret_is_left_to_garbage_collection() {
    let observed = secret(
        &json!({ "ownerReferences": [owner("sealed-0")] }),
        &[("a", "1")],
    );
    let refusal = refused(&incoming(), &observed);
    assert_eq!(refusal, Refusal::Orphaned("demo".into()));
    let other = json!({
        "ownerReferences": [{
            "apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret", "name": "demo",
            "uid": "e", "controller": true,
        }],
    });
    assert!(matches!(
        refused(&incoming(), &secret(&other, &[])),
        Refusal::Foreign(_)
    ));
}

#[test]
fn a_secret_without_owner_on_request_is_left_alone_and_not_overwritten() {
    let annotations = json!({ "sealedsecrets.bitnami.com/skip-set-owner-references": "true" });
    let template = json!({ "metadata": { "annotations": annotations } });
    let free = |value| edit(&sealed(&[("a", value)]), "/spec/template", template.clone());
    let mut cluster = Cluster::new(free("1"), None);
    cluster.reconcile();
    assert!(owners(cluster.secret.as_ref().unwrap()).is_empty());

    cluster.touch(|secret| secret.metadata.labels = Some([("t".into(), "x".into())].into()));
    assert_eq!(cluster.reconcile().events.len(), 0);
    assert_eq!(
        cluster.sealed.status.as_ref().unwrap().conditions[0].status,
        "True"
    );

    cluster.apply(&free("2"));
    assert_eq!(cluster.reconcile().secret_writes, 0);
    assert_eq!(
        cluster.sealed.status.as_ref().unwrap().conditions[0].reason,
        "Conflict"
    );
}

#[test]
fn a_status_does_not_open_a_secret_of_somebody_else() {
    let mut cluster = Cluster::new(incoming(), None);
    cluster.reconcile();
    // The same name and a status that tells of it, and still another Secret.
    cluster.secret = Some(existing(&json!({})));
    assert_eq!(cluster.reconcile().secret_writes, 0);
    // Even with its UID in the status nothing is written.
    let status = cluster.sealed.status.as_mut().unwrap();
    status.applied.as_mut().unwrap().secret_uid = "secret-1".to_owned();
    assert_eq!(cluster.reconcile().secret_writes, 0);
}
