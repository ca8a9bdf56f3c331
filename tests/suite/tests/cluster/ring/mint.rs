//! Keys that are made: at the first start, by period, by signal; and when none may be made.

use jiff::SignedDuration;
use signet_kit::Controller;
use signet_kit::key_secret::{self, KeyPair};

use super::{DAY, aged, put};
use crate::stage::{Solo, keys, shared_plane};

#[tokio::test]
async fn the_first_key_is_written_as_the_peer_writes_it() {
    let flags = [
        "--privatekey-labels=team=a",
        "--privatekey-annotations=note=b",
        "--my-cn=seal.example.com",
    ];
    let solo = Solo::start("first-key", &flags).await;
    let made = solo.keys().await;
    assert_eq!(made.len(), 1);
    let (meta, data) = (&made[0].metadata, made[0].data.as_ref().unwrap());
    assert_eq!(meta.generate_name.as_deref(), Some("sealed-secrets-key"));
    assert!(
        meta.name
            .as_deref()
            .unwrap()
            .starts_with("sealed-secrets-key")
    );
    assert_eq!(made[0].type_.as_deref(), Some("kubernetes.io/tls"));
    let labels = meta.labels.as_ref().unwrap();
    assert_eq!(
        (labels[key_secret::LABEL].as_str(), labels["team"].as_str()),
        ("active", "a")
    );
    assert_eq!(meta.annotations.as_ref().unwrap()["note"], "b");
    assert!(
        data["tls.key"]
            .0
            .starts_with(b"-----BEGIN RSA PRIVATE KEY-----")
    );
    assert_eq!(
        String::from_utf8_lossy(&data["tls.crt"].0),
        solo.controller.certificate().await.unwrap()
    );
    assert_eq!(
        solo.sealer().await.certificate().common_name(),
        Some("seal.example.com")
    );
}

#[tokio::test]
async fn a_restart_keeps_its_key() {
    let mut solo = Solo::start("keep-key", &[]).await;
    let before = solo.controller.certificate().await.unwrap();
    solo.controller.restart().await.unwrap();
    assert_eq!(solo.controller.certificate().await.unwrap(), before);
    assert_eq!(solo.keys().await.len(), 1);
}

#[tokio::test]
async fn sigusr1_makes_a_key_and_the_old_one_still_opens() {
    let solo = Solo::start("usr1", &[]).await;
    let (namespace, old) = (
        &solo.namespace,
        solo.controller.certificate().await.unwrap(),
    );
    let old_sealer = solo.sealer().await;
    solo.controller.request_newer_key().await.unwrap();
    solo.expect_new_certificate(&old).await;
    solo.expect_keys(2).await;
    for (name, sealer) in [("old", &old_sealer), ("new", &solo.sealer().await)] {
        namespace
            .apply(&namespace.sealed(name).seal(sealer, "foo", "bar"))
            .await;
        namespace.expect_data(name, &[("foo", "bar")]).await;
    }
}

#[tokio::test]
async fn keys_are_renewed_by_period() {
    let solo = Solo::start("renew", &["--key-renew-period=3s"]).await;
    let first = solo.controller.certificate().await.unwrap();
    let second = solo.expect_new_certificate(&first).await;
    solo.expect_new_certificate(&second).await;
}

#[tokio::test]
async fn a_key_from_before_the_cutoff_is_followed_by_a_new_one_at_start() {
    let namespace = Solo::namespace("cutoff").await;
    let old = aged(10);
    put(
        &namespace,
        &old.secret(namespace.name(), "sealed-secrets-keyold"),
    )
    .await;
    let cutoff = jiff::Timestamp::now() - SignedDuration::from_hours(5 * DAY);
    let cutoff = cutoff.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string();
    let flags = [
        format!("--key-cutoff-time={cutoff}"),
        "--key-renew-period=0".into(),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let options = Solo::options(&namespace, &flags).await;
    let mut controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    let served = async || controller.certificate().await.unwrap();
    signet_kit::wait_until("a new key", served, |pem| *pem != old.certificate).await;
    assert_eq!(keys(&namespace).await.len(), 2);
    controller.restart().await.unwrap();
    assert_eq!(
        keys(&namespace).await.len(),
        2,
        "the new one is young enough"
    );
}

#[tokio::test]
async fn issue_702_with_require_existing_key_nothing_is_made_and_it_is_not_ready_until_one_is_restored()
 {
    let namespace = Solo::namespace("issue-702").await;
    let options = Solo::options(&namespace, &["--require-existing-key"]).await;
    let mut controller = Controller::spawn(shared_plane().await, options)
        .await
        .unwrap();
    let probe = async || controller.get("/readyz").await.unwrap_or_default();
    let seen = signet_kit::wait_until("not ready for want of a key", probe, |(_, text)| {
        text.contains("key")
    })
    .await;
    assert_eq!(seen.0, 503);
    assert_eq!(controller.get("/v1/cert.pem").await.unwrap().0, 500);
    assert_eq!(controller.get("/healthz").await.unwrap().0, 200);
    assert!(keys(&namespace).await.is_empty());
    let pair = aged(1);
    put(&namespace, &pair.secret(namespace.name(), "restored")).await;
    controller.wait_ready().await.unwrap();
    assert_eq!(controller.certificate().await.unwrap(), pair.certificate);
}

#[tokio::test]
async fn issue_1588_a_restored_key_that_is_valid_is_used_and_none_is_made() {
    let namespace = Solo::namespace("issue-1588").await;
    let restored = aged(40);
    put(&namespace, &restored.secret(namespace.name(), "restored")).await;
    let options = Solo::options(&namespace, &[]).await;
    let controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    let sealer = restored.sealer().unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(
        controller.certificate().await.unwrap(),
        restored.certificate
    );
    assert_eq!(
        keys(&namespace).await.len(),
        1,
        "a key was made beside the restored one"
    );
}

#[tokio::test]
async fn a_certificate_is_valid_for_as_long_as_the_flag_says() {
    let solo = Solo::start("ttl", &["--key-ttl=48h"]).await;
    let sealer = solo.sealer().await;
    let (from, to) = (
        sealer.certificate().not_before(),
        sealer.certificate().not_after(),
    );
    assert_eq!(from.duration_until(to), SignedDuration::from_hours(48));
}

#[tokio::test]
async fn issue_1041_an_expired_key_still_opens_what_was_sealed_for_it() {
    let namespace = Solo::namespace("issue-1041").await;
    let day = SignedDuration::from_hours(DAY);
    let expired = KeyPair::valid_for(day * 10, day * 9).unwrap();
    put(&namespace, &expired.secret(namespace.name(), "expired")).await;
    let options = Solo::options(&namespace, &["--key-renew-period=0"]).await;
    let controller = Controller::start(shared_plane().await, options)
        .await
        .unwrap();
    let sealer = expired.sealer().unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    let labels = [("name", "expired")];
    let past = |end: f64| end < jiff::Timestamp::now().as_second() as f64;
    controller
        .expect_metric("signet_key_not_after_timestamp_seconds", &labels, past)
        .await;
}
