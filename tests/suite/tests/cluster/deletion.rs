//! What is being deleted is left to go.

use std::time::Duration;

use k8s_openapi::api::core::v1::Namespace as NamespaceResource;
use kube::Api;
use kube::api::{DeleteParams, PropagationPolicy};
use serde_json::json;

use crate::stage::stage;

#[tokio::test]
async fn an_object_that_is_deleted_in_the_foreground_does_not_make_its_secret_again() {
    let stage = stage().await;
    let namespace = stage.namespace("foreground").await;
    namespace
        .apply(&namespace.sealed("test").seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "True").await;
    // Its dependents go first, while it is still there.
    let foreground = DeleteParams {
        propagation_policy: Some(PropagationPolicy::Foreground),
        ..DeleteParams::default()
    };
    namespace
        .sealed_secrets()
        .delete("test", &foreground)
        .await
        .unwrap();
    let read = async || {
        namespace
            .sealed_secrets()
            .get_opt("test")
            .await
            .unwrap()
            .is_some()
    };
    signet_kit::wait_until("the object is gone", read, |there| !there).await;
    namespace.expect_no_secret("test").await;
}

#[tokio::test]
async fn an_object_that_a_finalizer_holds_is_left_alone() {
    let stage = stage().await;
    let namespace = stage.namespace("finalizer").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_synced("test", "True").await;
    let held = json!({"metadata": {"finalizers": ["example.com/held"]}});
    namespace.patch_sealed("test", held).await.unwrap();
    namespace.delete_sealed("test").await.unwrap();
    namespace.delete_secret("test").await.unwrap();
    let back = async || namespace.secret("test").await.map(drop);
    namespace
        .expect_never("the Secret comes back", Duration::from_secs(1), back)
        .await;
    namespace
        .patch_sealed("test", json!({"metadata": {"finalizers": null}}))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_namespace_with_objects_in_it_can_be_deleted() {
    let stage = stage().await;
    let namespace = stage.namespace("terminating").await;
    for number in 0..10 {
        let name = format!("s-{number}");
        namespace
            .apply(&namespace.sealed(&name).seal(&stage.sealer, "foo", "bar"))
            .await;
    }
    namespace.expect_synced("s-9", "True").await;
    let namespaces: Api<NamespaceResource> = Api::all(namespace.client());
    namespaces
        .delete(namespace.name(), &DeleteParams::default())
        .await
        .unwrap();
    let read = async || {
        namespaces
            .get_opt(namespace.name())
            .await
            .unwrap()
            .is_some()
    };
    signet_kit::wait_until("the namespace is gone", read, |there| !there).await;
}
