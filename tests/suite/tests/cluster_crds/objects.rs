//! An object of each resource.

use serde_json::{Value, json};

/// Both versions of the main resources, the only one of the others.
pub fn all() -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    for version in ["v1", "v1beta1"] {
        for (resource, kind, spec) in versioned() {
            let object = json!({
                "apiVersion": format!("external-secrets.io/{version}"),
                "kind": kind,
                "metadata": { "name": format!("{}-{version}", kind.to_ascii_lowercase()) },
                "spec": spec,
            });
            all.push((resource, object));
        }
    }
    for (group, resource, kind, spec) in single() {
        let object = json!({
            "apiVersion": format!("{group}external-secrets.io/v1alpha1"),
            "kind": kind,
            "metadata": { "name": kind.to_ascii_lowercase() },
            "spec": spec,
        });
        all.push((resource, object));
    }
    all
}

/// What both versions know.
pub fn external_secret_spec() -> Value {
    json!({
        "refreshInterval": "1h30m0s",
        "refreshPolicy": "OnChange",
        "secretStoreRef": { "name": "vault", "kind": "ClusterSecretStore" },
        "target": {
            "name": "db",
            "creationPolicy": "Orphan",
            "deletionPolicy": "Merge",
            "immutable": true,
            "template": {
                "type": "Opaque",
                "metadata": { "labels": { "a": "b" }, "annotations": { "c": "d" } },
                "data": { "url": "{{ .host }}" },
                "templateFrom": [
                    { "configMap": { "name": "m", "items": [{ "key": "k", "templateAs": "Values" }] } },
                    { "literal": "x: y", "target": "annotations" },
                ],
            },
        },
        "data": [{
            "secretKey": "password",
            "remoteRef": { "key": "db", "property": "p", "version": "1", "decodingStrategy": "Auto" },
            "sourceRef": { "storeRef": { "name": "other" } },
        }],
        "dataFrom": [
            { "extract": { "key": "app", "conversionStrategy": "Unicode" } },
            {
                "find": { "path": "x", "name": { "regexp": "a" }, "tags": { "t": "1" } },
                "rewrite": [{ "regexp": { "source": "a", "target": "b" } }],
            },
            { "sourceRef": { "generatorRef": { "kind": "Grafana", "name": "g" } } },
        ],
    })
}

fn versioned() -> Vec<(&'static str, &'static str, Value)> {
    let unsupported = json!({
        "provider": { "akeyless": { "akeylessGWApiURL": "https://a", "deep": [{ "x": { "y": 1 } }] } },
        "refreshInterval": 60,
    });
    let vault = json!({
        "controller": "blue",
        "provider": { "vault": {
            "server": "https://vault:8200",
            "path": "kv",
            "auth": { "appRole": { "roleId": "r", "secretRef": { "name": "s", "key": "k" } } },
            "headers": { "X-A": "b" },
        } },
        "retrySettings": { "maxRetries": 3, "retryInterval": "10s" },
        "conditions": [{ "namespaces": ["a"], "namespaceRegexes": ["^b"] }],
    });
    let cluster_external_secret = json!({
        "externalSecretSpec": external_secret_spec(),
        "externalSecretName": "n",
        "externalSecretMetadata": { "labels": { "a": "b" } },
        "namespaceSelectors": [{ "matchLabels": { "a": "b" } }],
        "namespaces": ["default"],
        "refreshTime": "2m",
    });
    vec![
        ("externalsecrets", "ExternalSecret", external_secret_spec()),
        ("secretstores", "SecretStore", unsupported),
        ("clustersecretstores", "ClusterSecretStore", vault),
        (
            "clusterexternalsecrets",
            "ClusterExternalSecret",
            cluster_external_secret,
        ),
    ]
}

fn single() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    let push = json!({
        "secretStoreRefs": [{ "name": "vault" }],
        "selector": { "secret": { "name": "s" } },
        "data": [{
            "match": { "secretKey": "a", "remoteRef": { "remoteKey": "r", "property": "p" } },
            "metadata": { "kind": "PushSecretMetadata", "spec": { "tags": { "a": "b" } } },
        }],
        "dataTo": [{ "storeRef": { "name": "vault" }, "rewrite": [{ "transform": { "template": "t" } }] }],
    });
    let cluster_push =
        json!({ "pushSecretSpec": push, "namespaceSelectors": [{ "matchLabels": { "a": "b" } }] });
    let selector = json!({ "name": "s", "key": "k" });
    let generators = [
        ("uuids", "UUID", json!({})),
        (
            "passwords",
            "Password",
            json!({ "length": 12, "secretKeys": ["a"] }),
        ),
        ("sshkeys", "SSHKey", json!({ "keyType": "ed25519" })),
        ("fakes", "Fake", json!({ "data": { "a": "b" } })),
        ("mfas", "MFA", json!({ "secret": selector, "length": 8 })),
        (
            "webhooks",
            "Webhook",
            json!({ "url": "https://w", "result": {}, "secrets": [{ "name": "s", "secretRef": selector }] }),
        ),
        (
            "vaultdynamicsecrets",
            "VaultDynamicSecret",
            json!({ "path": "p", "provider": { "server": "https://v" }, "parameters": { "a": [1] } }),
        ),
        (
            "stssessiontokens",
            "STSSessionToken",
            json!({ "region": "eu" }),
        ),
        (
            "ecrauthorizationtokens",
            "ECRAuthorizationToken",
            json!({ "region": "eu", "scope": "public" }),
        ),
        (
            "grafanas",
            "Grafana",
            json!({ "url": "https://g", "deep": [{ "x": 1 }] }),
        ),
        (
            "quayaccesstokens",
            "QuayAccessToken",
            json!({ "robotAccount": "r" }),
        ),
        (
            "clustergenerators",
            "ClusterGenerator",
            json!({ "kind": "Grafana", "generator": { "grafanaSpec": { "url": "https://g" } } }),
        ),
        (
            "generatorstates",
            "GeneratorState",
            json!({ "resource": { "kind": "Grafana" }, "state": { "id": 7 } }),
        ),
    ];
    let mut all = vec![
        ("", "pushsecrets", "PushSecret", push),
        ("", "clusterpushsecrets", "ClusterPushSecret", cluster_push),
    ];
    all.extend(generators.map(|(resource, kind, spec)| ("generators.", resource, kind, spec)));
    all
}
