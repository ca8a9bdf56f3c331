//! A Secret of that name is there already: whose is it?

use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::Secret;
use serde_json::json;
use signet_kit::namespace::condition;
use signet_kit::{Namespace, SealedSecret};

use crate::stage::{Stage, stage};

const MANAGED: &str = "sealedsecrets.bitnami.com/managed";
const PATCH: &str = "sealedsecrets.bitnami.com/patch";

/// In this time after a delete nothing may be made again that was not ours: users would take it for
/// recreating what one does not own.
const AFTER_DELETE: Duration = Duration::from_millis(200);

fn sealed(stage: &Stage, namespace: &Namespace) -> SealedSecret {
    let sealed = namespace
        .sealed("test")
        .template("/metadata/labels/mylabel", "myvalue");
    sealed.seal(&stage.sealer, "foo", "bar")
}

async fn existing(namespace: &Namespace, annotations: serde_json::Value) {
    namespace
        .create_secret("test", annotations, json!({"foo": "bar1", "foo2": "bar2"}))
        .await
        .unwrap();
    namespace
        .patch_secret(
            "test",
            json!({"metadata": {"labels": {"anotherlabel": "anothervalue"}}}),
        )
        .await
        .unwrap();
}

#[tokio::test]
async fn managed_is_taken_over_and_overwritten_whole() {
    let stage = stage().await;
    let namespace = stage.namespace("managed").await;
    existing(&namespace, json!({MANAGED: "true"})).await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_event("test", "Unsealed", "").await;
    let meta = namespace
        .expect_data("test", &[("foo", "bar")])
        .await
        .metadata;
    assert_eq!(meta.owner_references.unwrap()[0].name, "test");
    assert_eq!(meta.annotations, None);
    assert_eq!(
        meta.labels.unwrap(),
        [("mylabel".into(), "myvalue".into())].into()
    );
}

#[tokio::test]
async fn managed_and_patched_is_taken_over_and_what_else_it_holds_stays() {
    let stage = stage().await;
    let namespace = stage.namespace("managed-patch").await;
    existing(&namespace, json!({MANAGED: "true", PATCH: "true"})).await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_event("test", "Unsealed", "").await;
    let meta = namespace
        .expect_data("test", &[("foo", "bar"), ("foo2", "bar2")])
        .await
        .metadata;
    assert_eq!(meta.owner_references.unwrap()[0].name, "test");
    assert_eq!(
        meta.annotations.unwrap(),
        [
            (MANAGED.into(), "true".into()),
            (PATCH.into(), "true".into())
        ]
        .into()
    );
    let labels = [
        ("anotherlabel".into(), "anothervalue".into()),
        ("mylabel".into(), "myvalue".into()),
    ];
    assert_eq!(meta.labels.unwrap(), labels.into());
}

#[tokio::test]
async fn patched_is_added_to_and_not_owned() {
    let stage = stage().await;
    let namespace = stage.namespace("patch").await;
    existing(&namespace, json!({PATCH: "true"})).await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_event("test", "Unsealed", "").await;
    let meta = namespace
        .expect_data("test", &[("foo", "bar"), ("foo2", "bar2")])
        .await
        .metadata;
    assert_eq!(meta.owner_references, None);
    assert_eq!(
        meta.annotations.unwrap(),
        [(PATCH.into(), "true".into())].into()
    );
    let labels = [
        ("anotherlabel".into(), "anothervalue".into()),
        ("mylabel".into(), "myvalue".into()),
    ];
    assert_eq!(meta.labels.unwrap(), labels.into());
}

#[tokio::test]
async fn patched_and_empty_is_filled_and_not_owned() {
    let stage = stage().await;
    let namespace = stage.namespace("patch-empty").await;
    namespace
        .create_secret("test", json!({PATCH: "true"}), json!({}))
        .await
        .unwrap();
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_event("test", "Unsealed", "").await;
    let meta = namespace
        .expect_data("test", &[("foo", "bar")])
        .await
        .metadata;
    assert_eq!(meta.owner_references, None);
    assert_eq!(
        meta.labels.unwrap(),
        [("mylabel".into(), "myvalue".into())].into()
    );
}

#[tokio::test]
async fn an_owned_secret_that_is_deleted_is_made_again() {
    let stage = stage().await;
    let namespace = stage.namespace("recreate").await;
    namespace.apply(&sealed(stage, &namespace)).await;
    let first = namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.delete_secret("test").await.unwrap();
    let is_new = |secret: &Secret| secret.metadata.uid != first.metadata.uid;
    let second = namespace
        .expect_secret("test", "another Secret test", is_new)
        .await;
    assert_eq!(second.metadata.owner_references.unwrap()[0].name, "test");
    assert_eq!(second.data, first.data);
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn a_managed_secret_that_is_deleted_before_it_was_taken_over_is_made() {
    let stage = stage().await;
    let namespace = stage.namespace("managed-deleted").await;
    existing(&namespace, json!({MANAGED: "true"})).await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.delete_secret("test").await.unwrap();
    namespace.expect_event("test", "Unsealed", "").await;
    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(secret.metadata.owner_references.unwrap()[0].name, "test");
}

#[tokio::test]
async fn a_secret_that_somebody_else_made_is_never_touched() {
    let stage = stage().await;
    let namespace = stage.namespace("foreign").await;
    existing(&namespace, json!({})).await;
    let before = namespace.secret("test").await.unwrap();
    namespace.apply(&sealed(stage, &namespace)).await;
    let event = "Resource \"test\" already exists and is not managed by SealedSecret";
    namespace
        .expect_event("test", "ErrUpdateFailed", event)
        .await;
    let status = namespace.expect_synced("test", "False").await;
    let synced = condition(&status, "Synced").unwrap();
    let message = synced["message"].as_str().unwrap();
    assert!(
        message.contains("already exists and is not managed by SealedSecret"),
        "{message}"
    );
    let remedy = condition(&status, "Ready").unwrap()["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
        + message;
    assert!(remedy.contains(MANAGED), "the remedy is named: {status:#}");
    assert_eq!(condition(&status, "Ready").unwrap()["reason"], "Conflict");
    let after = namespace.secret("test").await.unwrap();
    assert_eq!(
        after.metadata.resource_version,
        before.metadata.resource_version
    );
}

#[tokio::test]
async fn a_secret_of_another_controller_is_never_touched() {
    let stage = stage().await;
    let namespace = stage.namespace("other-owner").await;
    existing(&namespace, json!({})).await;
    let owner = json!([{"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret", "name": "test",
        "uid": "11111111-2222-3333-4444-555555555555", "controller": true}]);
    namespace
        .patch_secret("test", json!({"metadata": {"ownerReferences": owner}}))
        .await
        .unwrap();
    let before = namespace.secret("test").await.unwrap();
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_synced("test", "False").await;
    let after = namespace.secret("test").await.unwrap();
    assert_eq!(
        after.metadata.resource_version,
        before.metadata.resource_version
    );
}

#[tokio::test]
async fn issue_1090_a_conflict_heals_when_the_blocking_secret_goes_but_not_at_once() {
    let stage = stage().await;
    let namespace = stage.namespace("issue-1090").await;
    existing(&namespace, json!({})).await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_synced("test", "False").await;
    namespace.delete_secret("test").await.unwrap();
    let made = async || namespace.secret("test").await.map(drop);
    namespace
        .expect_never(
            "a Secret that was not ours comes back at once",
            AFTER_DELETE,
            made,
        )
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn a_conflict_heals_when_the_blocking_secret_is_given_over() {
    let stage = stage().await;
    let namespace = stage.namespace("given-over").await;
    existing(&namespace, json!({})).await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_synced("test", "False").await;
    namespace
        .patch_secret(
            "test",
            json!({"metadata": {"annotations": {MANAGED: "true"}}}),
        )
        .await
        .unwrap();
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn a_patched_secret_that_is_deleted_is_not_made_again() {
    let stage = stage().await;
    let namespace = stage.namespace("patch-deleted").await;
    existing(&namespace, json!({PATCH: "true"})).await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace
        .expect_data("test", &[("foo", "bar"), ("foo2", "bar2")])
        .await;
    namespace.expect_synced("test", "True").await;
    namespace.delete_secret("test").await.unwrap();
    let status = namespace.expect_synced("test", "False").await;
    assert_eq!(condition(&status, "Ready").unwrap()["reason"], "TargetGone");
    assert!(namespace.secret("test").await.is_none());
}

#[tokio::test]
async fn labels_and_annotations_of_other_tools_stay_on_an_owned_secret() {
    let stage = stage().await;
    let namespace = stage.namespace("labels").await;
    namespace.apply(&sealed(stage, &namespace)).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    let others = json!({"metadata": {"labels": {"velero.io/exclude": "true"}, "annotations": {"reflector/allowed": "true"}}});
    namespace.patch_secret("test", others).await.unwrap();
    let edited = sealed(stage, &namespace).seal(&stage.sealer, "foo", "baz");
    namespace
        .apply(&edited.template("/metadata/labels/mylabel", "new"))
        .await;
    let meta = namespace
        .expect_data("test", &[("foo", "baz")])
        .await
        .metadata;
    assert_eq!(
        meta.labels.unwrap(),
        [
            ("mylabel".into(), "new".into()),
            ("velero.io/exclude".into(), "true".into())
        ]
        .into()
    );
    assert_eq!(meta.annotations.unwrap()["reflector/allowed"], "true");
}

#[tokio::test]
async fn a_secret_that_goes_just_as_its_object_comes_is_not_made_again_at_once() {
    let stage = stage().await;
    let mut judged = 0;
    for annotations in [json!({}), json!({PATCH: "true"})].iter().cycle().take(40) {
        let namespace = stage.namespace("just-gone").await;
        existing(&namespace, annotations.clone()).await;
        let begin = Instant::now();
        namespace.apply(&sealed(stage, &namespace)).await;
        namespace.delete_secret("test").await.unwrap();
        // On a busy machine the two may be further apart than the controller waits for them.
        if begin.elapsed() > Duration::from_millis(40) {
            continue;
        }
        // The time for which the peer's own tests look.
        let made = async || namespace.secret("test").await.map(drop);
        let time = Duration::from_millis(100);
        namespace
            .expect_never("the Secret comes back at once", time, made)
            .await;
        judged += 1;
        if judged == 6 {
            return;
        }
    }
}
