//! Secrets that are in the way, and writes that meet others.

use std::time::Duration;

use serde_json::json;

use crate::testing::fixture::*;
use crate::{object::ObjectKey, testing::Fault, vacancy::MOMENT, watch};

#[tokio::test]
async fn issue_1090_a_conflict_heals_when_the_secret_in_the_way_is_deleted() {
    let cluster = cluster_with_db();
    cluster.put(SECRETS, foreign("db"));
    let mut controller = Controller::new(&cluster);
    controller.settle().await;
    assert_eq!(
        controller.value("db", "theirs"),
        Some(b"x".to_vec()),
        "it is never touched"
    );
    assert_eq!(
        controller.conditions("db"),
        [
            "Synced=False (Conflict)",
            "Ready=False (Conflict)",
            "Stalled=True (Conflict)"
        ]
    );
    let message = controller.message("db");
    assert!(
        message.starts_with(
            "failed update: Resource \"db\" already exists and is not managed by SealedSecret"
        ),
        "{message}"
    );

    let before = cluster.get(&format!("{SECRETS}/db")).unwrap();
    cluster.delete(&format!("{SECRETS}/db"));
    let meta = serde_json::from_value(before["metadata"].clone()).unwrap();
    watch::target_deleted(&controller.context, ObjectKey::new("team", "db"), &meta);
    assert_eq!(
        controller.work().await,
        0,
        "not at once: that would be recreating what one does not own"
    );
    tokio::time::sleep(MOMENT + Duration::from_millis(50)).await;
    controller.work().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
    assert_eq!(
        controller.conditions("db"),
        ["Synced=True (Unsealed)", "Ready=True (Unsealed)"]
    );
    let events = controller.events();
    assert!(
        events[0].starts_with("ErrUpdateFailed: ") && events[1].starts_with("Unsealed: "),
        "{events:?}"
    );
}

#[tokio::test]
async fn issue_603_a_status_that_says_false_is_mended_after_a_restart() {
    let cluster = cluster_with_db();
    cluster.put(SECRETS, foreign("db"));
    Controller::new(&cluster).settle().await;
    cluster.delete(&format!("{SECRETS}/db"));
    let restarted = Controller::new(&cluster);
    restarted.settle().await;
    assert_eq!(
        restarted.conditions("db"),
        ["Synced=True (Unsealed)", "Ready=True (Unsealed)"]
    );
}

#[tokio::test]
async fn a_managed_secret_is_taken_over_and_a_patched_one_added_to() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    let mut secret = foreign("db");
    secret["metadata"]["annotations"] = json!({"sealedsecrets.bitnami.com/patch": "true"});
    cluster.put(SECRETS, secret);
    controller.settle().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
    assert_eq!(controller.value("db", "theirs").as_deref(), Some(&b"x"[..]));
    edit(&cluster, SECRETS, "db", |secret| {
        secret["metadata"]["annotations"] = json!({"sealedsecrets.bitnami.com/managed": "true"});
    });
    controller.settle().await;
    assert_eq!(controller.value("db", "theirs"), None);
}

#[tokio::test]
async fn a_patched_secret_that_is_deleted_is_not_made_again() {
    let cluster = cluster_with_db();
    let mut secret = foreign("db");
    secret["metadata"]["annotations"] = json!({"sealedsecrets.bitnami.com/patch": "true"});
    cluster.put(SECRETS, secret);
    let controller = Controller::new(&cluster);
    controller.settle().await;
    let before = cluster.get(&format!("{SECRETS}/db")).unwrap();
    cluster.delete(&format!("{SECRETS}/db"));
    let meta = serde_json::from_value(before["metadata"].clone()).unwrap();
    watch::target_deleted(&controller.context, ObjectKey::new("team", "db"), &meta);
    tokio::time::sleep(MOMENT + Duration::from_millis(50)).await;
    controller.work().await;
    assert_eq!(cluster.list(SECRETS), [] as [serde_json::Value; 0]);
    assert_eq!(controller.conditions("db")[0], "Synced=False (TargetGone)");
}

#[tokio::test]
async fn a_secret_that_changes_between_reading_and_writing_is_read_again() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    controller.settle().await;
    edit(&cluster, SEALED, "db", |db| {
        db["spec"]["template"] = json!({"metadata": {"labels": {"new": "label"}}});
    });
    let (other, mut left) = (cluster.clone(), 1);
    cluster.fail(move |method, path| {
        if *method == http::Method::PUT && path.ends_with("/secrets/db") && left > 0 {
            left -= 1;
            edit(&other, SECRETS, "db", |secret| {
                secret["metadata"]["labels"] = json!({"their": "label"});
            });
        }
        None
    });
    controller.settle().await;
    let labels = cluster.get(&format!("{SECRETS}/db")).unwrap()["metadata"]["labels"].clone();
    assert_eq!(labels, json!({"new": "label", "their": "label"}));
}

#[tokio::test]
async fn an_object_edited_while_it_is_worked_on_keeps_the_edit_and_is_worked_on_again() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    let (other, mut left) = (cluster.clone(), 1);
    cluster.fail(move |method, path| {
        if *method == http::Method::PUT && path.ends_with("/status") && left > 0 {
            left -= 1;
            edit(&other, SEALED, "db", |db| {
                db["spec"]["template"] = json!({"metadata": {"labels": {"new": "label"}}});
            });
        }
        None
    });
    controller.settle().await;
    assert_eq!(
        controller.sealed("db").status,
        None,
        "the status of the old generation is not written on the new one"
    );
    controller.settle().await;
    assert_eq!(
        controller.sealed("db").status.unwrap().observed_generation,
        Some(2)
    );
}

#[tokio::test]
async fn an_annotation_that_was_added_just_before_our_status_is_not_overlooked() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    let (other, mut left) = (cluster.clone(), 1);
    cluster.fail(move |method, path| {
        if *method == http::Method::PUT && path.ends_with("/status") && left > 0 {
            left -= 1;
            edit(&other, SEALED, "db", |db| {
                db["metadata"]["annotations"] = json!({"signet.dev/suspend": "true"});
            });
        }
        None
    });
    controller.settle().await;
    assert_eq!(controller.conditions("db")[0], "Synced=True (Suspended)");
}

#[tokio::test]
async fn a_second_controller_that_writes_over_us_is_named_and_not_fought() {
    let cluster = cluster_with_db();
    let mut controller = Controller::new(&cluster);
    controller.settle().await;
    for _ in 0..crate::rival::OFTEN {
        edit(&cluster, SECRETS, "db", |secret| {
            secret["data"]["password"] = json!("dGhlaXJz");
            secret["metadata"]["managedFields"] = json!([{"manager": "controller", "operation": "Update", "time": "2026-01-01T00:00:00Z"}]);
        });
        controller.settle().await;
    }
    edit(&cluster, SECRETS, "db", |secret| {
        secret["data"]["password"] = json!("dGhlaXJz");
    });
    cluster.forget_requests();
    controller.settle().await;
    assert_eq!(
        cluster.writes(),
        [format!("PUT {SEALED}/db/status")],
        "its Secret is left alone"
    );
    assert_eq!(controller.conditions("db")[0], "Synced=False (OtherWriter)");
    assert!(
        controller.message("db").contains("`controller`"),
        "{}",
        controller.message("db")
    );
    assert!(
        controller
            .events()
            .last()
            .unwrap()
            .starts_with("ErrUpdateFailed: `controller` writes")
    );
}

#[tokio::test]
async fn a_secret_that_never_holds_still_is_given_up_for_now() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    cluster.fail(|method, path| {
        (*method == http::Method::POST && path.ends_with("/secrets"))
            .then_some(Fault::Status(409, "AlreadyExists"))
    });
    controller.settle().await;
    assert_eq!(
        controller.conditions("db")[0],
        "Synced=False (UpdateFailed)"
    );
    assert!(
        controller
            .conditions("db")
            .contains(&"Reconciling=True (UpdateFailed)".to_owned())
    );
}
