#![allow(clippy::unwrap_used, clippy::expect_used)]
use signet_crds::sealed_secret::{Applied, Condition, KeyUse, SealedSecret, SealedSecretStatus};

use super::{state::State, *};
use crate::{ring::Ring, store::SealedSecrets};

fn fresh() -> Metrics {
    Metrics::new("v0.1.0", Vec::new())
}

#[test]
fn issue_543_and_545_every_series_is_there_before_anything_has_happened() {
    let text = fresh().encode().unwrap();
    for line in [
        r#"sealed_secrets_controller_build_info{revision="v0.1.0"} 0"#,
        "sealed_secrets_controller_unseal_requests_total 0",
        r#"sealed_secrets_controller_unseal_errors_total{reason="fetch",namespace=""} 0"#,
        r#"sealed_secrets_controller_unseal_errors_total{reason="status",namespace=""} 0"#,
        r#"sealed_secrets_controller_unseal_errors_total{reason="unmanaged",namespace=""} 0"#,
        r#"sealed_secrets_controller_unseal_errors_total{reason="unseal",namespace=""} 0"#,
        r#"sealed_secrets_controller_unseal_errors_total{reason="update",namespace=""} 0"#,
        "signet_queue_depth 0",
        "signet_private_operations_total 0",
        r#"signet_writes_total{object="secret",verb="create"} 0"#,
        r#"signet_reconcile_duration_seconds_count{result="unchanged"} 0"#,
        "signet_leader 0",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line} is not in\n{text}"
        );
    }
}

#[test]
fn the_peers_http_series_have_its_labels() {
    let metrics = fresh();
    metrics.observe_http(
        "/v1/verify",
        &http::Method::POST,
        409,
        Duration::from_millis(7),
    );
    let text = metrics.encode().unwrap();
    for line in [
        r#"sealed_secrets_controller_http_requests_total{path="/v1/verify",code="409",method="post"} 1"#,
        r#"sealed_secrets_controller_http_request_duration_seconds_bucket{path="/v1/verify",method="post",le="0.01"} 1"#,
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line} is not in\n{text}"
        );
    }
}

fn with_object(omit_names: bool) -> String {
    let sealed = Arc::new(SealedSecrets::default());
    let mut object = SealedSecret::default();
    object.metadata.namespace = Some("team".into());
    object.metadata.name = Some("db".into());
    object.metadata.labels = Some([("app.kubernetes.io/instance".into(), "shop".into())].into());
    let synced = Condition {
        type_: "Synced".into(),
        status: "False".into(),
        ..Default::default()
    };
    let keys = vec![KeyUse {
        fingerprint: "SHA256:old".into(),
        items: Vec::new(),
    }];
    object.status = Some(SealedSecretStatus {
        conditions: vec![synced],
        applied: Some(Applied {
            keys,
            ..Default::default()
        }),
        ..Default::default()
    });
    sealed.put(object);
    let state = State {
        sealed,
        ring: Arc::new(Ring::default()),
        omit_names,
    };
    Metrics::new("v0.1.0", vec![Box::new(state)])
        .encode()
        .unwrap()
}

#[test]
fn the_condition_of_each_object_is_shown_as_the_peer_shows_it() {
    let text = with_object(false);
    let line = r#"sealed_secrets_controller_condition_info{namespace="team",name="db",condition="Synced",ss_app_kubernetes_io_instance="shop"} -1"#;
    assert!(text.lines().any(|found| found == line), "{text}");
    assert!(text.contains(r#"signet_objects{synced="False"} 1"#));
}

#[test]
fn names_are_left_out_on_request() {
    let text = with_object(true);
    assert!(
        !text.contains("team") && !text.contains("condition_info"),
        "{text}"
    );
    assert!(text.contains(r#"signet_objects{synced="False"} 1"#));
}

#[test]
fn issue_638_the_metrics_tell_how_many_objects_need_a_key() {
    assert!(with_object(false).contains(r#"signet_key_objects{fingerprint="SHA256:old"} 1"#));
}
