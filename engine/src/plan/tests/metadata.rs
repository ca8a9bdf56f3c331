use super::*;
use crate::testing::edit;

fn labelled(labels: &Value) -> SealedSecret {
    let metadata = json!({ "labels": labels, "annotations": labels });
    edit(
        &sealed(&[("a", "1")]),
        "/spec/template",
        json!({ "metadata": metadata }),
    )
}

#[test]
fn labels_and_annotations_of_others_stay() {
    let theirs = json!({ "labels": { "tool": "x" }, "annotations": { "tool": "x" } });
    let observed = secret(&owned(&theirs), &[("a", "1")]);
    let written = replaced(&labelled(&json!({ "mine": "1" })), &observed);
    let labels = written.metadata.labels.unwrap();
    assert_eq!(
        (labels["tool"].as_str(), labels["mine"].as_str()),
        ("x", "1")
    );
    assert_eq!(written.metadata.annotations.unwrap().len(), 2);
}

#[test]
fn what_the_template_drops_is_taken_off_and_nothing_else() {
    let mut cluster = Cluster::new(labelled(&json!({ "one": "1", "two": "2" })), None);
    cluster.reconcile();
    cluster.touch(|secret| {
        secret
            .metadata
            .labels
            .get_or_insert_default()
            .insert("tool".into(), "x".into());
    });
    cluster.apply(&labelled(&json!({ "two": "3" })));
    cluster.reconcile();
    let metadata = cluster.secret.unwrap().metadata;
    assert_eq!(json!(metadata.labels), json!({ "two": "3", "tool": "x" }));
    assert_eq!(json!(metadata.annotations), json!({ "two": "3" }));
}

#[test]
fn a_changed_label_of_ours_is_repaired() {
    let mut cluster = Cluster::new(labelled(&json!({ "one": "1" })), None);
    cluster.reconcile();
    cluster.touch(|secret| secret.metadata.labels = None);
    assert_eq!(cluster.reconcile().secret_writes, 1);
    assert_eq!(
        json!(cluster.secret.unwrap().metadata.labels),
        json!({ "one": "1" })
    );
}

#[test]
fn a_label_of_others_costs_a_look_and_no_write() {
    let mut cluster = Cluster::new(labelled(&json!({ "one": "1" })), None);
    cluster.reconcile();
    cluster.touch(|secret| {
        secret
            .metadata
            .labels
            .get_or_insert_default()
            .insert("tool".into(), "x".into());
    });
    let report = cluster.reconcile();
    assert_eq!((report.secret_writes, report.events.len()), (0, 0));
    assert_eq!(cluster.reconcile().private_operations, 0);
}

#[test]
fn other_owners_stay_beside_the_sealed_secret() {
    let other = json!({ "apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "c" });
    let both = json!({ "ownerReferences": [other, owner("sealed-1")] });
    let written = replaced(&sealed(&[("a", "1")]), &secret(&both, &[]));
    let uids: Vec<_> = written
        .metadata
        .owner_references
        .unwrap()
        .into_iter()
        .map(|owner| owner.uid)
        .collect();
    assert_eq!(uids, ["c", "sealed-1"]);
}
