//! Secrets that mean something to the cluster.

use std::time::Duration;

use serde_json::json;
use signet_kit::namespace::text;
use signet_kit::tools::repository;

use crate::stage::{Solo, stage};

const LABEL: &str = "/metadata/labels/sealedsecrets.bitnami.com~1sealed-secrets-key";

#[tokio::test]
async fn no_sealed_secret_plants_a_sealing_key() {
    let solo = Solo::start("plant", &[]).await;
    let (namespace, sealer) = (&solo.namespace, solo.sealer().await);
    let planted = namespace.sealed("planted").seal(&sealer, "tls.key", "x");
    namespace.apply(&planted.template(LABEL, "active")).await;
    // As the first versions named theirs, without a label.
    let unlabelled = namespace
        .sealed("sealed-secrets-key")
        .seal(&sealer, "tls.key", "x");
    namespace.apply(&unlabelled).await;
    for name in ["planted", "sealed-secrets-key"] {
        let status = namespace.expect_synced(name, "False").await;
        let condition = &status["conditions"][0];
        assert_eq!(condition["reason"], "Invalid", "{status}");
        let message = condition["message"].as_str().unwrap();
        assert!(
            message.contains("would be taken for a sealing key"),
            "{message}"
        );
        assert!(namespace.secret(name).await.is_none());
    }
    assert_eq!(solo.keys().await.len(), 1);
}

#[tokio::test]
async fn the_token_that_kubernetes_adds_to_a_secret_is_not_fought_over() {
    let stage = stage().await;
    let namespace = stage.namespace("token").await;
    let account = ["create", "serviceaccount", "robot", "-n", namespace.name()];
    stage.plane.kubectl(account).await.unwrap();
    let sealed = namespace
        .sealed("robot")
        .seal(&stage.sealer, "extra", "bar")
        .template("/type", "kubernetes.io/service-account-token")
        .template(
            "/metadata/annotations/kubernetes.io~1service-account.name",
            "robot",
        );
    namespace.apply(&sealed).await;
    let has_token = |secret: &k8s_openapi::api::core::v1::Secret| {
        let items = text(secret);
        items.get("token").is_some_and(|token| !token.is_empty()) && items["extra"] == "bar"
    };
    namespace.expect_secret("robot", "a token", has_token).await;
    namespace.expect_synced("robot", "True").await;
    let settled = namespace
        .expect_secret("robot", "a token that stays", has_token)
        .await;
    let changed = async || {
        let now = namespace.secret("robot").await?;
        (now.metadata.resource_version != settled.metadata.resource_version).then_some(())
    };
    namespace
        .expect_never(
            "the Secret is written again",
            Duration::from_secs(2),
            changed,
        )
        .await;

    // What is ours is still put right.
    let patch = json!({"stringData": {"extra": "tampered"}});
    namespace.patch_secret("robot", patch).await.unwrap();
    namespace.expect_secret("robot", "both", has_token).await;
}

#[test]
fn what_is_shipped_gives_nobody_but_the_controller_the_right_to_write_a_status() {
    let mut granted = 0;
    for file in ["base/rbac.yaml", "namespaced/rbac.yaml"] {
        let path = repository().join("deploy").join(file);
        let rules = std::fs::read_to_string(path).unwrap();
        for document in rules.split("\n---\n") {
            if document.contains("sealedsecrets/status") {
                assert!(document.contains("name: secrets-unsealer"), "{document}");
                granted += 1;
            }
            assert!(!document.contains("\"*\"") && !document.contains("['*']"));
        }
    }
    assert_eq!(granted, 2);
}
