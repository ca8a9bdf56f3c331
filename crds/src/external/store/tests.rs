#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};

use super::*;

fn store(provider: &Value) -> Result<SecretStore, serde_json::Error> {
    serde_json::from_value(json!({
        "apiVersion": "external-secrets.io/v1",
        "kind": "SecretStore",
        "metadata": { "name": "demo" },
        "spec": { "provider": provider },
    }))
}

struct Shared {
    secret: Value,
    account: Value,
    ca: Value,
    gke: Value,
    aws_key: Value,
}

fn shared() -> Shared {
    let secret = json!({ "name": "s", "namespace": "n", "key": "k" });
    let account = json!({ "name": "sa", "namespace": "n", "audiences": ["a"] });
    let ca = json!({ "type": "ConfigMap", "name": "ca", "key": "k", "namespace": "n" });
    let gke = json!({
        "serviceAccountRef": account,
        "clusterLocation": "l",
        "clusterName": "c",
        "clusterProjectID": "p",
    });
    let aws_key = json!({
        "accessKeyIDSecretRef": secret,
        "secretAccessKeySecretRef": secret,
        "sessionTokenSecretRef": secret,
    });
    Shared {
        secret,
        account,
        ca,
        gke,
        aws_key,
    }
}

/// Settings of each kind of store that is served, all that there are.
fn complete() -> Vec<Value> {
    [complete_vault(), complete_others()].concat()
}

fn complete_vault() -> Vec<Value> {
    let Shared {
        secret,
        account,
        ca,
        gke,
        aws_key,
    } = shared();
    vec![
        json!({ "vault": {
            "server": "https://vault:8200",
            "path": "kv",
            "version": "v1",
            "namespace": "ns1",
            "auth": {
                "namespace": "ns2",
                "tokenSecretRef": secret,
                "appRole": { "path": "approle", "roleId": "r", "roleRef": secret, "secretRef": secret },
                "kubernetes": { "mountPath": "k", "serviceAccountRef": account, "secretRef": secret, "role": "r" },
                "ldap": { "path": "ldap", "username": "u", "secretRef": secret },
                "userPass": { "path": "userpass", "username": "u", "secretRef": secret },
                "jwt": {
                    "path": "jwt",
                    "role": "r",
                    "secretRef": secret,
                    "kubernetesServiceAccountToken": {
                        "serviceAccountRef": account,
                        "audiences": ["vault"],
                        "expirationSeconds": 600,
                    },
                },
                "cert": { "path": "cert", "vaultRole": "r", "clientCert": secret, "secretRef": secret },
                "iam": {
                    "path": "aws",
                    "region": "eu",
                    "role": "arn",
                    "vaultRole": "r",
                    "externalID": "x",
                    "vaultAwsIamServerID": "v",
                    "secretRef": aws_key,
                    "jwt": { "serviceAccountRef": account },
                },
                "gcp": {
                    "path": "gcp",
                    "role": "r",
                    "projectID": "p",
                    "location": "l",
                    "secretRef": { "secretAccessKeySecretRef": secret },
                    "workloadIdentity": gke,
                    "serviceAccountRef": account,
                },
            },
            "caBundle": "Y2E=",
            "caProvider": ca,
            "tls": { "certSecretRef": secret, "keySecretRef": secret },
            "headers": { "X-A": "b" },
            "readYourWrites": true,
            "forwardInconsistent": true,
            "checkAndSet": { "required": true },
        } }),
        json!({ "openBao": {
            "server": "https://bao:8200",
            "path": "kv",
            "version": "v1",
            "namespace": "ns1",
            "auth": {
                "namespace": "ns2",
                "tokenSecretRef": secret,
                "appRole": { "path": "approle", "roleId": "r", "secretRef": secret },
                "kubernetes": { "path": "k", "serviceAccountRef": account, "role": "r" },
                "userPass": { "path": "userpass", "username": "u", "secretRef": secret },
            },
            "caBundle": "Y2E=",
            "caProvider": ca,
        } }),
    ]
}

/// The same for those beside Vault.
fn complete_others() -> Vec<Value> {
    let Shared {
        secret,
        account,
        ca,
        gke,
        aws_key,
    } = shared();
    vec![
        json!({ "aws": {
            "service": "ParameterStore",
            "region": "eu-central-1",
            "auth": { "secretRef": aws_key, "jwt": { "serviceAccountRef": account } },
            "role": "arn",
            "additionalRoles": ["arn2"],
            "externalID": "x",
            "sessionTags": [{ "key": "k", "value": "v" }],
            "transitiveTagKeys": ["k"],
            "sessionTagsPolicy": "Custom",
            "customSessionTags": { "a": "b" },
            "secretsManager": { "forceDeleteWithoutRecovery": true, "recoveryWindowInDays": 7 },
            "prefix": "p/",
        } }),
        json!({ "azurekv": {
            "vaultUrl": "https://v",
            "authType": "WorkloadIdentity",
            "tenantId": "t",
            "environmentType": "AzureStackCloud",
            "authSecretRef": {
                "clientId": secret,
                "tenantId": secret,
                "clientSecret": secret,
                "clientCertificate": secret,
            },
            "serviceAccountRef": account,
            "identityId": "i",
            "useAzureSDK": true,
            "customCloudConfig": {
                "activeDirectoryEndpoint": "https://a",
                "keyVaultEndpoint": "https://k",
                "keyVaultDNSSuffix": "s",
                "resourceManagerEndpoint": "https://r",
                "audience": "a",
            },
        } }),
        json!({ "gcpsm": {
            "auth": {
                "secretRef": { "secretAccessKeySecretRef": secret },
                "workloadIdentity": gke,
                "workloadIdentityFederation": {
                    "credConfig": { "name": "c", "key": "k", "namespace": "n" },
                    "serviceAccountRef": account,
                    "awsSecurityCredentials": {
                        "region": "eu",
                        "awsCredentialsSecretRef": { "name": "s", "namespace": "n" },
                    },
                    "audience": "a",
                    "gcpServiceAccountEmail": "e",
                    "externalTokenEndpoint": "https://t",
                },
            },
            "projectID": "p",
            "location": "l",
            "secretVersionSelectionPolicy": "LatestOrFetch",
        } }),
        json!({ "kubernetes": {
            "server": { "url": "https://k", "caBundle": "Y2E=", "caProvider": ca },
            "auth": { "cert": { "clientCert": secret, "clientKey": secret } },
            "authRef": secret,
            "remoteNamespace": "n",
        } }),
        json!({ "kubernetes": { "auth": { "token": { "bearerToken": secret } } } }),
        json!({ "kubernetes": { "auth": { "serviceAccount": account } } }),
        json!({ "webhook": {
            "method": "POST",
            "url": "https://w/{{ .remoteRef.key }}",
            "headers": { "Authorization": "Bearer x" },
            "auth": { "ntlm": { "usernameSecret": secret, "passwordSecret": secret } },
            "body": "{}",
            "timeout": "10s",
            "result": { "jsonPath": "$.a" },
            "secrets": [{ "name": "s", "secretRef": secret }],
            "caBundle": "Y2E=",
            "caProvider": ca,
        } }),
        json!({ "fake": {
            "data": [
                { "key": "a", "value": "b", "version": "v1" },
                { "key": "c", "valueMap": { "d": "e" } },
            ],
            "validationResult": 1,
        } }),
    ]
}

#[test]
fn every_kind_of_store_survives_a_round_trip() {
    for provider in complete() {
        let read = store(&provider).unwrap();
        assert!(
            !matches!(read.spec.provider, Provider::Unsupported { .. }),
            "{provider}"
        );
        assert_eq!(serde_json::to_value(&read.spec.provider).unwrap(), provider);
    }
}

#[test]
fn the_schema_has_every_field_of_every_kind_of_store() {
    let crd = serde_json::to_value(crd()).unwrap();
    let provider = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/provider";
    let schema = crd.pointer(provider).unwrap();
    for provider in complete() {
        has(schema, &provider, "provider");
    }
}

fn has(schema: &Value, value: &Value, path: &str) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let below = schema["properties"]
                    .get(name)
                    .or(schema.get("additionalProperties"));
                let path = format!("{path}.{name}");
                has(below.unwrap_or_else(|| panic!("{path}")), value, &path);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| has(&schema["items"], item, path)),
        Value::Number(_) => assert_eq!(schema["type"], "integer", "{path}"),
        Value::Bool(_) => assert_eq!(schema["type"], "boolean", "{path}"),
        _ => assert_eq!(schema["type"], "string", "{path}"),
    }
}

#[test]
fn a_store_that_is_not_served_keeps_all_that_it_says() {
    let provider =
        json!({ "akeyless": { "akeylessGWApiURL": "https://a", "deep": [{ "x": null }] } });
    let read = store(&provider).unwrap();
    assert_eq!(read.spec.provider.name(), "akeyless");
    assert_eq!(serde_json::to_value(&read.spec.provider).unwrap(), provider);
}

#[test]
fn a_store_names_exactly_one_provider() {
    let none = store(&json!({ "vault": null })).unwrap_err().to_string();
    assert!(none.contains("exactly one"), "{none}");
    let two = json!({ "fake": { "data": [] }, "akeyless": {} });
    let two = store(&two).unwrap_err().to_string();
    assert!(
        two.contains("exactly one") && two.contains("fake, akeyless"),
        "{two}"
    );
}

#[test]
fn what_may_be_secret_in_a_store_is_not_printed() {
    for provider in [
        json!({ "fake": { "data": [{ "key": "k", "value": "canary" }] } }),
        json!({ "fake": { "data": [{ "key": "k", "valueMap": { "a": "canary" } }] } }),
        json!({ "vault": { "server": "https://v", "headers": { "X-Token": "canary" } } }),
        json!({ "webhook": { "url": "https://w/canary", "result": {} } }),
        json!({ "webhook": { "url": "https://w", "result": {}, "body": "canary" } }),
        json!({ "webhook": { "url": "https://w", "result": {}, "headers": { "X": "canary" } } }),
        json!({ "beyondtrust": { "auth": { "apiKey": { "value": "canary" } } } }),
    ] {
        let printed = format!("{:?}", store(&provider).unwrap());
        assert!(!printed.contains("canary"), "{printed}");
    }
}

#[test]
fn openbao_is_vault_under_another_name() {
    let Provider::OpenBao(bao) = store(&complete()[1]).unwrap().spec.provider else {
        panic!("it is OpenBao");
    };
    let vault = bao.to_vault();
    assert_eq!(vault.server, bao.server);
    let (vault, bao) = (vault.auth.unwrap(), bao.auth.unwrap());
    assert_eq!(vault.kubernetes.unwrap().mount_path.as_deref(), Some("k"));
    assert_eq!(
        (vault.app_role, vault.user_pass),
        (bao.app_role, bao.user_pass)
    );
    assert_eq!(vault.token_secret_ref, bao.token_secret_ref);
}

#[test]
fn the_interval_of_a_store_is_seconds_or_a_duration() {
    for (written, printed) in [
        (json!(300), "5m0s"),
        (json!("300"), "5m0s"),
        (json!("1h"), "1h0m0s"),
        (json!(0), "0s"),
    ] {
        let interval: StoreInterval = serde_json::from_value(written).unwrap();
        assert_eq!(interval.duration().to_string(), printed);
    }
    assert!(serde_json::from_value::<StoreInterval>(json!("soon")).is_err());
    assert_eq!(
        serde_json::to_value(StoreInterval::Seconds(5)).unwrap(),
        json!(5)
    );
}

#[test]
fn a_cluster_store_has_the_spec_of_a_store() {
    let object = json!({
        "apiVersion": "external-secrets.io/v1beta1",
        "kind": "ClusterSecretStore",
        "metadata": { "name": "demo" },
        "spec": {
            "controller": "blue",
            "provider": { "fake": { "data": [] } },
            "refreshInterval": 60,
            "retrySettings": { "maxRetries": 3, "retryInterval": "10s" },
            "conditions": [
                { "namespaceSelector": { "matchLabels": { "a": "b" } } },
                { "namespaces": ["n"], "namespaceRegexes": ["^t-"] },
            ],
        },
        "status": { "capabilities": "ReadWrite" },
    });
    let read: ClusterSecretStore = serde_json::from_value(object.clone()).unwrap();
    assert_eq!(read.spec.controller.as_deref(), Some("blue"));
    let written = serde_json::to_value(&read).unwrap();
    assert_eq!(written["spec"], object["spec"]);
    assert_eq!(written["status"], object["status"]);
}
