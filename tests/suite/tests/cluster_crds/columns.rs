//! What `kubectl get` shows and selects by.

use serde_json::{Value, json};

use crate::stage::{create, plane};

async fn create_with_status(resource: &str, object: &Value, status: &Value) {
    create(object).await.unwrap();
    let name = object["metadata"]["name"].as_str().unwrap();
    let patch = json!({ "status": status }).to_string();
    let args = [
        "patch",
        resource,
        name,
        "--subresource=status",
        "--type=merge",
        "-p",
        &patch,
    ];
    plane().await.kubectl(args).await.unwrap();
}

async fn rows(resource: &str, name: &str) -> (String, String) {
    let text = plane()
        .await
        .kubectl(["get", resource, name])
        .await
        .unwrap();
    let words = |line: Option<&str>| {
        let words: Vec<_> = line.unwrap().split_whitespace().collect();
        words.join(" ")
    };
    let mut lines = text.lines();
    (words(lines.next()), words(lines.next()))
}

fn ready(reason: &str) -> Value {
    json!([
        { "type": "Stalled", "status": "False", "reason": "Other" },
        { "type": "Ready", "status": "True", "reason": reason },
    ])
}

#[tokio::test]
async fn an_external_secret_shows_its_store_and_state() {
    let object = json!({
        "apiVersion": "external-secrets.io/v1",
        "kind": "ExternalSecret",
        "metadata": { "name": "shown" },
        "spec": {
            "secretStoreRef": { "name": "vault", "kind": "ClusterSecretStore" },
            "dataFrom": [{ "extract": { "key": "k" } }],
        },
    });
    let status = json!({ "conditions": ready("SecretSynced"), "refreshTime": null });
    create_with_status("es", &object, &status).await;
    let (head, row) = rows("es", "shown").await;
    assert_eq!(
        head,
        "NAME STORETYPE STORE REFRESH INTERVAL STATUS READY LAST SYNC"
    );
    assert!(
        row.starts_with("shown ClusterSecretStore vault 1h0m0s SecretSynced True"),
        "{row}"
    );

    let selected = async |selector: &str| {
        let args = [
            "get",
            "externalsecrets.v1.external-secrets.io",
            "-o",
            "name",
        ];
        let selector = format!("--field-selector={selector}");
        let args = args.into_iter().chain([selector.as_str()]);
        plane().await.kubectl(args).await.unwrap()
    };
    let found =
        selected("spec.secretStoreRef.name=vault,spec.secretStoreRef.kind=ClusterSecretStore");
    assert!(found.await.contains("/shown"));
    assert!(
        !selected("spec.secretStoreRef.name=other")
            .await
            .contains("/shown")
    );
    assert!(!selected("spec.target.name=db").await.contains("/shown"));
}

#[tokio::test]
async fn stores_show_what_can_be_done_with_them() {
    for (short, kind) in [("ss", "SecretStore"), ("css", "ClusterSecretStore")] {
        let object = json!({
            "apiVersion": "external-secrets.io/v1",
            "kind": kind,
            "metadata": { "name": "shown" },
            "spec": { "provider": { "fake": { "data": [] } } },
        });
        let status = json!({ "conditions": ready("Valid"), "capabilities": "ReadWrite" });
        create_with_status(short, &object, &status).await;
        let (head, row) = rows(short, "shown").await;
        assert_eq!(head, "NAME AGE STATUS CAPABILITIES READY");
        assert!(row.ends_with("Valid ReadWrite True"), "{row}");
    }
}

#[tokio::test]
async fn pushed_secrets_show_when_they_were_pushed() {
    let object = json!({
        "apiVersion": "external-secrets.io/v1alpha1",
        "kind": "PushSecret",
        "metadata": { "name": "shown" },
        "spec": {
            "secretStoreRefs": [{ "name": "s" }],
            "selector": { "generatorRef": { "kind": "UUID", "name": "u" } },
        },
    });
    let status = json!({ "conditions": ready("Synced"), "refreshTime": "2026-01-01T00:00:00Z" });
    create_with_status("ps", &object, &status).await;
    let (head, row) = rows("ps", "shown").await;
    assert_eq!(head, "NAME AGE STATUS LAST SYNC");
    assert!(row.contains(" Synced "), "{row}");
}

#[tokio::test]
async fn all_of_them_are_in_the_category_of_the_peer() {
    let list = |category: &'static str| async move {
        let category = format!("--categories={category}");
        let args = ["api-resources", "--no-headers", "-o", "name", &category];
        let text = plane().await.kubectl(args).await.unwrap();
        text.lines().count()
    };
    assert_eq!(list("external-secrets").await, 25);
    assert_eq!(list("external-secrets-generators").await, 19);
}
