//! A key Secret as it goes from one cluster to another.

use serde_json::{Map, Value, json};
use signet_engine::ring::{self, Order};
use signet_keys::sealed::encode;

use super::stored::LEGACY_NAME;

/// What another cluster can use of a Secret: not its UID, version, owners and the like, which make the
/// API server refuse it.
pub(super) fn portable(secret: &Value) -> Value {
    let of = |from: &Value, fields: &[&str]| -> Map<String, Value> {
        let field = |name: &&str| {
            let value = from.get(name).filter(|value| !value.is_null())?;
            Some(((*name).to_owned(), value.clone()))
        };
        fields.iter().filter_map(field).collect()
    };
    let metadata = of(
        &secret["metadata"],
        &["name", "namespace", "labels", "annotations"],
    );
    let mut portable = of(secret, &["type", "immutable", "data"]);
    portable.insert("apiVersion".to_owned(), json!("v1"));
    portable.insert("kind".to_owned(), json!("Secret"));
    portable.insert("metadata".to_owned(), Value::Object(metadata));
    let mut portable = Value::Object(portable);
    for (item, text) in secret["stringData"].as_object().into_iter().flatten() {
        let text = text.as_str().unwrap_or_default();
        portable["data"][item] = encode(text.as_bytes()).into();
    }
    portable
}

/// Why the controller would not use a key Secret that is labelled as one in use; nothing when it would,
/// or when the label says that it is retired.
pub(super) fn passed_over(secret: &Value) -> Option<String> {
    // The parser's message could quote a key.
    let Ok(secrets) = serde_json::from_value::<Vec<_>>(json!([secret])) else {
        return Some("its fields are not those of a Secret".to_owned());
    };
    let keys = ring::from_secrets(&secrets, Order::default(), LEGACY_NAME);
    keys.problems.first().map(|it| it.cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_the_old_cluster_stays_there() {
        let secret = json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {
                "name": "key", "namespace": "kube-system",
                "labels": {"a": "b"}, "annotations": null,
                "resourceVersion": "7", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z",
                "managedFields": [], "ownerReferences": [{"name": "x"}], "generateName": "k",
            },
            "type": "kubernetes.io/tls",
            "data": {"tls.key": "QQ=="},
            "stringData": {"tls.crt": "B"},
        });
        let kept = json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "key", "namespace": "kube-system", "labels": {"a": "b"}},
            "type": "kubernetes.io/tls",
            "data": {"tls.key": "QQ==", "tls.crt": "Qg=="},
        });
        assert_eq!(portable(&secret), kept);
    }
}
