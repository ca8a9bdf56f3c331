#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn decode(value: Value) -> SealedSecret {
    serde_json::from_value(value).expect("decoding is total")
}

fn with_spec(spec: &Value) -> SealedSecret {
    decode(json!({
        "apiVersion": "bitnami.com/v1alpha1",
        "kind": "SealedSecret",
        "metadata": { "name": "demo", "namespace": "team-a" },
        "spec": spec,
    }))
}

fn paths(sealed: &SealedSecret) -> Vec<String> {
    sealed
        .spec
        .unreadable
        .iter()
        .map(|u| u.path.join("."))
        .collect()
}

#[test]
fn a_complete_object_survives_a_round_trip() {
    let object = json!({
        "apiVersion": "bitnami.com/v1alpha1",
        "kind": "SealedSecret",
        "metadata": { "name": "demo", "namespace": "team-a" },
        "spec": {
            "template": {
                "metadata": {
                    "name": "demo",
                    "labels": { "app": "demo" },
                    "annotations": { "note": "x" },
                    "finalizers": ["example.com/f"],
                    "creationTimestamp": null,
                },
                "type": "Opaque",
                "immutable": true,
                "data": { "user": "bob", "gone": null },
                "stringData": { "kept": "as it is" },
            },
            "encryptedData": { "password": "AgA=" },
        },
        "status": {
            "observedGeneration": 3,
            "conditions": [{
                "type": "Synced",
                "status": "True",
                "lastUpdateTime": "2026-01-01T00:00:00Z",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }],
            "applied": {
                "digest": "sha256:00",
                "secretUid": "u",
                "secretResourceVersion": "7",
                "mode": "Patched",
                "keys": [{ "fingerprint": "SHA256:x" }],
                "metadata": { "labels": ["app"] },
            },
        },
    });
    let sealed = decode(object.clone());
    assert!(sealed.spec.unreadable.is_empty());
    assert_eq!(serde_json::to_value(&sealed).unwrap(), object);
}

#[test]
fn a_value_of_the_wrong_kind_is_named_by_its_path_and_never_shown() {
    let sealed = with_spec(&json!({
        "encryptedData": { "good": "AgA=", "number": 31337, "nothing": null },
        "data": 31337,
        "template": {
            "metadata": { "labels": { "n": 31337 }, "annotations": ["31337"], "finalizers": "31337" },
            "type": 31337,
            "immutable": "31337",
            "data": { "port": 31337 },
        },
    }));
    assert_eq!(
        paths(&sealed),
        [
            "spec.data",
            "spec.encryptedData.nothing",
            "spec.encryptedData.number",
            "spec.template.data.port",
            "spec.template.immutable",
            "spec.template.metadata.annotations",
            "spec.template.metadata.finalizers",
            "spec.template.metadata.labels.n",
            "spec.template.type",
        ]
    );
    assert_eq!(sealed.spec.unreadable[2].item(), Some("number"));
    assert!(!format!("{:?}", sealed.spec.unreadable).contains("31337"));
    assert_eq!(sealed.spec.encrypted_data.len(), 1);
}

#[test]
fn no_object_of_a_list_stops_the_others() {
    let hostile = [
        json!(null),
        json!([]),
        json!("text"),
        json!({ "encryptedData": [] }),
        json!({ "template": "text", "encryptedData": {} }),
        json!({ "template": { "metadata": 1, "data": 1 }, "encryptedData": 1 }),
    ];
    for spec in hostile {
        let metadata = json!({ "name": "bad" });
        let sealed: SealedSecret = decode(json!({
            "apiVersion": "bitnami.com/v1alpha1",
            "kind": "SealedSecret",
            "metadata": metadata,
            "spec": spec,
            "status": [{ "conditions": 7 }],
        }));
        assert_eq!(sealed.metadata.name.as_deref(), Some("bad"));
        assert_eq!(sealed.status, Some(SealedSecretStatus::default()));
    }
}

#[test]
fn a_status_of_another_controller_is_read_as_far_as_it_goes() {
    let status: SealedSecretStatus = serde_json::from_value(json!({
        "observedGeneration": 2,
        "conditions": [
            { "type": "Synced", "status": "False", "lastUpdateTime": null, "message": "no key" },
            { "type": "Broken" },
        ],
        "applied": { "digest": 5 },
    }))
    .unwrap();
    assert_eq!(status.observed_generation, Some(2));
    assert_eq!(status.conditions.len(), 1);
    assert_eq!(status.condition("Synced").unwrap().message, "no key");
    assert_eq!(status.applied, None);
}

#[test]
fn d19_a_null_in_template_data_is_kept() {
    let sealed = with_spec(&json!({ "encryptedData": {}, "template": { "data": { "a": null } } }));
    assert_eq!(sealed.spec.template.data.get("a"), Some(&None));
    let schema = serde_json::to_value(crd()).unwrap();
    let template = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/template";
    let nullable = format!("{template}/properties/data/additionalProperties/nullable");
    assert_eq!(schema.pointer(&nullable), Some(&json!(true)));
}

#[test]
fn issue_1445_an_unknown_template_field_is_kept_to_be_named() {
    let sealed = with_spec(&json!({ "encryptedData": {}, "template": { "stringData": {} } }));
    assert!(sealed.spec.template.unknown.contains_key("stringData"));
    let schema = serde_json::to_value(crd()).unwrap();
    let template = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/template";
    let preserve = format!("{template}/x-kubernetes-preserve-unknown-fields");
    assert_eq!(schema.pointer(&preserve), Some(&json!(true)));
}

#[test]
fn a_key_without_item_names_stands_for_all_items() {
    let mut applied = Applied {
        keys: vec![KeyUse {
            fingerprint: "SHA256:a".into(),
            items: vec![],
        }],
        ..Applied::default()
    };
    assert_eq!(applied.key_of("any"), Some("SHA256:a"));
    applied.keys[0].items = vec!["one".into()];
    assert_eq!(applied.key_of("one"), Some("SHA256:a"));
    assert_eq!(applied.key_of("any"), None);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let field = prop_oneof![
        "encryptedData|data|template|metadata|labels|type|immutable|finalizers",
        "conditions|status|applied|keys|observedGeneration|[a-z]{0,4}",
    ];
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(field.clone(), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn decoding_never_fails_and_what_was_read_is_read_again(
        spec in any_json(),
        status in any_json(),
    ) {
        let sealed = decode(json!({
            "apiVersion": "bitnami.com/v1alpha1",
            "kind": "SealedSecret",
            "metadata": { "name": "any" },
            "spec": spec,
            "status": status,
        }));
        let again = decode(serde_json::to_value(&sealed).unwrap());
        prop_assert!(again.spec.unreadable.is_empty());
        prop_assert_eq!(again.spec.encrypted_data, sealed.spec.encrypted_data);
        prop_assert_eq!(again.spec.template, sealed.spec.template);
        prop_assert_eq!(again.status, sealed.status);
    }
}
