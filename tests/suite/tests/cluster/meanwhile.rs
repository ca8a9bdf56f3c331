//! Deletions and refusals that overtake the controller's own writes.

use std::time::Duration;

use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Api;
use kube::api::{ListParams, PostParams};
use serde_json::json;
use signet_kit::key_secret::KeyPair;
use signet_kit::namespace::condition;
use signet_kit::{Controller, Fault, ServiceProxy};

use crate::stage::{Solo, shared_plane, stage};

#[tokio::test]
async fn objects_deleted_around_their_first_status_leave_no_ghosts_that_a_key_brings_to_life() {
    const GHOSTS: u64 = 24;
    let solo = Solo::start("ghosts", &[]).await;
    let namespace = &solo.namespace;
    let pair = KeyPair::generate(jiff::SignedDuration::from_hours(48)).unwrap();
    let sealer = pair.sealer().unwrap();
    let no_owner = "/metadata/annotations/sealedsecrets.bitnami.com~1skip-set-owner-references";
    for number in 0..GHOSTS {
        let name = format!("ghost-{number}");
        let sealed = namespace.sealed(&name).seal(&sealer, "foo", "bar");
        namespace.apply(&sealed.template(no_owner, "true")).await;
        tokio::time::sleep(Duration::from_millis(98 + number)).await;
        namespace.delete_sealed(&name).await.unwrap();
    }
    super::ring::put(namespace, &pair.secret(namespace.name(), "restored")).await;
    let witness = namespace.sealed("witness").seal(&sealer, "foo", "bar");
    namespace.apply(&witness).await;
    namespace.expect_synced("witness", "True").await;
    let secrets = namespace
        .secrets()
        .list(&ListParams::default())
        .await
        .unwrap();
    let names = secrets
        .items
        .iter()
        .filter_map(|it| it.metadata.name.as_deref());
    let ghosts: Vec<_> = names.filter(|name| name.starts_with("ghost-")).collect();
    assert_eq!(ghosts, [""; 0]);
    let metrics = solo.controller.metrics_text().await.unwrap();
    assert!(!metrics.contains("ghost-"), "{metrics}");
}

#[tokio::test]
async fn a_secret_that_kubernetes_deletes_at_once_is_told_and_made_ever_later_until_it_stays() {
    let stage = stage().await;
    let namespace = stage.namespace("vanishing").await;
    let sealed = namespace
        .sealed("test")
        .seal(&stage.sealer, "foo", "bar")
        .template("/type", "kubernetes.io/service-account-token")
        .template(
            "/metadata/annotations/kubernetes.io~1service-account.name",
            "nope",
        );
    namespace.apply(&sealed).await;
    let told = "a status that says that it is deleted again and again";
    let status = namespace
        .expect_status("test", told, |status| {
            condition(status, "Synced").is_some_and(|synced| synced["reason"] == "OtherWriter")
        })
        .await;
    let message = condition(&status, "Synced").unwrap()["message"].to_string();
    assert!(
        message.contains("ServiceAccount does not exist"),
        "{message}"
    );

    let accounts: Api<ServiceAccount> = Api::namespaced(namespace.client(), namespace.name());
    let account = serde_json::from_value(json!({"metadata": {"name": "nope"}})).unwrap();
    accounts
        .create(&PostParams::default(), &account)
        .await
        .unwrap();
    namespace.expect_synced("test", "True").await;
    namespace
        .expect_secret("test", "one with our item that stays", |secret| {
            let data = secret.data.as_ref();
            data.is_some_and(|data| data.contains_key("foo") && data.contains_key("token"))
        })
        .await;
}

#[tokio::test]
async fn a_status_that_cannot_be_written_costs_no_private_operation_again() {
    let namespace = Solo::namespace("no-subresource").await;
    let plane = shared_plane().await;
    let proxy = ServiceProxy::start(plane).unwrap();
    let options = Solo::options(&namespace, &[]).await.through(&proxy.url());
    let controller = Controller::start(plane, options).await.unwrap();
    let sealer = controller.sealer().await.unwrap();
    proxy
        .faults()
        .inject(Fault::status(404).on("PUT", "/status").always());
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    let puts = || {
        let seen = proxy.requests();
        seen.iter().filter(|it| it.path.contains("/status")).count()
    };
    let again = async || puts() >= 3;
    signet_kit::wait_until("it is tried again", again, |enough| *enough).await;
    let operations = controller
        .expect_metric("signet_private_operations_total", &[], |_| true)
        .await;
    assert_eq!(operations, 1.0);
    proxy.faults().clear();
    namespace.expect_synced("test", "True").await;
}
