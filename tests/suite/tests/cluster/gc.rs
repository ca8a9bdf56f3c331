//! Secrets go with their SealedSecret, by Kubernetes' own garbage collection.

use k8s_openapi::api::core::v1::Secret;

use crate::stage::{Solo, stage};

#[tokio::test]
async fn the_secret_of_a_deleted_object_is_collected() {
    let stage = stage().await;
    let namespace = stage.namespace("gc").await;
    namespace
        .apply(&namespace.sealed("test").seal(&stage.sealer, "foo", "bar"))
        .await;
    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    let owners = secret.metadata.owner_references.unwrap();
    assert_ne!(owners[0].block_owner_deletion, Some(true));
    namespace.expect_synced("test", "True").await;
    namespace.delete_sealed("test").await.unwrap();
    namespace.expect_no_secret("test").await;
}

#[tokio::test]
async fn a_secret_without_an_owner_stays() {
    let stage = stage().await;
    let namespace = stage.namespace("gc-skip").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    let annotation = "/metadata/annotations/sealedsecrets.bitnami.com~1skip-set-owner-references";
    namespace.apply(&sealed.template(annotation, "true")).await;
    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(secret.metadata.owner_references, None);
    namespace.expect_synced("test", "True").await;

    // The collector has done its round when one with an owner is gone.
    namespace
        .apply(&namespace.sealed("owned").seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace.expect_data("owned", &[("foo", "bar")]).await;
    namespace.delete_sealed("test").await.unwrap();
    namespace.delete_sealed("owned").await.unwrap();
    namespace.expect_no_secret("owned").await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
}

#[tokio::test]
async fn deleting_and_making_an_object_anew_gives_a_secret_of_the_new_one() {
    let stage = stage().await;
    let namespace = stage.namespace("gc-anew").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_synced("test", "True").await;
    namespace.delete_sealed("test").await.unwrap();
    let object = namespace
        .apply(&sealed.seal(&stage.sealer, "foo", "baz"))
        .await;
    let owned = |secret: &Secret| {
        secret
            .metadata
            .owner_references
            .iter()
            .flatten()
            .any(|owner| Some(&owner.uid) == object.metadata.uid.as_ref())
    };
    namespace
        .expect_secret("test", "a Secret of the new object", owned)
        .await;
    namespace.expect_data("test", &[("foo", "baz")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn with_old_gc_behavior_the_controller_deletes_the_secret_itself() {
    // Its control plane has no garbage collector.
    let solo = Solo::start("old-gc", &["--old-gc-behavior"]).await;
    let namespace = &solo.namespace;
    namespace
        .apply(
            &namespace
                .sealed("test")
                .seal(&solo.sealer().await, "foo", "bar"),
        )
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    namespace.delete_sealed("test").await.unwrap();
    namespace.expect_no_secret("test").await;
}
