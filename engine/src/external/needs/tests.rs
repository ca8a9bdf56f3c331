#![allow(clippy::unwrap_used)]

use serde_json::json;
use signet_crds::external::refs::StoreKind;

use super::*;
use crate::external::testing::{external, read};

#[test]
fn what_is_asked_for_twice_is_asked_once() {
    let needs = of(&external(json!({
        "data": [
            {"secretKey": "a", "remoteRef": {"key": "db", "property": "user"}},
            {"secretKey": "b", "remoteRef": {"key": "db", "property": "password"}},
            {"secretKey": "c", "remoteRef": {"key": "db", "version": "2"}},
            {"secretKey": "d", "remoteRef": {"key": "db", "metadataPolicy": "Fetch"}},
        ],
        "dataFrom": [{"extract": {"key": "db"}}, {"extract": {"key": "other"}}],
    })))
    .unwrap();
    let second = Read {
        version: Some("2".to_owned()),
        ..read("db")
    };
    let tags = Read {
        metadata: true,
        ..read("db")
    };
    assert_eq!(
        needs.reads,
        BTreeSet::from([read("db"), second, tags, read("other")])
    );
}

#[test]
fn an_entry_may_have_a_source_of_its_own() {
    let needs = of(&external(json!({
        "data": [{"secretKey": "a", "remoteRef": {"key": "k"}, "sourceRef": {"storeRef": {"name": "aws", "kind": "ClusterSecretStore"}}}],
        "dataFrom": [
            {"find": {"name": {"regexp": "^app"}, "tags": {"env": "prod"}, "path": ""}},
            {"sourceRef": {"generatorRef": {"kind": "Password", "name": "p"}}},
        ],
        "target": {"template": {"templateFrom": [
            {"configMap": {"name": "tpl", "items": [{"key": "x"}]}},
            {"secret": {"name": "tpl", "items": [{"key": "x"}]}},
            {"literal": "a: b"},
        ]}},
    })))
    .unwrap();
    let asked = needs.reads.first().unwrap();
    assert_eq!(
        (asked.store.name.as_str(), asked.store.kind),
        ("aws", StoreKind::ClusterSecretStore)
    );
    let find = needs.finds.first().unwrap();
    assert_eq!(
        (find.path.as_deref(), find.name.as_deref()),
        (None, Some("^app"))
    );
    let generated = needs.generated.first().unwrap();
    assert_eq!(generated.index, 1);
    assert_eq!(
        generated.api_version,
        "generators.external-secrets.io/v1alpha1"
    );
    let kinds: Vec<_> = needs.sources.iter().map(|source| source.kind).collect();
    assert_eq!(kinds, [SourceKind::ConfigMap, SourceKind::Secret]);
}

#[test]
fn what_makes_no_sense_is_named() {
    let error = |spec| of(&external(spec)).unwrap_err().to_string();
    assert!(error(json!({})).contains("neither data nor dataFrom"));
    assert!(error(json!({"dataFrom": [{}]})).starts_with("dataFrom[0] must have exactly one"));
    let generator = json!({"generatorRef": {"kind": "Password", "name": "p"}});
    let both = json!({"dataFrom": [{"extract": {"key": "k"}, "sourceRef": generator}]});
    assert!(error(both).contains("exactly one"));
    let item =
        json!({"data": [{"secretKey": "a", "remoteRef": {"key": "k"}, "sourceRef": generator}]});
    assert!(error(item).starts_with("data[0] (a) takes a value from a generator"));
    let storeless =
        json!({"secretStoreRef": null, "data": [{"secretKey": "a", "remoteRef": {"key": "k"}}]});
    assert!(error(storeless).contains("names no store"));
}
