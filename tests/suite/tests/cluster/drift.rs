//! What others change is put right, and what a person switches off stays off.

use std::time::Duration;

use k8s_openapi::api::core::v1::Secret;
use serde_json::json;
use signet_kit::Namespace;
use signet_kit::namespace::condition;

use crate::stage::{Solo, Stage, stage};

async fn unsealed(stage: &Stage, prefix: &str, annotations: &[(&str, &str)]) -> Namespace {
    let namespace = stage.namespace(prefix).await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    let sealed = annotations.iter().fold(sealed, |sealed, (name, value)| {
        sealed.annotation(name, value)
    });
    namespace.apply(&sealed).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    namespace
}

#[tokio::test]
async fn a_changed_value_is_put_right() {
    let namespace = unsealed(stage().await, "drift", &[]).await;
    namespace
        .patch_secret(
            "test",
            json!({"stringData": {"foo": "tampered", "extra": "1"}}),
        )
        .await
        .unwrap();
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn a_removed_owner_is_put_back_where_the_secret_is_managed() {
    let namespace = unsealed(stage().await, "drift-owner", &[]).await;
    let freed = json!({"metadata": {"ownerReferences": null, "annotations": {"sealedsecrets.bitnami.com/managed": "true"}}});
    namespace.patch_secret("test", freed).await.unwrap();
    namespace
        .expect_secret("test", "an owner again", |secret| {
            secret.metadata.owner_references.is_some()
        })
        .await;
}

#[tokio::test]
async fn with_drift_repair_off_a_change_stays_and_is_reported_until_the_object_changes() {
    let stage = stage().await;
    let namespace = unsealed(stage, "drift-off", &[("signet.dev/drift-repair", "false")]).await;
    namespace
        .patch_secret("test", json!({"stringData": {"foo": "mine"}}))
        .await
        .unwrap();
    let reported = |status: &serde_json::Value| status.to_string().contains("Drifted");
    namespace
        .expect_status("test", "the drift is reported", reported)
        .await;
    namespace.expect_data("test", &[("foo", "mine")]).await;
    let edited = namespace
        .sealed("test")
        .annotation("signet.dev/drift-repair", "false");
    namespace
        .apply(&edited.seal(&stage.sealer, "foo", "new"))
        .await;
    namespace.expect_data("test", &[("foo", "new")]).await;
}

#[tokio::test]
async fn with_drift_repair_off_a_deleted_secret_is_made_again_all_the_same() {
    let namespace = unsealed(
        stage().await,
        "drift-off-gone",
        &[("signet.dev/drift-repair", "false")],
    )
    .await;
    namespace.delete_secret("test").await.unwrap();
    namespace.expect_data("test", &[("foo", "bar")]).await;
}

#[tokio::test]
async fn a_suspended_object_is_left_alone_until_it_is_resumed() {
    let stage = stage().await;
    let namespace = unsealed(stage, "suspend", &[]).await;
    let annotate = |value: serde_json::Value| json!({"metadata": {"annotations": {"signet.dev/suspend": value}}});
    namespace
        .patch_sealed("test", annotate(json!("true")))
        .await
        .unwrap();
    let said = |status: &serde_json::Value| status.to_string().contains("Suspended");
    namespace
        .expect_status("test", "the suspension is said", said)
        .await;
    namespace
        .patch_secret("test", json!({"stringData": {"foo": "mine"}}))
        .await
        .unwrap();
    let repaired = async || {
        let secret = namespace.secret("test").await?;
        (secret.data?.get("foo")?.0 != b"mine").then_some(())
    };
    namespace
        .expect_never(
            "a suspended object is repaired",
            Duration::from_secs(1),
            repaired,
        )
        .await;
    namespace
        .patch_sealed("test", annotate(json!(null)))
        .await
        .unwrap();
    namespace.expect_data("test", &[("foo", "bar")]).await;
    let status = namespace.expect_synced("test", "True").await;
    assert!(condition(&status, "Ready").is_some_and(|ready| ready["status"] == "True"));
}

#[tokio::test]
async fn an_annotation_of_the_template_alone_is_noticed() {
    let stage = stage().await;
    let namespace = unsealed(stage, "template-annotation", &[]).await;
    let patch = json!({"spec": {"template": {"metadata": {"annotations": {"team": "a"}}}}});
    namespace.patch_sealed("test", patch).await.unwrap();
    let has = |secret: &Secret| {
        secret
            .metadata
            .annotations
            .as_ref()
            .is_some_and(|annotations| annotations.get("team").is_some_and(|team| team == "a"))
    };
    namespace.expect_secret("test", "the annotation", has).await;
}

#[tokio::test]
async fn with_skip_recreate_a_deleted_secret_stays_away_until_the_object_changes() {
    let solo = Solo::start("skip-recreate", &["--skip-recreate"]).await;
    let (namespace, sealer) = (&solo.namespace, solo.sealer().await);
    let sealed = namespace.sealed("test").seal(&sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_synced("test", "True").await;
    namespace.delete_secret("test").await.unwrap();
    let back = async || namespace.secret("test").await.map(drop);
    namespace
        .expect_never("the Secret comes back", Duration::from_secs(1), back)
        .await;
    namespace.apply(&sealed.seal(&sealer, "foo", "baz")).await;
    namespace.expect_data("test", &[("foo", "baz")]).await;
}
