//! Nothing of an object gets lost in the API server, in either version.

use serde_json::{Value, json};
use signet_crds::external::external_secret::ExternalSecret;
use signet_crds::external::store::{Provider, SecretStore};

use crate::objects::{all, external_secret_spec};
use crate::stage::{contains, create, get, would_create};

#[tokio::test]
async fn what_an_object_says_is_kept_and_shown_in_both_versions() {
    for (resource, object) in all() {
        let (kind, spec) = (&object["kind"], &object["spec"]);
        let made = create(&object).await.unwrap();
        assert!(contains(&made["spec"], spec), "{kind}: {made}");
        let name = object["metadata"]["name"].as_str().unwrap();
        let version = object["apiVersion"].as_str().unwrap();
        let (group, version) = version.split_once('/').unwrap();
        let shown = match version {
            "v1alpha1" => vec!["v1alpha1"],
            _ => vec!["v1", "v1beta1"],
        };
        for version in shown {
            let seen = get(&format!("{resource}.{version}.{group}"), name).await;
            assert!(contains(&seen["spec"], spec), "{kind} as {version}: {seen}");
        }
    }
}

#[tokio::test]
async fn fields_that_are_not_said_are_filled_in_outside_of_lists_only() {
    let object = json!({
        "apiVersion": "external-secrets.io/v1",
        "kind": "ExternalSecret",
        "metadata": { "name": "minimal" },
        "spec": {
            "data": [{ "secretKey": "a", "remoteRef": { "key": "b" } }],
            "dataFrom": [{ "find": {} }],
        },
    });
    let made = would_create(&object).await.unwrap();
    let expected = json!({
        "refreshInterval": "1h0m0s",
        "target": { "creationPolicy": "Owner", "deletionPolicy": "Retain" },
        "data": [{ "secretKey": "a", "remoteRef": { "key": "b" } }],
        "dataFrom": [{ "find": {} }],
    });
    assert_eq!(made["spec"], expected);
    let read: ExternalSecret = serde_json::from_value(made).unwrap();
    assert_eq!(read.spec.refresh_interval().to_string(), "1h0m0s");
}

#[tokio::test]
async fn a_generator_that_has_nothing_to_choose_needs_no_spec() {
    for (kind, expected) in [("UUID", json!({})), ("Password", json!({ "length": 24 }))] {
        let object = json!({
            "apiVersion": "generators.external-secrets.io/v1alpha1",
            "kind": kind,
            "metadata": { "name": "bare" },
        });
        let made = would_create(&object).await.unwrap();
        assert!(contains(&made["spec"], &expected), "{made}");
    }
}

#[tokio::test]
async fn a_store_that_is_not_served_is_read_with_all_its_fields() {
    let settings = json!({ "doppler": { "auth": { "secretRef": { "a": [1, { "b": "c" }] } } } });
    let object = json!({
        "apiVersion": "external-secrets.io/v1beta1",
        "kind": "SecretStore",
        "metadata": { "name": "doppler" },
        "spec": { "provider": settings },
    });
    let read: SecretStore = serde_json::from_value(create(&object).await.unwrap()).unwrap();
    assert!(matches!(&read.spec.provider, Provider::Unsupported { name, .. } if name == "doppler"));
    assert_eq!(serde_json::to_value(&read.spec.provider).unwrap(), settings);
}

#[tokio::test]
async fn what_came_with_v1_is_not_known_to_v1beta1() {
    let with = |path: &str, value: Value| {
        let mut spec = external_secret_spec();
        *spec.pointer_mut(path).unwrap() = value;
        spec
    };
    let windows = json!([{ "schedule": "@daily", "duration": "1h" }]);
    let mut sync_windows = external_secret_spec();
    sync_windows["syncWindows"] = json!({ "kind": "allow", "windows": windows });
    let cases = [
        sync_windows,
        with("/target", json!({ "creationPolicy": "CreateOrMerge" })),
        with(
            "/target",
            json!({ "manifest": { "apiVersion": "v1", "kind": "ConfigMap" } }),
        ),
        with(
            "/dataFrom/0/extract",
            json!({ "key": "k", "nullBytePolicy": "Fail" }),
        ),
        with(
            "/dataFrom/1/rewrite/0",
            json!({ "merge": { "strategy": "Extract" } }),
        ),
        with(
            "/target/template/metadata",
            json!({ "finalizers": ["example.com/f"] }),
        ),
    ];
    for spec in cases {
        let object = |version: &str| {
            json!({
                "apiVersion": format!("external-secrets.io/{version}"),
                "kind": "ExternalSecret",
                "metadata": { "name": "later" },
                "spec": spec,
            })
        };
        would_create(&object("v1")).await.unwrap();
        let refused = would_create(&object("v1beta1")).await;
        assert!(refused.is_err(), "{spec}");
    }
}
