//! Deletions that overtake what they concern.

use http::Method;
use serde_json::json;

use crate::testing::fixture::*;
use crate::{object::ObjectKey, testing::Cluster, vacancy::MOMENT, watch};

fn key() -> ObjectKey {
    ObjectKey::new("team", "db")
}

#[tokio::test]
async fn an_object_deleted_while_its_status_was_written_does_not_come_back() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    let context = controller.context.clone();
    let other = cluster.clone();
    cluster.before_answers(move |method, path, _| {
        if *method == Method::PUT && path.ends_with("/status") {
            other.delete(&format!("{SEALED}/db"));
            watch::sealed_deleted(&context, &key());
        }
    });
    controller.settle().await;
    assert!(controller.context.sealed.is_empty());
    cluster.delete(&format!("{SECRETS}/db"));
    controller.once("db").await;
    assert_eq!(cluster.list(SECRETS), [] as [serde_json::Value; 0]);
}

#[tokio::test]
async fn an_object_deleted_while_it_was_opened_gets_no_secret() {
    let cluster = cluster_with_db();
    let mut theirs = foreign("db");
    theirs["metadata"]["annotations"] = json!({"sealedsecrets.bitnami.com/managed": "true"});
    cluster.put(SECRETS, theirs);
    let controller = Controller::new(&cluster);
    let context = controller.context.clone();
    cluster.fail(move |method, path| {
        if *method == Method::GET && path.ends_with("/secrets/db") {
            watch::sealed_deleted(&context, &key());
        }
        None
    });
    controller.settle().await;
    assert_eq!(cluster.writes(), [""; 0]);
}

/// Something that deletes each Secret before the controller hears that it made it.
fn deletes_at_once(cluster: &Cluster, controller: &Controller) {
    let (other, context) = (cluster.clone(), controller.context.clone());
    cluster.before_answers(move |method, path, answer| {
        if *method == Method::POST && path.ends_with("/secrets") {
            other.delete(&format!("{SECRETS}/db"));
            let meta = serde_json::from_value(answer["metadata"].clone()).unwrap();
            watch::target_deleted(&context, key(), &meta);
        }
    });
}

#[tokio::test]
async fn a_secret_deleted_before_the_answer_to_its_create_is_not_taken_for_there() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    deletes_at_once(&cluster, &controller);
    controller.settle().await;
    assert_eq!(controller.context.targets.get(&key()), None);
    assert_eq!(
        controller.sealed("db").status,
        None,
        "nothing to be proud of"
    );
    cluster.heal();
    tokio::time::sleep(2 * MOMENT).await;
    controller.work().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
    assert_eq!(controller.conditions("db")[0], "Synced=True (Unsealed)");
}

#[tokio::test]
async fn a_secret_that_is_deleted_again_and_again_is_told_and_made_ever_later() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    controller.settle().await;
    let secret = cluster.get(&format!("{SECRETS}/db")).unwrap();
    let meta = serde_json::from_value(secret["metadata"].clone()).unwrap();
    cluster.delete(&format!("{SECRETS}/db"));
    for _ in 0..4 {
        watch::target_deleted(&controller.context, key(), &meta);
    }
    cluster.forget_requests();
    controller.work().await;
    assert_eq!(cluster.writes(), [format!("PUT {SEALED}/db/status")]);
    assert_eq!(
        controller.conditions("db"),
        [
            "Synced=False (OtherWriter)",
            "Ready=False (OtherWriter)",
            "Stalled=True (OtherWriter)"
        ]
    );
    assert!(controller.message("db").contains("deleted again and again"));
    tokio::time::sleep(2 * MOMENT).await;
    assert_eq!(controller.work().await, 0, "not as soon as the first time");
}
