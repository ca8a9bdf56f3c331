#![allow(clippy::unwrap_used, clippy::expect_used)]
use std::time::Duration;

use jiff::Timestamp;

use super::*;
use crate::{
    args::Args,
    testing::{Cluster, Fault, fixture::Controller, key_secret, newer_key, test_key},
    watch::KEY_WATCHES,
};

const SECRETS: &str = "/api/v1/namespaces/kube-system/secrets";

/// Lets keys be kept for a while over a cluster whose key Secrets have been seen; returns how many
/// there are then.
async fn kept(cluster: &Cluster, flags: &[&str], wait: Duration) -> usize {
    let flags: Vec<&str> = flags.iter().copied().chain(["--key-size=2048"]).collect();
    let controller = Controller::with_flags(cluster, &flags);
    let args = Args::parse_from(std::iter::once("controller").chain(flags))
        .unwrap()
        .keys;
    for object in cluster.list(SECRETS) {
        controller
            .context
            .keys
            .put(Seen::Label, serde_json::from_value(object).unwrap());
    }
    reload(&controller.context);
    for watch in KEY_WATCHES {
        controller.context.health.synced(watch);
    }
    let keeping = tokio::spawn(keep(controller.context.clone(), args));
    let enough = async {
        while cluster.list(SECRETS).is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(20), enough).await;
    tokio::time::sleep(wait).await;
    keeping.abort();
    cluster.list(SECRETS).len()
}

#[tokio::test]
async fn without_a_key_one_is_made_as_the_peer_makes_it_and_only_one() {
    let cluster = Cluster::new();
    let flags = [
        "--privatekey-labels=team=a",
        "--my-cn=cluster one",
        "--key-ttl=24h",
    ];
    assert_eq!(kept(&cluster, &flags, Duration::from_millis(500)).await, 1);
    let secret: Secret = serde_json::from_value(cluster.list(SECRETS).remove(0)).unwrap();
    assert!(secret.name_any().starts_with("sealed-secrets-key"));
    assert_eq!(secret.labels()["team"], "a");
    assert_eq!(
        secret.labels()["sealedsecrets.bitnami.com/sealed-secrets-key"],
        "active"
    );
    assert_eq!(secret.type_.as_deref(), Some("kubernetes.io/tls"));
    let keys = ring::from_secrets(&[secret], Order::CertNotBefore, "sealed-secrets-key").ring;
    let certificate = &keys.newest().unwrap().certificate;
    assert_eq!(certificate.common_name(), Some("cluster one"));
    let left = certificate.not_after().duration_since(Timestamp::now());
    assert!(left.as_hours() == 23, "{left}");
}

#[tokio::test]
async fn issue_1588_nothing_is_made_when_a_valid_key_was_restored() {
    let cluster = Cluster::new();
    // Its certificate is of 1970, far older than the period; its Secret is new.
    let mut restored = serde_json::to_value(key_secret(&test_key())).unwrap();
    cluster.put(SECRETS, restored.take());
    let period = format!("--key-renew-period={}h", 24 * 365 * 10);
    assert_eq!(
        kept(&cluster, &[&period], Duration::from_millis(500)).await,
        1
    );
}

#[tokio::test]
async fn a_key_past_its_period_gets_a_successor_and_stays() {
    let cluster = Cluster::new();
    cluster.put(SECRETS, key_secret(&test_key()));
    // The Secrets of this cluster are of January 2026.
    assert_eq!(
        kept(
            &cluster,
            &["--key-renew-period=24h"],
            Duration::from_secs(3)
        )
        .await,
        2
    );
}

#[tokio::test]
async fn a_cutoff_in_the_future_makes_one_key_and_not_one_after_the_other() {
    let cluster = Cluster::new();
    cluster.put(SECRETS, key_secret(&test_key()));
    let flags = [
        "--key-cutoff-time=Fri, 01 Jan 2100 00:00:00 +0000",
        "--key-renew-period=0",
    ];
    assert_eq!(kept(&cluster, &flags, Duration::from_secs(3)).await, 2);
}

#[tokio::test]
async fn issue_702_where_a_key_must_exist_none_is_ever_made() {
    let cluster = Cluster::new();
    let controller = Controller::with_flags(&cluster, &[]);
    let args = Args::parse_from(["controller", "--require-existing-key"])
        .unwrap()
        .keys;
    for watch in KEY_WATCHES {
        controller.context.health.synced(watch);
    }
    let keeping = tokio::spawn(keep(controller.context.clone(), args));
    tokio::time::sleep(Duration::from_millis(500)).await;
    keeping.abort();
    assert_eq!(cluster.requests(), []);
}

#[tokio::test]
async fn nothing_is_made_before_all_keys_have_been_seen() {
    let cluster = Cluster::new();
    let controller = Controller::with_flags(&cluster, &[]);
    for watch in KEY_WATCHES {
        controller.context.health.expect(watch);
    }
    controller.context.health.synced(KEY_WATCHES[0]);
    let args = Args::parse_from(["controller"]).unwrap().keys;
    let keeping = tokio::spawn(keep(controller.context.clone(), args));
    tokio::time::sleep(Duration::from_millis(300)).await;
    keeping.abort();
    assert_eq!(cluster.requests(), []);
}

#[tokio::test(start_paused = true)]
async fn a_key_that_cannot_be_stored_is_tried_again() {
    let cluster = Cluster::new();
    let mut left = 2;
    cluster.fail(move |method, _| {
        let refused = *method == http::Method::POST && left > 0;
        left -= i32::from(refused);
        refused.then_some(Fault::Status(500, "InternalError"))
    });
    assert_eq!(kept(&cluster, &[], Duration::from_mins(1)).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_last_key_that_is_deleted_can_be_restored_before_another_is_made() {
    let cluster = Cluster::new();
    let controller = Controller::with_flags(&cluster, &[]);
    let flags = ["controller", "--key-size=2048", "--key-renew-period=0"];
    let args = Args::parse_from(flags).unwrap().keys;
    for watch in KEY_WATCHES {
        controller.context.health.synced(watch);
    }
    let (context, key) = (&controller.context, newer_key());
    context.keys.put(Seen::Label, key_secret(&key));
    reload(context);
    let keeping = tokio::spawn(keep(context.clone(), args));
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        context.keys.remove(Seen::Label, &key.name);
        reload(context);
        tokio::time::sleep(Duration::from_secs(50)).await;
        assert_eq!(cluster.list(SECRETS).len(), 0);
        context.keys.put(Seen::Label, key_secret(&key));
        reload(context);
    }
    tokio::time::sleep(Duration::from_mins(5)).await;
    assert_eq!(cluster.list(SECRETS).len(), 0, "it was restored");
    context.keys.remove(Seen::Label, &key.name);
    reload(context);
    let made = async {
        while cluster.list(SECRETS).is_empty() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_hours(1), made)
        .await
        .unwrap();
    keeping.abort();
}
