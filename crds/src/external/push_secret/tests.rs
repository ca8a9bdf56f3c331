#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::*;

#[test]
fn a_complete_object_survives_a_round_trip() {
    let data = json!({
        "match": { "secretKey": "a", "remoteRef": { "remoteKey": "r", "property": "p" } },
        "metadata": { "kind": "PushSecretMetadata", "spec": { "tags": { "a": null } } },
        "conversionStrategy": "ReverseUnicode",
    });
    let object = json!({
        "apiVersion": "external-secrets.io/v1alpha1",
        "kind": "PushSecret",
        "metadata": { "name": "demo" },
        "spec": {
            "refreshInterval": "10m0s",
            "secretStoreRefs": [
                { "name": "vault" },
                { "labelSelector": { "matchLabels": { "a": "b" } }, "kind": "ClusterSecretStore" },
            ],
            "updatePolicy": "IfNotExists",
            "deletionPolicy": "Delete",
            "selector": { "secret": { "name": "s" } },
            "data": [data],
            "dataTo": [{
                "storeRef": { "name": "vault" },
                "match": { "regexp": "^a" },
                "rewrite": [
                    { "regexp": { "source": "a", "target": "b" } },
                    { "transform": { "template": "{{ .value }}" } },
                ],
                "metadata": {},
                "conversionStrategy": "ReverseUnicode",
            }],
            "template": { "data": { "a": "{{ .b }}" } },
        },
        "status": {
            "refreshTime": "2026-01-01T00:00:00Z",
            "syncedResourceVersion": "1-00",
            "syncedPushSecrets": { "SecretStore/vault": { "r/p": data } },
            "conditions": [{ "type": "Ready", "status": "True", "reason": "Synced" }],
        },
    });
    let read: PushSecret = serde_json::from_value(object.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), object);
}

#[test]
fn values_come_from_one_secret_or_one_generator() {
    let generator = json!({ "generatorRef": { "kind": "Password", "name": "p" } });
    let read: PushSelector = serde_json::from_value(generator).unwrap();
    assert!(matches!(read, PushSelector::GeneratorRef(_)));
    assert!(serde_json::from_value::<PushSelector>(json!({})).is_err());
}

#[test]
fn settings_for_the_store_are_not_printed() {
    let data = json!({
        "match": { "remoteRef": { "remoteKey": "r" } },
        "metadata": { "spec": { "resourcePolicy": "canary" } },
    });
    let read: PushData = serde_json::from_value(data).unwrap();
    assert!(!format!("{read:?}").contains("canary"));
}
