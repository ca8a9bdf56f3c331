//! Immutable Secrets.

use serde_json::json;
use signet_kit::namespace::condition;
use signet_kit::{Namespace, SealedSecret};

use crate::stage::{Stage, stage};

fn immutable(stage: &Stage, namespace: &Namespace, value: &str) -> SealedSecret {
    namespace
        .sealed("test")
        .template("/immutable", true)
        .seal(&stage.sealer, "foo", value)
}

#[tokio::test]
async fn issue_574_an_immutable_template_gives_an_immutable_secret() {
    let stage = stage().await;
    let namespace = stage.namespace("immutable").await;
    namespace.apply(&immutable(stage, &namespace, "bar")).await;
    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(secret.immutable, Some(true));
}

#[tokio::test]
async fn a_change_of_an_immutable_secret_is_refused_and_said_so() {
    let stage = stage().await;
    let namespace = stage.namespace("immutable-edit").await;
    namespace.apply(&immutable(stage, &namespace, "bar")).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    namespace.apply(&immutable(stage, &namespace, "baz")).await;
    namespace
        .expect_event("test", "ErrUpdateFailed", "the target Secret is immutable")
        .await;
    let status = namespace.expect_synced("test", "False").await;
    assert_eq!(status["observedGeneration"], 2);
    assert_eq!(
        condition(&status, "Stalled").unwrap()["status"],
        "True",
        "only a person can fix it: {status:#}"
    );
    namespace.expect_data("test", &[("foo", "bar")]).await;
}

#[tokio::test]
async fn issue_1428_an_immutable_secret_is_made_anew_where_its_object_asks_for_that() {
    let stage = stage().await;
    let namespace = stage.namespace("immutable-anew").await;
    let opt_in = |sealed: SealedSecret| sealed.annotation("signet.dev/recreate-immutable", "true");
    namespace
        .apply(&opt_in(immutable(stage, &namespace, "bar")))
        .await;
    let first = namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    namespace
        .apply(&opt_in(immutable(stage, &namespace, "baz")))
        .await;
    let second = namespace.expect_data("test", &[("foo", "baz")]).await;
    assert_ne!(first.metadata.uid, second.metadata.uid);
    assert_eq!(second.immutable, Some(true));
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn a_refused_change_is_carried_out_when_the_immutable_secret_is_deleted() {
    let stage = stage().await;
    let namespace = stage.namespace("immutable-gone").await;
    namespace.apply(&immutable(stage, &namespace, "bar")).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.apply(&immutable(stage, &namespace, "baz")).await;
    namespace.expect_synced("test", "False").await;
    namespace.delete_secret("test").await.unwrap();
    namespace.expect_data("test", &[("foo", "baz")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn a_type_that_would_have_to_change_is_said_so() {
    let stage = stage().await;
    let namespace = stage.namespace("type-change").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    namespace
        .apply(&sealed.template("/type", "example.com/other"))
        .await;
    let status = namespace.expect_synced("test", "False").await;
    assert_eq!(
        condition(&status, "Ready").unwrap()["reason"],
        "TypeChange",
        "{status:#}"
    );
    assert_eq!(
        namespace.secret("test").await.unwrap().type_.as_deref(),
        Some("Opaque")
    );
}

#[tokio::test]
async fn a_secret_that_others_made_immutable_blocks_nothing_while_it_is_as_described() {
    let stage = stage().await;
    let namespace = stage.namespace("frozen").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace
        .patch_secret("test", json!({"immutable": true}))
        .await
        .unwrap();
    // The same value, sealed again.
    namespace
        .apply(&sealed.seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "True").await;
}
