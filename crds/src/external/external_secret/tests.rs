#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};

use super::*;
use crate::external::refs::{SourceRef, StoreKind};

fn complete() -> Value {
    json!({
        "apiVersion": "external-secrets.io/v1",
        "kind": "ExternalSecret",
        "metadata": { "name": "demo", "namespace": "team-a" },
        "spec": {
            "secretStoreRef": { "name": "vault", "kind": "ClusterSecretStore" },
            "target": {
                "name": "db",
                "creationPolicy": "CreateOrMerge",
                "deletionPolicy": "Merge",
                "immutable": true,
                "manifest": { "apiVersion": "v1", "kind": "ConfigMap" },
                "template": {
                    "type": "Opaque",
                    "metadata": {
                        "labels": { "app": "demo" },
                        "annotations": { "note": "x" },
                        "finalizers": ["example.com/f"],
                    },
                    "mergePolicy": "Merge",
                    "data": { "url": "{{ .host }}" },
                    "templateFrom": [
                        {
                            "configMap": {
                                "name": "shapes",
                                "items": [{ "key": "a", "templateAs": "KeysAndValues" }, { "key": "b" }],
                            },
                            "target": "Labels",
                        },
                        { "secret": { "name": "shapes", "items": [] }, "valuesDecodingStrategy": "Auto" },
                        { "literal": "x: y", "target": "spec.rules[0].host" },
                    ],
                },
            },
            "refreshPolicy": "OnChange",
            "refreshInterval": "1h30m0s",
            "syncWindows": {
                "kind": "deny",
                "windows": [{ "schedule": "0 22 * * 1-5", "duration": "8h0m0s" }],
            },
            "data": [
                {
                    "secretKey": "password",
                    "remoteRef": {
                        "key": "db",
                        "property": "a.b",
                        "version": "3",
                        "metadataPolicy": "Fetch",
                        "conversionStrategy": "Unicode",
                        "decodingStrategy": "Base64URL",
                        "nullBytePolicy": "Fail",
                    },
                    "sourceRef": { "storeRef": { "name": "other" } },
                },
            ],
            "dataFrom": [
                { "extract": { "key": "app" } },
                {
                    "find": { "path": "/x", "name": { "regexp": "^a" }, "tags": { "t": "1" } },
                    "rewrite": [
                        { "regexp": { "source": "a", "target": "b" } },
                        { "transform": { "template": "{{ .value }}" } },
                        {
                            "merge": {
                                "into": "all",
                                "priority": ["a"],
                                "priorityPolicy": "IgnoreNotFound",
                                "conflictPolicy": "Ignore",
                                "strategy": "JSON",
                            },
                        },
                    ],
                },
                { "sourceRef": { "generatorRef": { "kind": "Password", "name": "p" } } },
            ],
        },
        "status": {
            "refreshTime": "2026-01-01T00:00:00Z",
            "syncedResourceVersion": "1-00",
            "observedGeneration": 1,
            "conditions": [{
                "type": "Ready",
                "status": "True",
                "reason": "SecretSynced",
                "message": "secret synced",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }],
            "binding": { "name": "db" },
        },
    })
}

fn spec(spec: Value) -> ExternalSecretSpec {
    serde_json::from_value(spec).unwrap()
}

#[test]
fn a_complete_object_survives_a_round_trip() {
    let object: ExternalSecret = serde_json::from_value(complete()).unwrap();
    assert_eq!(serde_json::to_value(&object).unwrap(), complete());
}

#[test]
fn an_object_of_v1beta1_is_read_into_the_same_type() {
    let mut older = complete();
    older["apiVersion"] = json!("external-secrets.io/v1beta1");
    let older: ExternalSecret = serde_json::from_value(older).unwrap();
    let newer: ExternalSecret = serde_json::from_value(complete()).unwrap();
    assert_eq!(older, newer);
}

#[test]
fn what_is_not_said_is_what_the_api_server_would_fill_in() {
    let minimal = spec(json!({ "data": [{ "secretKey": "a", "remoteRef": { "key": "b" } }] }));
    assert_eq!(minimal.refresh_interval().to_string(), "1h0m0s");
    assert_eq!(minimal.refresh_policy(), RefreshPolicy::Periodic);
    assert_eq!(minimal.target.creation_policy, CreationPolicy::Owner);
    assert_eq!(minimal.target.deletion_policy, DeletionPolicy::Retain);
    assert_eq!(minimal.target.name("demo"), "demo");
    let Value::Object(written) = serde_json::to_value(&minimal).unwrap() else {
        panic!("a spec is a mapping");
    };
    assert_eq!(
        written.keys().collect::<Vec<_>>(),
        ["data"],
        "defaults are not written"
    );
}

#[test]
fn an_empty_text_says_nothing() {
    let key = json!({ "key": "b", "property": "", "version": "" });
    let read: RemoteRef = serde_json::from_value(key).unwrap();
    assert_eq!((read.property, read.version), (None, None));
}

#[test]
fn a_source_is_one_store_or_one_generator() {
    let read = |source: Value| serde_json::from_value::<SourceRef>(source);
    let store = read(json!({ "storeRef": { "name": "a" } })).unwrap();
    let SourceRef::Store(store) = store else {
        panic!("a store was named");
    };
    assert_eq!(store.kind, StoreKind::SecretStore);
    let generator = read(json!({ "generatorRef": { "kind": "UUID", "name": "u" } })).unwrap();
    let SourceRef::Generator(generator) = generator else {
        panic!("a generator was named");
    };
    assert_eq!(
        generator.api_version(),
        "generators.external-secrets.io/v1alpha1"
    );
    assert!(read(json!({})).is_err());
    let both =
        json!({ "storeRef": { "name": "a" }, "generatorRef": { "kind": "UUID", "name": "u" } });
    assert!(read(both).is_err());
}

#[test]
fn the_target_of_a_template_is_read_without_regard_to_case() {
    let target = |word: &str| TemplateFrom {
        target: word.to_owned(),
        ..TemplateFrom::default()
    };
    assert_eq!(target("").target(), TemplateTarget::Data);
    assert_eq!(target("DATA").target(), TemplateTarget::Data);
    assert_eq!(target("annotations").target(), TemplateTarget::Annotations);
    assert_eq!(target("Labels").target(), TemplateTarget::Labels);
    assert_eq!(target("spec.x").target(), TemplateTarget::Path("spec.x"));
}

#[test]
fn v1beta1_lacks_what_came_later_and_nothing_else() {
    let crd = serde_json::to_value(crd()).unwrap();
    let fields = |version: usize| {
        let mut found = Vec::new();
        let spec = format!("/spec/versions/{version}/schema/openAPIV3Schema/properties/spec");
        paths(crd.pointer(&spec).unwrap(), "", &mut found);
        found
    };
    let (newer, older) = (fields(0), fields(1));
    assert!(older.iter().all(|path| newer.contains(path)));
    let gone: Vec<_> = newer.iter().filter(|path| !older.contains(path)).collect();
    assert!(gone.len() > 8, "{gone:?}");
    for path in gone {
        let later = [
            "nullBytePolicy",
            "valuesDecodingStrategy",
            "finalizers",
            ".manifest",
            ".rewrite.merge",
            ".syncWindows",
        ];
        assert!(later.iter().any(|name| path.contains(name)), "{path}");
    }
}

fn paths(schema: &Value, path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    if let Some(items) = schema.get("items") {
        paths(items, path, found);
    }
    for (name, below) in schema["properties"].as_object().into_iter().flatten() {
        paths(below, &format!("{path}.{name}"), found);
    }
}
