//! The watches and the workers together, over the API server in memory.

use std::{sync::Arc, time::Duration};

use serde_json::json;

use super::*;
use crate::{
    shutdown::{Shutdown, Trigger},
    testing::{Cluster, fixture::*, key_secret, newer_key, seal, sealed_secret, test_key},
    workers,
};

const KEYS: &str = "/api/v1/namespaces/kube-system/secrets";

/// A running controller; it stops when this goes.
struct Running {
    controller: Arc<Controller>,
    _trigger: Trigger,
    _tasks: tokio::task::JoinSet<()>,
}

fn run(cluster: &Cluster, flags: &[&str]) -> Running {
    let controller = Arc::new(Controller::with_flags(cluster, flags));
    controller
        .context
        .ring
        .replace(crate::testing::ring_of(&[]));
    let (trigger, shutdown) = Shutdown::new();
    let mut tasks = tokio::task::JoinSet::new();
    for name in KEY_WATCHES {
        controller.context.health.expect(name);
    }
    controller.context.health.expect(&sealed_name(None));
    let (a, b, c, d) = (
        controller.clone(),
        controller.clone(),
        controller.clone(),
        controller.clone(),
    );
    tasks.spawn(async move { follow_keys(&a.context).await });
    tasks.spawn(async move { follow_sealed_secrets(&b.context, None).await });
    tasks.spawn(async move {
        c.context.health.wait_synced("").await;
        follow_targets(&c.context, None).await;
    });
    tasks.spawn(async move {
        d.context.health.wait_synced("").await;
        workers::run(d.context.clone(), 2, shutdown).await;
    });
    Running {
        controller,
        _trigger: trigger,
        _tasks: tasks,
    }
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not in time: {what}");
}

fn with_key() -> Cluster {
    let cluster = Cluster::new();
    cluster.put(KEYS, key_secret(&test_key()));
    cluster
}

impl Running {
    fn opened(&self, name: &str) -> bool {
        self.controller.value(name, "password").as_deref() == Some(VALUE)
    }
}

#[tokio::test]
async fn what_is_applied_edited_and_deleted_is_followed() {
    let cluster = with_key();
    let running = run(&cluster, &[]);
    cluster.put(SEALED, db());
    until("the Secret", || running.opened("db")).await;
    cluster.delete(&format!("{SECRETS}/db"));
    until("the Secret again", || running.opened("db")).await;
    cluster.delete(&format!("{SEALED}/db"));
    until("oblivion", || running.controller.context.sealed.is_empty()).await;
}

#[tokio::test]
async fn d23_a_key_that_comes_and_goes_is_noticed_without_a_restart() {
    let cluster = Cluster::new();
    cluster.put(SEALED, db());
    let running = run(&cluster, &[]);
    let ring = || running.controller.context.ring.now();
    cluster.put(KEYS, key_secret(&newer_key()));
    until("a key", || ring().len() == 1).await;
    until("the failure", || {
        running
            .controller
            .message("db")
            .contains("no key could decrypt")
    })
    .await;
    cluster.put(KEYS, key_secret(&test_key()));
    until("the Secret", || running.opened("db")).await;
    edit(&cluster, KEYS, "key-2", |key| {
        key["metadata"]["labels"] =
            json!({"sealedsecrets.bitnami.com/sealed-secrets-key": "compromised"});
    });
    until("the relabelled key to go", || ring().len() == 1).await;
    cluster.delete(&format!("{KEYS}/key-1"));
    until("the deleted key to go", || ring().is_empty()).await;
}

#[tokio::test]
async fn the_unlabelled_key_of_old_installations_is_found_by_its_name() {
    let cluster = Cluster::new();
    let mut legacy = key_secret(&test_key());
    legacy.metadata.name = Some("sealed-secrets-key".into());
    legacy.metadata.labels = None;
    cluster.put(KEYS, legacy);
    cluster.put(SEALED, db());
    let running = run(&cluster, &[]);
    until("the Secret", || running.opened("db")).await;
}

#[tokio::test]
async fn d15_the_selector_of_sealed_secrets_is_not_asked_of_secrets() {
    let cluster = with_key();
    let mut db = db();
    db["metadata"]["labels"] = json!({"class": "ours"});
    cluster.put(SEALED, db);
    cluster.put(
        SEALED,
        object(sealed_secret(
            "team",
            "other",
            &[("password", &seal("team/other", VALUE))],
        )),
    );
    let running = run(&cluster, &["--label-selector=class=ours"]);
    until("the Secret", || running.opened("db")).await;
    cluster.delete(&format!("{SECRETS}/db"));
    until("the Secret without the label again", || {
        running.opened("db")
    })
    .await;
    assert!(!running.opened("other"));
}

#[tokio::test]
async fn d14_a_deletion_that_nobody_saw_is_noticed_by_the_next_list() {
    let cluster = with_key();
    cluster.put(SEALED, db());
    let running = run(&cluster, &[]);
    until("the Secret", || running.opened("db")).await;
    until("the status", || {
        running.controller.sealed("db").status.is_some()
    })
    .await;
    cluster.delete_unseen(&format!("{SECRETS}/db"));
    cluster.expire_watches();
    until("the Secret again", || running.opened("db")).await;
}

#[tokio::test]
async fn a_list_that_is_refused_is_told_and_tried_again() {
    let cluster = with_key();
    cluster.put(SEALED, db());
    cluster.fail(|method, path| {
        let list = *method == http::Method::GET && path.ends_with("/sealedsecrets");
        list.then_some(crate::testing::Fault::Status(403, "Forbidden"))
    });
    let running = run(&cluster, &[]);
    let ready = || running.controller.context.health.ready();
    until("the reason", || {
        ready().is_err_and(|why| why.contains("cannot list SealedSecrets"))
    })
    .await;
    cluster.heal();
    until("the Secret", || running.opened("db")).await;
    assert_eq!(ready(), Ok(()));
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_refused_for_long_is_tried_seldom() {
    let cluster = with_key();
    cluster.fail(|_, path| {
        path.ends_with("/sealedsecrets")
            .then_some(crate::testing::Fault::Status(403, "Forbidden"))
    });
    let running = run(&cluster, &[]);
    let lists = || {
        let asked = cluster.requests();
        asked
            .iter()
            .filter(|(_, path)| path.ends_with("/sealedsecrets"))
            .count()
    };
    tokio::time::sleep(Duration::from_mins(2)).await;
    assert!(
        (3..=12).contains(&lists()),
        "{} lists in two minutes",
        lists()
    );
    cluster.heal();
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert!(running.controller.context.health.ready().is_ok());
}
