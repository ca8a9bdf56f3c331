//! Another controller over what one has left.

use crate::testing::fixture::*;
use crate::{
    object::ObjectKey,
    testing::{Cluster, seal, sealed_secret},
};

#[tokio::test]
async fn a_restart_over_unchanged_objects_asks_for_nothing_and_writes_nothing() {
    let cluster = Cluster::new();
    for number in 0..20 {
        let (name, label) = (format!("s{number}"), format!("team/s{number}"));
        cluster.put(
            SEALED,
            object(sealed_secret(
                "team",
                &name,
                &[("password", &seal(&label, VALUE))],
            )),
        );
    }
    Controller::new(&cluster).settle().await;
    cluster.forget_requests();

    let mut restarted = Controller::new(&cluster);
    restarted.settle().await;
    assert_eq!(cluster.requests(), []);
    assert_eq!(restarted.context.metrics.private_operations(), 0);
    assert_eq!(restarted.events(), [""; 0]);
}

#[tokio::test]
async fn a_secret_that_was_deleted_while_nobody_ran_is_made_again() {
    let cluster = cluster_with_db();
    Controller::new(&cluster).settle().await;
    cluster.delete(&format!("{SECRETS}/db"));
    let restarted = Controller::new(&cluster);
    restarted.settle().await;
    assert_eq!(restarted.value("db", "password").as_deref(), Some(VALUE));
}

#[tokio::test]
async fn a_secret_is_not_made_again_for_an_object_that_was_deleted_with_it() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    controller.settle().await;
    let secret = cluster.get(&format!("{SECRETS}/db")).unwrap();
    cluster.delete(&format!("{SEALED}/db"));
    cluster.delete(&format!("{SECRETS}/db"));
    // Of the two deletions only that of the Secret has been seen.
    let meta = serde_json::from_value(secret["metadata"].clone()).unwrap();
    crate::watch::target_deleted(&controller.context, ObjectKey::new("team", "db"), &meta);
    controller.once("db").await;
    assert_eq!(cluster.list(SECRETS), [] as [serde_json::Value; 0]);
    assert!(controller.context.sealed.is_empty());
}

#[tokio::test]
async fn without_a_watch_of_secrets_what_is_unchanged_is_still_recognised() {
    let cluster = cluster_with_db();
    Controller::new(&cluster).settle().await;
    cluster.forget_requests();
    let restarted = Controller::with_flags(&cluster, &["--skip-recreate"]);
    for sealed in cluster.list(SEALED) {
        crate::watch::keep(
            &restarted.context,
            serde_json::from_value(sealed).unwrap(),
            crate::watch::Source::Watch,
        );
    }
    restarted.work().await;
    assert_eq!(restarted.context.metrics.private_operations(), 0);
    assert_eq!(cluster.writes(), [""; 0]);
}

#[tokio::test]
async fn a_crash_between_secret_and_status_is_finished_by_the_next() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    cluster.fail(|_, path| {
        path.ends_with("/status")
            .then_some(crate::testing::Fault::Status(500, "InternalError"))
    });
    controller.settle().await;
    cluster.heal();
    cluster.forget_requests();
    let restarted = Controller::new(&cluster);
    restarted.settle().await;
    assert_eq!(
        cluster.writes(),
        [format!("PUT {SEALED}/db/status")],
        "the Secret is there and is not written again"
    );
    assert_eq!(restarted.conditions("db")[0], "Synced=True (Unsealed)");
}

#[tokio::test]
async fn issue_226_the_key_that_opened_an_item_is_remembered_and_tried_first() {
    use crate::testing::{newer_key, ring_of, test_key};
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    controller
        .context
        .ring
        .replace(ring_of(&[test_key(), newer_key()]));
    controller.settle().await;
    assert_eq!(
        controller.context.metrics.private_operations(),
        2,
        "newest first, then the right one"
    );
    edit(&cluster, SEALED, "db", |db| {
        db["spec"]["template"] = serde_json::json!({"type": "Opaque"});
    });
    controller.settle().await;
    assert_eq!(
        controller.context.metrics.private_operations(),
        3,
        "the right one at once"
    );
}

#[tokio::test]
async fn d23_an_object_without_its_key_is_mended_when_the_key_arrives() {
    use crate::testing::{key_secret, ring_of, test_key};
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    controller.context.ring.replace(ring_of(&[]));
    controller.settle().await;
    assert_eq!(
        controller.conditions("db")[0],
        "Synced=False (NoSealingKey)"
    );
    controller
        .context
        .keys
        .put(crate::keys::Seen::Label, key_secret(&test_key()));
    crate::keys::reload(&controller.context);
    controller.work().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
}

#[tokio::test]
async fn d22_a_key_secret_that_is_no_key_stops_nothing() {
    use crate::testing::{key_secret, test_key};
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    let mut broken = key_secret(&test_key());
    broken.metadata.name = Some("broken".into());
    broken.data = Some(
        [(
            "tls.key".into(),
            k8s_openapi::ByteString(b"not a key".to_vec()),
        )]
        .into(),
    );
    controller
        .context
        .keys
        .put(crate::keys::Seen::Label, broken);
    controller
        .context
        .keys
        .put(crate::keys::Seen::Label, key_secret(&test_key()));
    crate::keys::reload(&controller.context);
    assert_eq!(controller.context.ring.now().len(), 1);
    assert_eq!(controller.context.keys.keys().problems.len(), 1);
    controller.settle().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
}

#[tokio::test]
async fn d23_a_key_that_is_relabelled_or_deleted_is_used_no_more() {
    use crate::{
        keys::Seen,
        testing::{key_secret, newer_key, test_key},
    };
    let controller = Controller::new(&Cluster::new());
    for key in [test_key(), newer_key()] {
        controller.context.keys.put(Seen::Label, key_secret(&key));
    }
    crate::keys::reload(&controller.context);
    assert_eq!(
        controller.context.ring.now().newest().unwrap().name,
        "key-2"
    );
    controller.context.keys.remove(Seen::Label, "key-2");
    crate::keys::reload(&controller.context);
    assert_eq!(
        controller.context.ring.now().newest().unwrap().name,
        "key-1"
    );
}

#[tokio::test]
async fn issue_1289_of_secrets_that_belong_to_nobody_nothing_is_kept() {
    let cluster = cluster_with_db();
    for number in 0..50 {
        cluster.put(SECRETS, foreign(&format!("helm-release-{number}")));
    }
    let controller = Controller::new(&cluster);
    controller.settle().await;
    assert_eq!(
        controller.context.targets.keys(),
        [ObjectKey::new("team", "db")]
    );
}
