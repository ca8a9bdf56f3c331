//! Resources and answers for tests.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use std::collections::BTreeMap;

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};
use signet_crds::external::external_secret::ExternalSecret;
use signet_crds::external::refs::{StoreKind, StoreRef};
use signet_keys::Plaintext;

use super::answers::{Answers, Failure, Fetched};
use super::needs::Read;
use super::press::{Press, TemplateError};

/// An ExternalSecret `team/app` in the store `vault`; `spec` is laid over it.
pub(super) fn external(spec: Value) -> ExternalSecret {
    let mut external: ExternalSecret = serde_json::from_value(json!({
        "apiVersion": "external-secrets.io/v1",
        "kind": "ExternalSecret",
        "metadata": {
            "name": "app", "namespace": "team", "uid": "11111111-2222-3333-4444-555555555555",
            "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z"
        },
        "spec": {}
    }))
    .unwrap();
    let mut whole = json!({"secretStoreRef": {"name": "vault"}});
    whole
        .as_object_mut()
        .unwrap()
        .extend(spec.as_object().unwrap().clone());
    external.spec = serde_json::from_value(whole).unwrap();
    external
}

pub(super) fn text(text: &str) -> Plaintext {
    Plaintext::new(text.as_bytes().to_vec())
}

pub(super) fn read(key: &str) -> Read {
    Read {
        store: StoreRef {
            name: "vault".to_owned(),
            kind: StoreKind::SecretStore,
        },
        key: key.to_owned(),
        version: None,
        metadata: false,
    }
}

/// What the store has: values by their keys.
pub(super) fn answers(values: &[(&str, &str)]) -> Answers {
    let mut answers = Answers::default();
    for (key, value) in values {
        answers
            .reads
            .insert(read(key), Ok(Fetched::Bytes(text(value))));
    }
    answers
}

pub(super) fn gone(mut answers: Answers, key: &str) -> Answers {
    answers.reads.insert(read(key), Err(Failure::Missing));
    answers
}

/// Puts values in the place of `{{ .key }}`; what else stands in braces is an error.
pub(super) struct Simple;

impl Press for Simple {
    fn render(
        &mut self,
        _: &str,
        text: &str,
        data: &BTreeMap<String, Plaintext>,
    ) -> Result<Plaintext, TemplateError> {
        let mut out = text.to_owned();
        for (key, value) in data {
            let value = std::str::from_utf8(value.expose()).unwrap();
            out = out.replace(&format!("{{{{ .{key} }}}}"), value);
        }
        if out.contains("{{") {
            return Err(TemplateError::new("there is something in braces"));
        }
        Ok(Plaintext::new(out.into_bytes()))
    }
}

/// A Secret in the cluster as the API server would have it.
pub(super) fn secret(metadata: Value, data: &[(&str, &str)]) -> Secret {
    let mut all = json!({"name": "app", "namespace": "team", "uid": "s", "resourceVersion": "7"});
    all.as_object_mut()
        .unwrap()
        .extend(metadata.as_object().unwrap().clone());
    let bytes = |(key, value): &(&str, &str)| ((*key).to_owned(), ByteString((*value).into()));
    Secret {
        metadata: serde_json::from_value(all).unwrap(),
        data: Some(data.iter().map(bytes).collect()),
        type_: Some("Opaque".to_owned()),
        ..Secret::default()
    }
}

/// The items of a Secret as texts.
pub(super) fn items(secret: &Secret) -> BTreeMap<String, String> {
    let data = secret.data.iter().flatten();
    data.map(|(key, value)| (key.clone(), String::from_utf8(value.0.clone()).unwrap()))
        .collect()
}
