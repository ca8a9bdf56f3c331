#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use serde_json::{Value, json};

use super::*;

fn cluster(spec: Value) -> ClusterExternalSecret {
    let mut whole = json!({"externalSecretSpec": {"secretStoreRef": {"name": "vault"}, "dataFrom": [{"extract": {"key": "k"}}]}});
    whole
        .as_object_mut()
        .unwrap()
        .extend(spec.as_object().unwrap().clone());
    serde_json::from_value(json!({
        "apiVersion": "external-secrets.io/v1", "kind": "ClusterExternalSecret",
        "metadata": {"name": "app", "uid": "c", "generation": 2}, "spec": whole,
    }))
    .unwrap()
}

fn namespace(name: &str, labels: Value) -> ObjectMeta {
    serde_json::from_value(json!({"name": name, "labels": labels})).unwrap()
}

fn namespaces() -> Vec<ObjectMeta> {
    vec![
        namespace("a", json!({"env": "prod"})),
        namespace("b", json!({"env": "dev"})),
        namespace("c", json!({})),
    ]
}

/// What is in the cluster once the steps were taken.
fn taken(steps: &[Step]) -> Vec<ExternalSecret> {
    let child = |step: &Step| match step {
        Step::Create(child) | Step::Update(child) => Some(child.clone()),
        _ => None,
    };
    let mut children: Vec<_> = steps.iter().filter_map(child).collect();
    for child in &mut children {
        child.metadata.uid = Some("e".to_owned());
        child.metadata.resource_version = Some("5".to_owned());
    }
    children
}

fn places(children: &[ExternalSecret]) -> Vec<&str> {
    children
        .iter()
        .map(|child| child.metadata.namespace.as_deref().unwrap())
        .collect()
}

#[test]
fn every_selected_namespace_gets_one_and_then_nothing_is_written() {
    let cluster = cluster(json!({
        "namespaceSelectors": [{"matchLabels": {"env": "prod"}}], "namespaces": ["c", "nowhere"],
        "externalSecretMetadata": {"labels": {"team": "x"}},
    }));
    let children = taken(&plan(&cluster, &namespaces(), &[]));
    assert_eq!(places(&children), ["a", "c"]);
    assert_eq!(children[0].metadata.labels.as_ref().unwrap()["team"], "x");
    assert!(is_child(&cluster, &children[0]));
    let again = plan(&cluster, &namespaces(), &children);
    assert!(
        again.iter().all(|step| matches!(step, Step::Keep { .. })),
        "{again:?}"
    );
}

#[test]
fn a_namespace_that_is_selected_no_more_loses_its_own() {
    let cluster = cluster(json!({"namespaceSelector": {"matchLabels": {"env": "prod"}}}));
    let children = taken(&plan(&cluster, &namespaces(), &[]));
    let relabelled = [namespace("a", json!({"env": "dev"}))];
    let steps = plan(&cluster, &relabelled, &children);
    let expected = Step::Delete {
        namespace: "a".to_owned(),
        name: "app".to_owned(),
        uid: "e".to_owned(),
    };
    assert_eq!(steps, [expected]);
}

#[test]
fn a_new_name_moves_the_children() {
    let old = cluster(json!({"namespaces": ["a"]}));
    let children = taken(&plan(&old, &namespaces(), &[]));
    let new = cluster(json!({"namespaces": ["a"], "externalSecretName": "other"}));
    let steps = plan(&new, &namespaces(), &children);
    assert!(
        matches!(&steps[..], [Step::Create(_), Step::Delete { .. }]),
        "{steps:?}"
    );
}

#[test]
fn one_of_that_name_that_is_somebody_elses_stays() {
    let cluster = cluster(json!({"namespaces": ["a"]}));
    let mut theirs = taken(&plan(&cluster, &namespaces(), &[]));
    theirs[0].metadata.owner_references = None;
    let steps = plan(&cluster, &namespaces(), &theirs);
    let [Step::Refuse { failure }] = &steps[..] else {
        panic!("{steps:?}");
    };
    assert!(
        failure
            .reason
            .starts_with("external secret already exists in namespace")
    );
}

#[test]
fn a_change_and_a_forced_sync_reach_the_children() {
    let mut cluster = cluster(json!({"namespaces": ["a"]}));
    let children = taken(&plan(&cluster, &namespaces(), &[]));
    let force = [(annotation::FORCE_SYNC.to_owned(), "1".to_owned())];
    cluster.metadata.annotations = Some(force.clone().into());
    let steps = plan(&cluster, &namespaces(), &children);
    let [Step::Update(child)] = &steps[..] else {
        panic!("{steps:?}");
    };
    assert_eq!(child.metadata.annotations, Some(force.into()));
    assert_eq!(child.metadata.resource_version.as_deref(), Some("5"));
}

#[test]
fn issue_5426_no_namespace_is_kept_from_going_away() {
    let cluster = cluster(json!({"namespaces": ["a"]}));
    let mut leaving = namespace("a", json!({}));
    leaving.finalizers = Some(vec![
        "externalsecrets.external-secrets.io/ces-app".to_owned(),
        "externalsecrets.external-secrets.io/ces-app2".to_owned(),
        "kubernetes".to_owned(),
    ]);
    let rest = without_finalizer(&cluster, &leaving).unwrap();
    assert_eq!(
        rest,
        ["externalsecrets.external-secrets.io/ces-app2", "kubernetes"]
    );
    leaving.finalizers = Some(rest);
    assert_eq!(without_finalizer(&cluster, &leaving), None);
    leaving.deletion_timestamp = serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap();
    assert!(plan(&cluster, &[leaving], &[]).is_empty());
}

#[test]
fn ready_is_the_last_condition_and_failures_are_listed() {
    let mut cluster = cluster(json!({"namespaces": ["a"]}));
    let now: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
    let provisioned = BTreeSet::from(["a".to_owned()]);
    let failed = BTreeMap::from([("b".to_owned(), "no".to_owned())]);
    let status = after(&cluster, &provisioned, &failed, now).unwrap();
    let last = status.conditions.last().unwrap();
    assert_eq!((&*last.type_, &*last.status), ("Ready", "False"));
    assert_eq!(last.message, "one or more namespaces failed");
    assert_eq!(status.failed_namespaces[0].namespace, "b");
    cluster.status = Some(status);
    assert_eq!(after(&cluster, &provisioned, &failed, now), None);
    let status = after(&cluster, &provisioned, &BTreeMap::new(), now).unwrap();
    assert_eq!(status.conditions.len(), 1);
    assert_eq!(status.conditions[0].status, "True");
}
