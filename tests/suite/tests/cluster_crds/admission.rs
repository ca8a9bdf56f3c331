//! What the peer's webhook refuses, the API server refuses by itself.

use serde_json::{Value, json};

use crate::stage::would_create;

fn external_secret(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("external-secrets.io/{version}"),
        "kind": "ExternalSecret",
        "metadata": { "name": "judged" },
        "spec": spec,
    })
}

fn with_target(target: &Value) -> Value {
    json!({ "dataFrom": [{ "extract": { "key": "k" } }], "target": target })
}

async fn refused(object: &Value, because: &str) {
    let answer = would_create(object).await.expect_err("it must be refused");
    let answer = format!("{answer:?}");
    assert!(answer.contains(because), "{object}: {answer}");
}

async fn refused_in_both(spec: &Value, because: &str) {
    for version in ["v1", "v1beta1"] {
        refused(&external_secret(version, spec), because).await;
    }
}

async fn taken(spec: &Value) {
    let answer = would_create(&external_secret("v1", spec)).await;
    assert!(answer.is_ok(), "{spec}: {answer:?}");
}

#[tokio::test]
async fn something_must_be_read() {
    for spec in [
        json!({}),
        json!({ "data": [] }),
        json!({ "data": [], "dataFrom": [] }),
    ] {
        refused_in_both(&spec, "data or dataFrom must say what to read").await;
    }
}

#[tokio::test]
async fn only_a_secret_of_its_own_may_be_deleted() {
    for creation in ["Merge", "None"] {
        let target = json!({ "creationPolicy": creation, "deletionPolicy": "Delete" });
        refused_in_both(
            &with_target(&target),
            "deletionPolicy Delete needs creationPolicy Owner",
        )
        .await;
    }
    let target = json!({ "creationPolicy": "CreateOrMerge", "deletionPolicy": "Delete" });
    let object = external_secret("v1", &with_target(&target));
    refused(&object, "deletionPolicy Delete needs creationPolicy Owner").await;
    taken(&with_target(&json!({ "deletionPolicy": "Delete" }))).await;
}

#[tokio::test]
async fn keys_cannot_be_taken_from_a_secret_that_is_not_written() {
    let target = json!({ "creationPolicy": "None", "deletionPolicy": "Merge" });
    refused_in_both(&with_target(&target), "deletionPolicy Merge has nothing").await;
    taken(&with_target(
        &json!({ "creationPolicy": "Merge", "deletionPolicy": "Merge" }),
    ))
    .await;
}

#[tokio::test]
async fn a_source_is_one_thing() {
    let generator = json!({ "generatorRef": { "kind": "UUID", "name": "u" } });
    let extract = json!({ "key": "k" });
    for entry in [
        json!({ "extract": extract, "find": {} }),
        json!({ "extract": extract, "sourceRef": generator }),
        json!({ "find": {}, "sourceRef": generator }),
    ] {
        refused_in_both(&json!({ "dataFrom": [entry] }), "only one of extract, find").await;
    }
    let store = json!({ "storeRef": { "name": "s" } });
    taken(&json!({ "dataFrom": [{ "extract": extract, "sourceRef": store }] })).await;
    taken(&json!({ "dataFrom": [{ "sourceRef": generator }] })).await;
    let both =
        json!({ "storeRef": { "name": "s" }, "generatorRef": { "kind": "UUID", "name": "u" } });
    refused_in_both(&json!({ "dataFrom": [{ "sourceRef": both }] }), "at most 1").await;
}

#[tokio::test]
async fn a_key_stands_once_in_data_unless_missing_values_are_dropped() {
    let entry = |key: &str| json!({ "secretKey": key, "remoteRef": { "key": "k" } });
    let twice = json!([entry("a"), entry("b"), entry("a")]);
    refused_in_both(
        &json!({ "data": twice }),
        "each secretKey may stand in data once",
    )
    .await;
    for policy in ["Delete", "Merge"] {
        taken(&json!({ "data": twice, "target": { "deletionPolicy": policy } })).await;
    }
    // As long as they can be: the rule must not use up its time on what is right.
    for count in [100, 1000] {
        let many: Vec<_> = (0..count)
            .map(|number| entry(&format!("{number:0>253}")))
            .collect();
        taken(&json!({ "data": many })).await;
    }
}

#[tokio::test]
async fn no_secret_is_made_that_kubernetes_takes_for_a_credential() {
    let template = |template: Value| with_target(&json!({ "template": template }));
    let bootstrap = template(json!({ "type": "bootstrap.kubernetes.io/token" }));
    refused_in_both(&bootstrap, "bootstrap.kubernetes.io/token would let").await;

    let token = "kubernetes.io/service-account-token";
    let annotations = json!({ "kubernetes.io/service-account.name": "admin" });
    let named = template(json!({ "type": token, "metadata": { "annotations": annotations } }));
    refused_in_both(&named, "may not name a ServiceAccount").await;
    let from = json!([{ "literal": "a: b", "target": "Annotations" }]);
    let from = template(json!({ "type": token, "templateFrom": from }));
    refused_in_both(&from, "may not get annotations from templateFrom").await;
    taken(&template(
        json!({ "type": "kubernetes.io/tls", "metadata": { "annotations": annotations } }),
    ))
    .await;
}

#[tokio::test]
async fn a_template_reaches_data_labels_and_annotations_of_a_secret_only() {
    let target = |path: &str, manifest: Option<Value>| {
        let from = json!([{ "literal": "a: b", "target": path }]);
        let mut target = json!({ "template": { "templateFrom": from } });
        if let Some(manifest) = manifest {
            target["manifest"] = manifest;
        }
        with_target(&target)
    };
    for path in ["type", "metadata.finalizers", "stringData"] {
        refused_in_both(&target(path, None), "templateFrom.target of a Secret").await;
    }
    let secret = json!({ "apiVersion": "v1", "kind": "Secret" });
    let object = external_secret("v1", &target("type", Some(secret)));
    refused(&object, "templateFrom.target of a Secret").await;
    for path in ["Data", "data", "LABELS", "annotations"] {
        taken(&target(path, None)).await;
    }
    let issuer = json!({ "apiVersion": "cert-manager.io/v1", "kind": "Issuer" });
    taken(&target("spec.acme[0].email", Some(issuer))).await;
}

#[tokio::test]
async fn a_duration_is_one_of_go() {
    for interval in ["1 hour", "soon", "3600"] {
        let spec = json!({ "dataFrom": [{ "find": {} }], "refreshInterval": interval });
        refused_in_both(&spec, "refreshInterval").await;
    }
    for interval in ["0", "90s", "1h30m", "1.5h", "-1s"] {
        taken(&json!({ "dataFrom": [{ "find": {} }], "refreshInterval": interval })).await;
    }
}

#[tokio::test]
async fn a_store_has_one_provider() {
    let store = |provider: Value| {
        json!({
            "apiVersion": "external-secrets.io/v1",
            "kind": "SecretStore",
            "metadata": { "name": "judged" },
            "spec": { "provider": provider },
        })
    };
    refused(&store(json!({})), "at least 1").await;
    refused(
        &store(json!({ "fake": { "data": [] }, "akeyless": {} })),
        "at most 1",
    )
    .await;
    would_create(&store(json!({ "fake": { "data": [] } })))
        .await
        .unwrap();
    let role = |more: Value| {
        let mut kubernetes = json!({ "role": "r" });
        kubernetes
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        store(json!({ "openBao": { "server": "https://b", "auth": { "kubernetes": kubernetes } } }))
    };
    refused(&role(json!({})), "one of serviceAccountRef and secretRef").await;
    would_create(&role(json!({ "secretRef": { "name": "s" } })))
        .await
        .unwrap();
}

#[tokio::test]
async fn what_is_pushed_names_its_store() {
    let push = |to: Value| {
        json!({
            "apiVersion": "external-secrets.io/v1alpha1",
            "kind": "PushSecret",
            "metadata": { "name": "judged" },
            "spec": {
                "secretStoreRefs": [{ "name": "s" }],
                "selector": { "secret": { "name": "s" } },
                "dataTo": [to],
            },
        })
    };
    for to in [
        json!({}),
        json!({ "storeRef": { "kind": "ClusterSecretStore" } }),
    ] {
        refused(&push(to), "storeRef must name a store").await;
    }
    let rewrite = json!([{ "transform": { "template": "t" } }]);
    let both = json!({ "storeRef": { "name": "s" }, "remoteKey": "r", "rewrite": rewrite });
    refused(&push(both), "rewrite has nothing to rename").await;
    would_create(&push(
        json!({ "storeRef": { "name": "s" }, "remoteKey": "r" }),
    ))
    .await
    .unwrap();
    let two =
        json!([{ "transform": { "template": "t" }, "regexp": { "source": "a", "target": "b" } }]);
    refused(
        &push(json!({ "storeRef": { "name": "s" }, "rewrite": two })),
        "at most 1",
    )
    .await;
}
