//! Keys that come and go while the controller runs.

use serde_json::json;
use signet_kit::key_secret;
use signet_kit::namespace::condition;

use super::{aged, put};
use crate::stage::Solo;

#[tokio::test]
async fn d23_a_key_that_arrives_is_used_and_what_failed_is_tried_again() {
    let solo = Solo::start("d23-add", &[]).await;
    let (namespace, pair) = (&solo.namespace, aged(2));
    let sealer = pair.sealer().unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "False").await;
    put(namespace, &pair.secret(namespace.name(), "restored")).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn d23_a_key_that_is_relabelled_or_deleted_is_used_no_more() {
    let solo = Solo::start("d23-gone", &[]).await;
    let namespace = &solo.namespace;
    for way in ["relabelled", "deleted"] {
        let (pair, key) = (aged(2), format!("key-{way}"));
        put(namespace, &pair.secret(namespace.name(), &key)).await;
        solo.controller
            .expect_metric("signet_keys", &[], |keys| keys == 2.0)
            .await;
        let sealed = namespace
            .sealed(way)
            .seal(&pair.sealer().unwrap(), "foo", "bar");
        namespace.apply(&sealed).await;
        namespace.expect_synced(way, "True").await;
        if way == "deleted" {
            namespace.delete_secret(&key).await.unwrap();
        } else {
            let compromised = json!({"metadata": {"labels": {key_secret::LABEL: "compromised"}}});
            namespace.patch_secret(&key, compromised).await.unwrap();
        }
        solo.controller
            .expect_metric("signet_keys", &[], |keys| keys == 1.0)
            .await;
        namespace
            .apply(&sealed.seal(&pair.sealer().unwrap(), "foo", "baz"))
            .await;
        let status = namespace.expect_synced(way, "False").await;
        let message = condition(&status, "Synced").unwrap()["message"]
            .as_str()
            .unwrap();
        assert!(
            message.contains("no key could decrypt secret (foo)"),
            "{message}"
        );
        // Losing a key takes no Secret away.
        namespace.expect_data(way, &[("foo", "bar")]).await;
    }
}

#[tokio::test]
async fn a_key_that_is_activated_by_a_label_is_used() {
    let solo = Solo::start("activate", &[]).await;
    let (namespace, pair) = (&solo.namespace, aged(2));
    let mut secret = pair.secret(namespace.name(), "retired");
    secret.metadata.labels = Some([(key_secret::LABEL.into(), "compromised".into())].into());
    put(namespace, &secret).await;
    let sealer = pair.sealer().unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "False").await;
    namespace
        .patch_secret(
            "retired",
            json!({"metadata": {"labels": {key_secret::LABEL: "active"}}}),
        )
        .await
        .unwrap();
    namespace.expect_data("test", &[("foo", "bar")]).await;
}

#[tokio::test]
async fn issue_1904_certificates_and_checks_are_served_while_keys_change() {
    let solo = Solo::start("issue-1904", &["--key-renew-period=1s"]).await;
    let sealer = solo.sealer().await;
    let sealed = solo
        .namespace
        .sealed("test")
        .seal(&sealer, "foo", "bar")
        .to_json()
        .to_string();
    let before = solo.keys().await.len();
    let mut checked = 0;
    while solo.keys().await.len() < before + 2 {
        let (verified, certificate) = tokio::join!(
            solo.controller.post("/v1/verify", sealed.clone()),
            solo.controller.get("/v1/cert.pem"),
        );
        let status = verified.unwrap().0;
        assert!(status == 200 || status == 429, "{status}");
        assert_eq!(certificate.unwrap().0, 200);
        checked += 1;
    }
    assert!(checked > 5, "{checked}");
}
