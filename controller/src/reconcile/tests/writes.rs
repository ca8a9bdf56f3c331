//! What is written for what.

use serde_json::json;

use crate::testing::fixture::*;
use crate::{
    metrics::Written,
    testing::{Cluster, seal, sealed_secret},
};

#[tokio::test]
async fn a_new_object_costs_a_create_a_status_and_an_event() {
    let cluster = cluster_with_db();
    let mut controller = Controller::new(&cluster);
    controller.settle().await;
    assert_eq!(
        cluster.writes(),
        [format!("POST {SECRETS}"), format!("PUT {SEALED}/db/status")]
    );
    assert_eq!(
        cluster.requests().len(),
        2,
        "nothing is read that need not be: {:?}",
        cluster.requests()
    );
    assert_eq!(
        controller.events(),
        ["Unsealed: SealedSecret unsealed successfully"]
    );
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
    assert_eq!(
        controller.conditions("db"),
        ["Synced=True (Unsealed)", "Ready=True (Unsealed)"]
    );
    assert_eq!(controller.context.metrics.private_operations(), 1);
}

#[tokio::test]
async fn own_writes_that_come_by_in_the_watch_are_no_work() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    controller.settle().await;
    cluster.forget_requests();
    assert_eq!(controller.settle().await, 0);
    assert_eq!(cluster.requests(), []);
}

#[tokio::test]
async fn an_edit_replaces_the_secret_and_moves_the_status_to_the_new_generation() {
    let cluster = cluster_with_db();
    let mut controller = Controller::new(&cluster);
    controller.settle().await;
    edit(&cluster, SEALED, "db", |db| {
        db["spec"]["encryptedData"] = json!({"other": seal("team/db", b"new")});
    });
    controller.settle().await;
    assert_eq!(
        (
            controller.value("db", "password"),
            controller.value("db", "other")
        ),
        (None, Some(b"new".to_vec()))
    );
    assert_eq!(
        controller.sealed("db").status.unwrap().observed_generation,
        Some(2)
    );
    assert_eq!(controller.written(Written::SecretReplaced), 1);
    assert_eq!(controller.events().len(), 2);
}

#[tokio::test]
async fn d3_a_missing_scope_annotation_that_is_added_mends_the_object() {
    let cluster = Cluster::new();
    cluster.put(
        SEALED,
        object(sealed_secret(
            "team",
            "db",
            &[("password", &seal("team", VALUE))],
        )),
    );
    let controller = Controller::new(&cluster);
    controller.settle().await;
    assert_eq!(controller.value("db", "password"), None);
    assert!(
        controller
            .message("db")
            .contains("no key could decrypt secret (password)"),
        "{}",
        controller.message("db")
    );
    edit(&cluster, SEALED, "db", |db| {
        db["metadata"]["annotations"] = json!({"sealedsecrets.bitnami.com/namespace-wide": "true"});
    });
    controller.settle().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
    assert_eq!(
        controller.conditions("db"),
        ["Synced=True (Unsealed)", "Ready=True (Unsealed)"]
    );
}

#[tokio::test]
async fn a_secret_that_others_changed_is_repaired_and_left_if_the_author_wants_that() {
    for (annotation, repaired) in [("true", true), ("false", false)] {
        let cluster = Cluster::new();
        let mut db = db();
        db["metadata"]["annotations"] = json!({"signet.dev/drift-repair": annotation});
        cluster.put(SEALED, db);
        let controller = Controller::new(&cluster);
        controller.settle().await;
        edit(&cluster, SECRETS, "db", |secret| {
            secret["data"]["password"] = json!("dGhlaXJz");
        });
        controller.settle().await;
        assert_eq!(
            controller.value("db", "password").as_deref() == Some(VALUE),
            repaired,
            "{annotation}"
        );
    }
}

#[tokio::test]
async fn a_label_that_another_tool_sets_on_the_secret_stays() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    controller.settle().await;
    edit(&cluster, SECRETS, "db", |secret| {
        secret["metadata"]["labels"] = json!({"backup": "yes"});
    });
    controller.settle().await;
    assert_eq!(
        cluster.get(&format!("{SECRETS}/db")).unwrap()["metadata"]["labels"]["backup"],
        "yes"
    );
    assert_eq!(controller.written(Written::SecretReplaced), 0);
    cluster.forget_requests();
    assert_eq!(controller.settle().await, 0, "the new version is known now");
}

#[tokio::test]
async fn a_suspended_object_is_left_alone_until_it_is_not() {
    let cluster = Cluster::new();
    let mut db = db();
    db["metadata"]["annotations"] = json!({"signet.dev/suspend": "true"});
    cluster.put(SEALED, db);
    let controller = Controller::new(&cluster);
    controller.settle().await;
    assert_eq!(controller.value("db", "password"), None);
    assert_eq!(controller.conditions("db")[0], "Synced=Unknown (Suspended)");
    edit(&cluster, SEALED, "db", |db| {
        db["metadata"]["annotations"] = json!({});
    });
    controller.settle().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
}

#[tokio::test]
async fn observing_writes_nothing() {
    let cluster = cluster_with_db();
    let mut controller = Controller::with_flags(&cluster, &["--observe"]);
    controller.settle().await;
    assert_eq!(cluster.writes(), [""; 0]);
    assert_eq!(controller.events(), [""; 0]);
}

#[tokio::test]
async fn without_status_updates_the_secret_is_made_and_nothing_else_written() {
    let cluster = cluster_with_db();
    let controller = Controller::with_flags(&cluster, &["--update-status=false"]);
    controller.settle().await;
    assert_eq!(cluster.writes(), [format!("POST {SECRETS}")]);
}

#[tokio::test]
async fn issue_2059_default_labels_reach_the_secret_and_the_template_wins() {
    let cluster = Cluster::new();
    let mut db = db();
    db["spec"]["template"] = json!({"metadata": {"labels": {"tier": "gold"}}});
    cluster.put(SEALED, db);
    let controller = Controller::with_flags(
        &cluster,
        &["--default-labels=tier=any,velero.io/exclude-from-backup=true"],
    );
    controller.settle().await;
    let labels = cluster.get(&format!("{SECRETS}/db")).unwrap()["metadata"]["labels"].clone();
    assert_eq!(
        labels,
        json!({"tier": "gold", "velero.io/exclude-from-backup": "true"})
    );
}

#[tokio::test]
async fn workloads_are_restarted_when_the_data_changes_and_not_when_it_comes_into_being() {
    let deployments = "/apis/apps/v1/namespaces/team/deployments";
    let cluster = Cluster::new();
    let template = json!({"spec": {"containers": [{"name": "c", "envFrom": [{"secretRef": {"name": "db"}}]}]}});
    cluster.put(
        deployments,
        json!({"metadata": {"name": "web"}, "spec": {"selector": {}, "template": template}}),
    );
    let mut db = db();
    db["metadata"]["annotations"] = json!({"signet.dev/restart-workloads": "true"});
    cluster.put(SEALED, db);
    let controller = Controller::new(&cluster);
    let restarted = || {
        let web = cluster.get(&format!("{deployments}/web")).unwrap();
        !web["spec"]["template"]["metadata"]["annotations"]["signet.dev/restarted-at"].is_null()
    };
    controller.settle().await;
    assert!(!restarted());
    edit(&cluster, SEALED, "db", |db| {
        db["spec"]["template"] = json!({"metadata": {"labels": {"only": "metadata"}}});
    });
    controller.settle().await;
    assert!(!restarted());
    edit(&cluster, SEALED, "db", |db| {
        db["spec"]["encryptedData"]["password"] = json!(seal("team/db", b"new"));
    });
    controller.settle().await;
    assert!(restarted());
}

#[tokio::test]
async fn a_deleted_object_takes_its_secret_along_here_only_if_that_is_asked_for() {
    for (flags, left) in [(&[][..], 1), (&["--old-gc-behavior"], 0)] {
        let cluster = cluster_with_db();
        let controller = Controller::with_flags(&cluster, flags);
        controller.settle().await;
        cluster.delete(&format!("{SEALED}/db"));
        crate::watch::sealed_deleted(
            &controller.context,
            &crate::object::ObjectKey::new("team", "db"),
        );
        controller.work().await;
        assert_eq!(cluster.list(SECRETS).len(), left, "{flags:?}");
    }
}

#[tokio::test]
async fn old_gc_does_not_delete_a_secret_that_is_somebody_elses() {
    let cluster = cluster_with_db();
    cluster.put(SECRETS, foreign("db"));
    let controller = Controller::with_flags(&cluster, &["--old-gc-behavior"]);
    controller.settle().await;
    cluster.delete(&format!("{SEALED}/db"));
    crate::watch::sealed_deleted(
        &controller.context,
        &crate::object::ObjectKey::new("team", "db"),
    );
    controller.work().await;
    assert_eq!(cluster.list(SECRETS).len(), 1);
}

#[tokio::test]
async fn old_gc_does_not_take_the_word_of_a_status_for_whose_a_secret_is() {
    let cluster = cluster_with_db();
    cluster.put(SECRETS, foreign("db"));
    let uid = cluster.get(&format!("{SECRETS}/db")).unwrap()["metadata"]["uid"].clone();
    edit(&cluster, SEALED, "db", |db| {
        db["status"] = json!({"applied": {
            "digest": "sha256:00", "secretUid": uid, "secretResourceVersion": "1", "mode": "Owned",
        }});
    });
    let controller = Controller::with_flags(&cluster, &["--old-gc-behavior"]);
    controller.settle().await;
    cluster.delete(&format!("{SEALED}/db"));
    crate::watch::sealed_deleted(
        &controller.context,
        &crate::object::ObjectKey::new("team", "db"),
    );
    controller.work().await;
    assert_eq!(cluster.list(SECRETS).len(), 1);
}
