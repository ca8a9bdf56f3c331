#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::cluster::{ClusterGenerator, GeneratorSpec};
use super::*;

fn survives<R: DeserializeOwned + Serialize>(kind: &str, spec: &Value) {
    let object = json!({
        "apiVersion": "generators.external-secrets.io/v1alpha1",
        "kind": kind,
        "metadata": { "name": "demo" },
        "spec": spec,
    });
    let read: R = serde_json::from_value(object.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), object);
}

#[test]
fn every_generator_survives_a_round_trip() {
    let secret = json!({ "name": "s", "key": "k" });
    let auth = json!({ "jwt": { "serviceAccountRef": { "name": "sa" } } });
    survives::<uuid::UUID>("UUID", &json!({}));
    survives::<password::Password>(
        "Password",
        &json!({
            "length": 42,
            "digits": 5,
            "symbols": 0,
            "symbolCharacters": "-_",
            "noUpper": true,
            "allowRepeat": true,
            "secretKeys": ["a", "b"],
            "encoding": "base64url",
        }),
    );
    survives::<ssh_key::SSHKey>(
        "SSHKey",
        &json!({ "keyType": "ecdsa", "keySize": 384, "comment": "c" }),
    );
    survives::<fake::Fake>(
        "Fake",
        &json!({ "controller": "blue", "data": { "a": "b" } }),
    );
    survives::<mfa::MFA>(
        "MFA",
        &json!({
            "secret": secret,
            "length": 8,
            "timePeriod": 60,
            "algorithm": "sha256",
            "when": "2026-01-01T00:00:00Z",
        }),
    );
    survives::<webhook::Webhook>(
        "Webhook",
        &json!({ "url": "https://w", "result": { "jsonPath": "$" }, "timeout": "5s" }),
    );
    survives::<vault::VaultDynamicSecret>(
        "VaultDynamicSecret",
        &json!({
            "method": "POST",
            "parameters": { "ttl": "1h", "deep": [1, null] },
            "getParameters": { "a": ["b", "c"] },
            "resultType": "Raw",
            "retrySettings": { "maxRetries": 2 },
            "provider": { "server": "https://v" },
            "path": "database/creds/app",
            "allowEmptyResponse": true,
        }),
    );
    survives::<sts::STSSessionToken>(
        "STSSessionToken",
        &json!({
            "region": "eu",
            "auth": auth,
            "role": "arn",
            "requestParameters": { "sessionDuration": 900, "serialNumber": "n", "tokenCode": "1" },
        }),
    );
    survives::<ecr::ECRAuthorizationToken>(
        "ECRAuthorizationToken",
        &json!({ "region": "eu", "auth": auth, "role": "arn", "scope": "public" }),
    );
    survives::<state::GeneratorState>(
        "GeneratorState",
        &json!({
            "garbageCollectionDeadline": "2026-01-01T00:00:00Z",
            "resource": { "kind": "Grafana", "spec": { "url": "x" } },
            "state": { "id": 7 },
        }),
    );
    for spec in [
        json!({ "kind": "Password", "generator": { "passwordSpec": { "length": 24 } } }),
        json!({ "kind": "UUID", "generator": { "uuidSpec": {} } }),
        json!({ "kind": "Grafana", "generator": { "grafanaSpec": { "url": "x", "auth": null } } }),
    ] {
        survives::<ClusterGenerator>("ClusterGenerator", &spec);
    }
}

#[test]
fn an_empty_spec_means_the_defaults() {
    let spec: password::PasswordSpec = serde_json::from_value(json!({})).unwrap();
    assert_eq!(
        (spec.length, spec.encoding),
        (24, password::PasswordEncoding::Raw)
    );
    let spec: ssh_key::SshKeySpec = serde_json::from_value(json!({})).unwrap();
    assert_eq!(spec.key_type, ssh_key::SshKeyType::Rsa);
}

#[test]
fn what_a_generator_holds_is_not_printed() {
    let printed = |spec: Value| {
        let read: GeneratorSpec = serde_json::from_value(spec).unwrap();
        format!("{read:?}")
    };
    for spec in [
        json!({ "fakeSpec": { "data": { "a": "canary" } } }),
        json!({ "webhookSpec": { "url": "https://w", "result": {}, "headers": { "A": "canary" } } }),
        json!({ "stsSessionTokenSpec": { "region": "eu", "requestParameters": { "tokenCode": "canary" } } }),
        json!({ "vaultDynamicSecretSpec": {
            "path": "p", "provider": { "server": "https://v" }, "parameters": { "a": "canary" },
        } }),
        json!({ "grafanaSpec": { "token": "canary" } }),
    ] {
        let printed = printed(spec);
        assert!(!printed.contains("canary"), "{printed}");
    }
}

#[test]
fn every_kind_that_may_be_named_has_a_definition() {
    let mut kinds: Vec<_> = crds().into_iter().map(|crd| crd.spec.names.kind).collect();
    kinds.retain(|kind| kind != "GeneratorState");
    kinds.sort_by_key(|kind| kind.to_ascii_lowercase());
    assert_eq!(kinds, crate::external::refs::GENERATOR_KINDS);
}
