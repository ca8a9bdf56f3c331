//! Metrics: the peer's names for the dashboards that exist, and what was missing.

use signet_kit::key_secret::KeyPair;

use crate::stage::{Solo, stage};

#[tokio::test]
async fn issue_543_every_series_that_can_be_known_is_there_at_the_first_scrape() {
    let solo = Solo::start("issue-543", &[]).await;
    let metrics = solo.controller.metrics().await.unwrap();
    for reason in ["fetch", "status", "unmanaged", "unseal", "update"] {
        let labels = [("reason", reason)];
        assert_eq!(
            metrics.get("sealed_secrets_controller_unseal_errors_total", &labels),
            Some(0.0),
            "{reason}"
        );
    }
    for name in [
        "sealed_secrets_controller_unseal_requests_total",
        "signet_queue_depth",
        "signet_private_operations_total",
    ] {
        assert_eq!(metrics.get(name, &[]), Some(0.0), "{name}");
    }
    assert!(
        metrics
            .get("sealed_secrets_controller_build_info", &[])
            .is_some()
    );
    assert!(
        metrics
            .series("sealed_secrets_controller_build_info")
            .all(|sample| sample.labels.contains_key("revision"))
    );
}

#[tokio::test]
async fn issue_545_queue_keys_and_latencies_are_told() {
    let solo = Solo::start("issue-545", &[]).await;
    let (namespace, sealer) = (&solo.namespace, solo.sealer().await);
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "True").await;
    let metrics = solo.controller.metrics().await.unwrap();
    let fingerprint = sealer.certificate().public_key().fingerprint().to_string();
    let of_key = [("fingerprint", fingerprint.as_str())];
    assert_eq!(metrics.get("signet_keys", &[]), Some(1.0));
    let times = [
        (
            "signet_key_not_before_timestamp_seconds",
            sealer.certificate().not_before(),
        ),
        (
            "signet_key_not_after_timestamp_seconds",
            sealer.certificate().not_after(),
        ),
    ];
    for (name, time) in times {
        assert_eq!(
            metrics.get(name, &of_key),
            Some(time.as_second() as f64),
            "{name}"
        );
    }
    assert!(metrics.get("signet_queue_wait_seconds_count", &[]) >= Some(1.0));
    assert!(
        metrics.get(
            "signet_reconcile_duration_seconds_count",
            &[("result", "synced")]
        ) >= Some(1.0)
    );
    solo.controller
        .expect_metric("signet_objects", &[("synced", "True")], |objects| {
            objects == 1.0
        })
        .await;
}

#[tokio::test]
async fn the_peers_names_and_labels_are_kept() {
    let stage = stage().await;
    let namespace = stage.namespace("metrics").await;
    let stranger = KeyPair::generate(jiff::SignedDuration::ZERO)
        .unwrap()
        .sealer()
        .unwrap();
    let good = namespace
        .sealed("good")
        .label("app.kubernetes.io/instance", "shop");
    namespace
        .apply(&good.seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace
        .apply(&namespace.sealed("bad").seal(&stranger, "foo", "bar"))
        .await;
    namespace.expect_synced("good", "True").await;
    namespace.expect_synced("bad", "False").await;
    for (name, value) in [("good", 1.0), ("bad", -1.0)] {
        let labels = [
            ("namespace", namespace.name()),
            ("name", name),
            ("condition", "Synced"),
        ];
        let metric = "sealed_secrets_controller_condition_info";
        stage
            .controller
            .expect_metric(metric, &labels, |seen| seen == value)
            .await;
    }
    let metrics = stage.controller.metrics().await.unwrap();
    let instance = [("name", "good"), ("ss_app_kubernetes_io_instance", "shop")];
    assert_eq!(
        metrics.get("sealed_secrets_controller_condition_info", &instance),
        Some(1.0)
    );
    let failed = [("reason", "unseal"), ("namespace", namespace.name())];
    assert!(metrics.get("sealed_secrets_controller_unseal_errors_total", &failed) >= Some(1.0));
    assert!(metrics.get("sealed_secrets_controller_unseal_requests_total", &[]) >= Some(2.0));
    stage.controller.get("/v1/cert.pem").await.unwrap();
    let metrics = stage.controller.metrics().await.unwrap();
    let served = [("path", "/v1/cert.pem"), ("code", "200"), ("method", "get")];
    assert!(metrics.get("sealed_secrets_controller_http_requests_total", &served) >= Some(1.0));
    let timed = [("path", "/v1/cert.pem"), ("method", "get")];
    assert!(
        metrics.get(
            "sealed_secrets_controller_http_request_duration_seconds_count",
            &timed
        ) >= Some(1.0)
    );
}

#[tokio::test]
async fn a_deleted_object_leaves_no_series() {
    let stage = stage().await;
    let namespace = stage.namespace("gone").await;
    namespace
        .apply(&namespace.sealed("test").seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "True").await;
    let labels = [("namespace", namespace.name())];
    let metric = "sealed_secrets_controller_condition_info";
    stage
        .controller
        .expect_metric(metric, &labels, |seen| seen == 1.0)
        .await;
    namespace.delete_sealed("test").await.unwrap();
    let read = async || {
        stage
            .controller
            .metrics()
            .await
            .unwrap()
            .get(metric, &labels)
    };
    signet_kit::wait_until("the series is gone", read, Option::is_none).await;
}

#[tokio::test]
async fn names_of_objects_are_left_out_where_that_is_asked_for() {
    let solo = Solo::start("omit", &["--metrics-omit-secret-labels"]).await;
    let (namespace, sealer) = (&solo.namespace, solo.sealer().await);
    namespace
        .apply(&namespace.sealed("unmistakable").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("unmistakable", "True").await;
    solo.controller
        .expect_metric("signet_objects", &[("synced", "True")], |objects| {
            objects == 1.0
        })
        .await;
    assert!(
        !solo
            .controller
            .metrics_text()
            .await
            .unwrap()
            .contains("unmistakable")
    );
}
