//! Statuses that cannot be written.

use http::Method;
use serde_json::json;

use crate::testing::fixture::*;
use crate::testing::{Cluster, Fault};

fn refuse_statuses(cluster: &Cluster, code: u16, reason: &'static str) {
    cluster.fail(move |method, path| {
        let status = *method == Method::PUT && path.ends_with("/status");
        status.then_some(Fault::Status(code, reason))
    });
}

#[tokio::test]
async fn an_object_whose_status_cannot_be_written_is_not_opened_again() {
    for (code, reason) in [
        (404, "NotFound"),
        (500, "etcdserver: request is too large"),
        (403, "Forbidden"),
    ] {
        let cluster = cluster_with_db();
        let mut controller = Controller::new(&cluster);
        refuse_statuses(&cluster, code, reason);
        controller.settle().await;
        for _ in 0..3 {
            controller.once("db").await;
        }
        let metrics = &controller.context.metrics;
        assert_eq!(metrics.private_operations(), 1, "{reason}");
        assert_eq!(controller.events().len(), 1, "{reason}");
        cluster.heal();
        controller.once("db").await;
        assert_eq!(controller.conditions("db")[0], "Synced=True (Unsealed)");
        cluster.forget_requests();
        controller.once("db").await;
        assert_eq!(cluster.requests(), [], "{reason}");
    }
}

#[tokio::test]
async fn an_object_whose_status_cannot_be_written_is_still_worked_on_when_it_changes() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    refuse_statuses(&cluster, 500, "InternalError");
    controller.settle().await;
    edit(&cluster, SEALED, "db", |db| {
        db["spec"]["template"] = json!({"metadata": {"labels": {"new": "label"}}});
    });
    controller.settle().await;
    let label = |cluster: &Cluster| {
        cluster.get(&format!("{SECRETS}/db")).unwrap()["metadata"]["labels"]["new"].clone()
    };
    assert_eq!(label(&cluster), "label");
    edit(&cluster, SECRETS, "db", |secret| {
        secret["metadata"]["labels"] = json!({});
    });
    controller.settle().await;
    assert_eq!(label(&cluster), "label", "the Secret is repaired, too");
}

#[tokio::test]
async fn a_resource_definition_without_statuses_is_told_apart_from_a_conflict() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    refuse_statuses(&cluster, 404, "NotFound");
    controller.settle().await;
    let puts = cluster
        .writes()
        .iter()
        .filter(|write| write.ends_with("/status"))
        .count();
    assert_eq!(puts, 1, "{:?}", cluster.writes());
    let sealed = controller.sealed("db");
    let key = crate::object::ObjectKey::new("team", "db");
    let (outcome, _) = controller.context.unwritten.of(&key, &sealed).unwrap();
    let error = crate::report::write_status(&controller.context, &key, &sealed, &outcome).await;
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("no subresource `status`")
    );
}

#[tokio::test]
async fn a_status_that_is_too_large_is_written_without_what_can_be_missed() {
    let cluster = Cluster::new();
    let mut db = db();
    db["spec"]["template"] = json!({"metadata": {"labels": {"some": "label"}}});
    cluster.put(SEALED, db);
    let controller = Controller::new(&cluster);
    let mut left = 1;
    cluster.fail(move |method, path| {
        let first = *method == Method::PUT && path.ends_with("/status") && left > 0;
        first.then(|| {
            left -= 1;
            Fault::Status(500, "etcdserver: request is too large")
        })
    });
    controller.settle().await;
    assert_eq!(controller.conditions("db")[0], "Synced=True (Unsealed)");
    let applied = controller.sealed("db").status.unwrap().applied.unwrap();
    assert!(applied.metadata.is_empty() && !applied.keys.is_empty());
    cluster.forget_requests();
    controller.once("db").await;
    assert_eq!(cluster.requests(), [], "it is recognised");
}
