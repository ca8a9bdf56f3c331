//! The main way: a value of a store becomes an item of a Secret, stays so, and its trouble is told.

use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::json;

use crate::stage::stage;

#[tokio::test]
async fn values_of_a_store_become_a_secret_as_the_peer_marks_it() {
    let (stage, _) = stage().await;
    let namespace = stage.namespace("sync").await;
    stage.vault_store(&namespace).await;
    stage
        .put(
            "sync/db",
            &json!({"user": "admin", "a.b": "dotted", "port": 5432}),
        )
        .await;
    let spec = json!({
        "data": [
            {"secretKey": "user", "remoteRef": {"key": "sync/db", "property": "user"}},
            {"secretKey": "dotted", "remoteRef": {"key": "sync/db", "property": "a.b"}},
        ],
        "dataFrom": [{"extract": {"key": "sync/db"}}],
    });
    stage.external(&namespace, "db", spec).await;
    let items = [
        ("user", "admin"),
        ("dotted", "dotted"),
        ("a.b", "dotted"),
        ("port", "5432"),
    ];
    let secret = namespace.expect_data("db", &items).await;
    assert_eq!(
        secret.labels()["reconcile.external-secrets.io/managed"],
        "true"
    );
    assert!(
        secret
            .annotations()
            .contains_key("reconcile.external-secrets.io/data-hash")
    );
    let managers = secret.managed_fields().iter();
    let mut managers = managers.map(|fields| fields.manager.clone().unwrap_or_default());
    assert!(managers.any(|manager| manager == "externalsecrets.external-secrets.io/db"));
    let ready = stage
        .expect_ready(
            namespace.name(),
            "ExternalSecret",
            "db",
            "True",
            "secret synced",
        )
        .await;
    assert_eq!(ready["status"]["binding"]["name"], "db");
    stage
        .expect_ready(namespace.name(), "SecretStore", "vault", "True", "")
        .await;
}

#[tokio::test]
async fn a_template_shapes_the_secret() {
    let (stage, _) = stage().await;
    let namespace = stage.namespace("shape").await;
    stage.vault_store(&namespace).await;
    stage
        .put("shape/db", &json!({"user": "admin", "pw": "x&y"}))
        .await;
    let spec = json!({
        "target": {"name": "made", "template": {
            "type": "kubernetes.io/basic-auth",
            "metadata": {"labels": {"team": "blue"}},
            "data": {"username": "{{ .user | upper }}", "password": "{{ .pw }}"},
        }},
        "dataFrom": [{"extract": {"key": "shape/db"}}],
    });
    stage.external(&namespace, "db", spec).await;
    let items = [("username", "ADMIN"), ("password", "x&y")];
    let secret = namespace.expect_data("made", &items).await;
    assert_eq!(secret.type_.as_deref(), Some("kubernetes.io/basic-auth"));
    assert_eq!(secret.labels()["team"], "blue");
}

#[tokio::test]
async fn drift_is_repaired_and_a_deleted_secret_comes_back() {
    let (stage, _) = stage().await;
    let namespace = stage.namespace("drift").await;
    stage.vault_store(&namespace).await;
    stage.put("drift/db", &json!({"pw": "1"})).await;
    let spec = json!({"dataFrom": [{"extract": {"key": "drift/db"}}]});
    stage.external(&namespace, "db", spec).await;
    namespace.expect_data("db", &[("pw", "1")]).await;
    namespace
        .patch_secret("db", json!({"stringData": {"pw": "2"}}))
        .await
        .unwrap();
    namespace.expect_data("db", &[("pw", "1")]).await;
    namespace.delete_secret("db").await.unwrap();
    namespace.expect_data("db", &[("pw", "1")]).await;
}

#[tokio::test]
async fn an_edit_and_force_sync_bring_the_new_value_at_once() {
    let (stage, _) = stage().await;
    let namespace = stage.namespace("edit").await;
    stage.vault_store(&namespace).await;
    stage.put("edit/db", &json!({"pw": "1"})).await;
    let spec = json!({"dataFrom": [{"extract": {"key": "edit/db"}}]});
    stage.external(&namespace, "db", spec).await;
    namespace.expect_data("db", &[("pw", "1")]).await;
    stage.put("edit/db", &json!({"pw": "2"})).await;
    let patch = json!({"metadata": {"annotations": {"external-secrets.io/force-sync": "1"}}});
    let api = stage.api(namespace.name(), "ExternalSecret").await;
    api.patch("db", &PatchParams::default(), &Patch::Merge(&patch))
        .await
        .unwrap();
    namespace.expect_data("db", &[("pw", "2")]).await;
}

#[tokio::test]
async fn what_is_missing_is_named_and_the_store_that_comes_later_is_used_at_once() {
    let (stage, _) = stage().await;
    let namespace = stage.namespace("late").await;
    let spec =
        json!({"data": [{"secretKey": "pw", "remoteRef": {"key": "late/db", "property": "pw"}}]});
    stage.external(&namespace, "db", spec).await;
    let name = namespace.name();
    stage
        .expect_ready(
            name,
            "ExternalSecret",
            "db",
            "False",
            "there is no SecretStore `vault`",
        )
        .await;
    stage.vault_store(&namespace).await;
    stage
        .expect_ready(name, "ExternalSecret", "db", "False", "late/db")
        .await;
    stage.put("late/db", &json!({"pw": "1"})).await;
    let patch = json!({"metadata": {"labels": {"again": "1"}}});
    let api = stage.api(name, "ExternalSecret").await;
    api.patch("db", &PatchParams::default(), &Patch::Merge(&patch))
        .await
        .unwrap();
    namespace.expect_data("db", &[("pw", "1")]).await;
}

#[tokio::test]
async fn a_secret_that_nobody_knows_is_not_wiped() {
    let (stage, _) = stage().await;
    let namespace = stage.namespace("foreign").await;
    stage.vault_store(&namespace).await;
    stage.put("foreign/db", &json!({"pw": "1"})).await;
    namespace
        .create_secret("db", json!({}), json!({"theirs": "canary"}))
        .await
        .unwrap();
    let spec = json!({"dataFrom": [{"extract": {"key": "foreign/db"}}]});
    stage.external(&namespace, "db", spec).await;
    let name = namespace.name();
    stage
        .expect_ready(name, "ExternalSecret", "db", "False", "signet.dev/adopt")
        .await;
    namespace.expect_data("db", &[("theirs", "canary")]).await;
}

#[tokio::test]
async fn the_secret_goes_with_its_external_secret() {
    let (stage, _) = stage().await;
    let namespace = stage.namespace("gone").await;
    stage.vault_store(&namespace).await;
    stage.put("gone/db", &json!({"pw": "1"})).await;
    let spec = json!({"dataFrom": [{"extract": {"key": "gone/db"}}]});
    stage.external(&namespace, "db", spec).await;
    namespace.expect_data("db", &[("pw", "1")]).await;
    let api = stage.api(namespace.name(), "ExternalSecret").await;
    api.delete("db", &DeleteParams::default()).await.unwrap();
    namespace.expect_no_secret("db").await;
}

#[tokio::test]
async fn a_restart_over_unchanged_objects_asks_no_store_and_writes_nothing() {
    let stage = crate::stage::Stage::new().await;
    let mut controller = stage.controller(&[]).await;
    let namespace = stage.namespace("restart").await;
    stage.vault_store(&namespace).await;
    for number in 0..20 {
        stage
            .put(&format!("restart/s{}", number % 2), &json!({"pw": "1"}))
            .await;
    }
    for number in 0..20 {
        let key = format!("restart/s{}", number % 2);
        let spec = json!({"dataFrom": [{"extract": {"key": key}}]});
        stage
            .external(&namespace, &format!("e{number}"), spec)
            .await;
    }
    for number in 0..20 {
        let name = format!("e{number}");
        stage
            .expect_ready(namespace.name(), "ExternalSecret", &name, "True", "")
            .await;
    }
    let calls = "externalsecret_provider_api_calls_count";
    let text = controller.metrics_text().await.unwrap();
    let asked = text
        .lines()
        .find(|line| line.starts_with(calls) && line.contains("get"));
    // Two secrets for twenty resources that were applied together.
    let asked: u32 = asked.unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    assert!(asked <= 4, "{asked} reads of two secrets");
    let before = stage.versions(namespace.name()).await;
    controller.restart().await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    assert_eq!(stage.versions(namespace.name()).await, before);
    let text = controller.metrics_text().await.unwrap();
    let asked = text
        .lines()
        .find(|line| line.starts_with(calls) && line.contains("get"));
    assert_eq!(asked, None);
}
