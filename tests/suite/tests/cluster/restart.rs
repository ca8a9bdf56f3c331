//! A restart over an unchanged cluster does nothing.

use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::Event;
use kube::Api;
use kube::api::{DynamicObject, ListParams};
use signet_kit::{ControlPlane, Controller, ControllerOptions, Namespace, ServiceProxy, sealed};

use crate::stage::{Stage, secret_versions, wait_idle};

const OBJECTS: usize = 60;
const FAILING: usize = 7;

/// The resourceVersion of every SealedSecret.
async fn object_versions(plane: &ControlPlane) -> Vec<(Option<String>, Option<String>)> {
    let api: Api<DynamicObject> = Api::all_with(plane.client().await.unwrap(), &sealed::resource());
    let objects = api.list(&ListParams::default()).await.unwrap().items;
    objects
        .into_iter()
        .map(|object| (object.metadata.name, object.metadata.resource_version))
        .collect()
}

async fn events(plane: &ControlPlane) -> usize {
    let api: Api<Event> = Api::all(plane.client().await.unwrap());
    api.list(&ListParams::default()).await.unwrap().items.len()
}

/// Objects with and without a type in the template, and one that fails.
async fn fill(namespace: &Namespace, stage: &Stage) {
    for number in 0..OBJECTS {
        let sealed = namespace.sealed(&format!("s-{number}"));
        let sealed = match number {
            FAILING => sealed.raw("broken", "AAAA"),
            _ => sealed.seal(&stage.sealer, "a", "1"),
        };
        let sealed = if number % 10 == 0 {
            sealed.template("/type", "Opaque")
        } else {
            sealed
        };
        namespace.apply(&sealed).await;
    }
    for number in 0..OBJECTS {
        let verdict = if number == FAILING { "False" } else { "True" };
        namespace
            .expect_synced(&format!("s-{number}"), verdict)
            .await;
    }
}

#[tokio::test]
async fn a_restart_writes_nothing_reads_no_secret_and_opens_nothing() {
    let mut stage = Stage::own(&[]).await;
    let namespace = stage.namespace("restart").await;
    fill(&namespace, &stage).await;
    let before = (
        secret_versions(&stage.plane).await,
        object_versions(&stage.plane).await,
        events(&stage.plane).await,
    );
    assert_eq!(
        stage.controller.stop(),
        Some(0),
        "it ends in order when asked to"
    );

    let proxy = ServiceProxy::start(&stage.plane).unwrap();
    let begin = Instant::now();
    let controller = Controller::start(
        &stage.plane,
        ControllerOptions::default().through(&proxy.url()),
    )
    .await
    .unwrap();
    let recognised = |count: f64| count >= (OBJECTS - 1) as f64;
    let unchanged = [("result", "unchanged")];
    controller
        .expect_metric(
            "signet_reconcile_duration_seconds_count",
            &unchanged,
            recognised,
        )
        .await;
    let took = begin.elapsed();
    wait_idle(&proxy, Duration::from_millis(700)).await;

    let after = (
        secret_versions(&stage.plane).await,
        object_versions(&stage.plane).await,
        events(&stage.plane).await,
    );
    assert_eq!(before.0, after.0, "a Secret was written");
    assert_eq!(
        before.1, after.1,
        "a SealedSecret or its status was written"
    );
    assert_eq!(before.2, after.2, "an event was written");
    // The broken one has nothing that could be opened: it is too short.
    assert_eq!(
        controller
            .metrics()
            .await
            .unwrap()
            .get("signet_private_operations_total", &[]),
        Some(0.0)
    );
    let writes: Vec<_> = proxy
        .requests()
        .into_iter()
        .filter(|seen| seen.is_write() && !seen.path.contains("/leases"))
        .collect();
    assert!(writes.is_empty(), "{writes:#?}");
    let reads = proxy.requests().into_iter().filter(|seen| {
        seen.path.contains("/namespaces/restart") && seen.path.contains("/secrets/s-")
    });
    assert_eq!(
        reads.count(),
        0,
        "a Secret was read for an unchanged object"
    );
    assert!(took < Duration::from_secs(15), "{took:?}");
}

#[tokio::test]
async fn what_changed_while_it_was_away_is_caught_up_with() {
    let mut stage = Stage::own(&[]).await;
    let namespace = stage.namespace("away").await;
    let sealed = |name: &str, value: &str| namespace.sealed(name).seal(&stage.sealer, "foo", value);
    for name in ["edited", "deleted", "drifted", "same"] {
        namespace.apply(&sealed(name, "bar")).await;
        namespace.expect_synced(name, "True").await;
    }
    stage.controller.kill();
    namespace.apply(&sealed("edited", "baz")).await;
    namespace.apply(&sealed("new", "bar")).await;
    // D14: nobody saw this delete happen.
    namespace.delete_secret("deleted").await.unwrap();
    namespace
        .patch_secret(
            "drifted",
            serde_json::json!({"stringData": {"foo": "tampered"}}),
        )
        .await
        .unwrap();
    let same = namespace.secret("same").await.unwrap();

    stage.controller.restart().await.unwrap();
    namespace.expect_data("edited", &[("foo", "baz")]).await;
    for name in ["new", "deleted", "drifted"] {
        namespace.expect_data(name, &[("foo", "bar")]).await;
    }
    assert_eq!(
        namespace
            .secret("same")
            .await
            .unwrap()
            .metadata
            .resource_version,
        same.metadata.resource_version
    );
}

#[tokio::test]
async fn issue_1833_a_new_object_does_not_wait_for_what_a_restart_looks_through() {
    let mut stage = Stage::own(&["--workers=1"]).await;
    let namespace = stage.namespace("issue-1833").await;
    fill(&namespace, &stage).await;
    stage.controller.kill();
    stage.controller.launch_again().unwrap();
    namespace
        .apply(&namespace.sealed("fresh").seal(&stage.sealer, "foo", "bar"))
        .await;
    let begin = Instant::now();
    namespace.expect_data("fresh", &[("foo", "bar")]).await;
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn an_unchanged_object_costs_nothing_when_it_is_applied_again() {
    let stage = Stage::own(&[]).await;
    let namespace = Namespace::create(&stage.plane, "again").await.unwrap();
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_synced("test", "True").await;
    namespace.expect_event("test", "Unsealed", "").await;
    let operations = async || {
        stage
            .controller
            .metrics()
            .await
            .unwrap()
            .get("signet_private_operations_total", &[])
    };
    let (before, secret) = (operations().await, namespace.secret("test").await.unwrap());
    // An annotation that says nothing to us, as kubectl apply leaves.
    namespace
        .apply(&sealed.annotation("tool.example.com/revision", "2"))
        .await;
    stage
        .controller
        .expect_metric(
            "signet_reconcile_duration_seconds_count",
            &[("result", "unchanged")],
            |n| n >= 1.0,
        )
        .await;
    assert_eq!(operations().await, before);
    assert_eq!(
        namespace
            .secret("test")
            .await
            .unwrap()
            .metadata
            .resource_version,
        secret.metadata.resource_version
    );
}
