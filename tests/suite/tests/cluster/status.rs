//! The status is the truth, always of the last attempt.

use std::time::Duration;

use k8s_openapi::api::core::v1::Event;
use serde_json::{Value, json};
use signet_kit::namespace::condition;
use signet_kit::{Controller, Fault, ServiceProxy};

use crate::stage::{Solo, shared_plane, stage};

#[tokio::test]
async fn issue_603_the_status_follows_a_recovery() {
    let stage = stage().await;
    let namespace = stage.namespace("issue-603").await;
    namespace
        .create_secret("test", json!({}), json!({"foo": "theirs"}))
        .await
        .unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&stage.sealer, "foo", "bar"))
        .await;
    let failed = namespace.expect_synced("test", "False").await;
    assert_eq!(condition(&failed, "Ready").unwrap()["status"], "False");
    namespace.delete_secret("test").await.unwrap();
    let healed = namespace.expect_synced("test", "True").await;
    assert_eq!(condition(&healed, "Ready").unwrap()["status"], "True");
    for kind in ["Stalled", "Reconciling"] {
        let gone = condition(&healed, kind).is_none_or(|condition| condition["status"] == "False");
        assert!(gone, "{kind} stays: {healed:#}");
    }
    let message = condition(&healed, "Synced").unwrap()["message"]
        .as_str()
        .unwrap_or_default();
    assert!(
        !message.contains("already exists"),
        "the old error stays: {message}"
    );
}

#[tokio::test]
async fn generation_and_conditions_are_written_together() {
    let stage = stage().await;
    let namespace = stage.namespace("together").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_synced("test", "True").await;
    namespace.apply(&sealed.raw("foo", "AAAA")).await;
    // Never a status of generation 2 that still says what was true of generation 1.
    let status = namespace
        .expect_status("test", "a status of generation 2", |_| true)
        .await;
    assert_eq!(status["observedGeneration"], 2);
    assert_eq!(
        condition(&status, "Synced").unwrap()["status"],
        "False",
        "{status:#}"
    );
}

#[tokio::test]
async fn the_conditions_are_those_that_argo_cd_and_kstatus_read() {
    let stage = stage().await;
    let namespace = stage.namespace("health").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    let good = namespace.expect_synced("test", "True").await;
    assert_eq!(good["conditions"][0]["type"], "Synced");
    assert_eq!(condition(&good, "Ready").unwrap()["status"], "True");

    // No key opens it: nothing but a person's edit or another key helps.
    let elsewhere = namespace
        .sealed("elsewhere")
        .seal(&stage.sealer, "foo", "bar");
    let moved = elsewhere.ciphertext("foo").unwrap();
    namespace.apply(&sealed.raw("foo", moved)).await;
    let bad = namespace.expect_synced("test", "False").await;
    assert_eq!(bad["conditions"][0]["type"], "Synced");
    assert_eq!(condition(&bad, "Ready").unwrap()["status"], "False");
    let waits = ["Stalled", "Reconciling"]
        .map(|kind| condition(&bad, kind).is_some_and(|one| one["status"] == "True"));
    assert!(
        waits[0] || waits[1],
        "neither Stalled nor Reconciling: {bad:#}"
    );
}

#[tokio::test]
async fn every_failing_item_is_named_once_in_a_stable_order() {
    let stage = stage().await;
    let namespace = stage.namespace("grouped").await;
    let mut sealed = namespace.sealed("test");
    for key in ["delta", "alpha", "charlie", "bravo"] {
        sealed = sealed.raw(
            key,
            stage
                .sealer
                .seal(signet_keys::sealed::Scope::Strict, "x", "y", b"z")
                .unwrap(),
        );
    }
    namespace.apply(&sealed.raw("broken", "***")).await;
    let status = namespace.expect_synced("test", "False").await;
    let message = condition(&status, "Synced").unwrap()["message"]
        .as_str()
        .unwrap();
    assert!(
        message.contains("no key could decrypt secret (alpha, bravo, charlie, delta)"),
        "{message}"
    );
    assert!(message.contains("broken"), "{message}");
}

#[tokio::test]
async fn a_failing_object_does_not_write_its_status_or_events_again_and_again() {
    let stage = stage().await;
    let namespace = stage.namespace("quiet").await;
    namespace
        .apply(&namespace.sealed("test").raw("foo", "AAAA"))
        .await;
    namespace.expect_synced("test", "False").await;
    namespace.expect_event("test", "ErrUnsealFailed", "").await;
    let version = async || {
        namespace
            .sealed_secrets()
            .get("test")
            .await
            .unwrap()
            .metadata
            .resource_version
    };
    let (before, events) = (version().await, namespace.events("test").await);
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(version().await, before);
    let total = |events: &[Event]| {
        events
            .iter()
            .map(|event| event.count.unwrap_or(1))
            .sum::<i32>()
    };
    assert_eq!(total(&namespace.events("test").await), total(&events));
}

#[tokio::test]
async fn a_status_that_somebody_spoils_is_put_right() {
    let stage = stage().await;
    let namespace = stage.namespace("spoiled").await;
    namespace
        .apply(&namespace.sealed("test").seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "True").await;
    let wrong = json!({"status": {"conditions": [{"type": "Synced", "status": "False", "message": "spoiled",
        "lastUpdateTime": "2026-01-01T00:00:00Z", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}});
    let patch = kube::api::Patch::Merge(wrong);
    namespace
        .sealed_secrets()
        .patch_status("test", &kube::api::PatchParams::default(), &patch)
        .await
        .unwrap();
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn the_status_holds_no_digest_of_a_value() {
    let stage = stage().await;
    let namespace = stage.namespace("digest").await;
    let sealed = |name: &str| {
        namespace
            .sealed(name)
            .seal(&stage.sealer, "foo", "the same value")
    };
    for name in ["one", "two"] {
        namespace.apply(&sealed(name)).await;
        namespace.expect_synced(name, "True").await;
    }
    let digest = |status: &Value| status["applied"]["digest"].as_str().map(str::to_owned);
    let (one, two) = (namespace.status("one").await, namespace.status("two").await);
    assert!(digest(&one).is_some(), "{one:#}");
    assert_ne!(
        digest(&one),
        digest(&two),
        "equal values must not be seen to be equal"
    );
}

#[tokio::test]
async fn with_update_status_off_no_status_is_written() {
    let solo = Solo::start("no-status", &["--update-status=false"]).await;
    let namespace = &solo.namespace;
    namespace
        .apply(
            &namespace
                .sealed("test")
                .seal(&solo.sealer().await, "foo", "bar"),
        )
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_event("test", "Unsealed", "").await;
    assert_eq!(namespace.status("test").await, Value::Null);
}

#[tokio::test]
async fn very_many_failing_items_still_give_a_status_and_an_event() {
    let stage = stage().await;
    let namespace = stage.namespace("many").await;
    let text = stage
        .sealer
        .seal(signet_keys::sealed::Scope::Strict, "x", "y", b"z")
        .unwrap();
    let named = |number: usize| format!("{}-{number}", "a-rather-long-name-of-an-item".repeat(4));
    let sealed = (0..150).fold(namespace.sealed("test"), |sealed, n| {
        sealed.raw(&named(n), text.clone())
    });
    namespace.apply(&sealed).await;
    namespace
        .expect_event("test", "ErrUnsealFailed", "no key could decrypt secret")
        .await;
    namespace.expect_synced("test", "False").await;
}

#[tokio::test]
async fn an_object_with_the_longest_name_gets_its_events() {
    let stage = stage().await;
    let namespace = stage.namespace("longest").await;
    let name = "n".repeat(253);
    let sealed = namespace.sealed(&name).seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_event(&name, "Unsealed", "").await;
    namespace.expect_synced(&name, "True").await;
}

#[tokio::test]
async fn a_first_attempt_that_takes_long_is_said_to_be_under_way() {
    let namespace = Solo::namespace("under-way").await;
    let plane = shared_plane().await;
    let proxy = ServiceProxy::start(plane).unwrap();
    let options = Solo::options(&namespace, &[]).await.through(&proxy.url());
    let controller = Controller::start(plane, options).await.unwrap();
    let sealer = controller.sealer().await.unwrap();
    let secrets = format!("/namespaces/{}/secrets", namespace.name());
    proxy
        .faults()
        .inject(Fault::delay(Duration::from_secs(4)).on("POST", &secrets));
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    let first = namespace.expect_condition("test", "Ready", "Unknown").await;
    assert!(namespace.secret("test").await.is_none(), "{first:#}");
    namespace.expect_synced("test", "True").await;
    namespace.expect_condition("test", "Ready", "True").await;
}

#[tokio::test]
async fn kubectl_waits_for_the_condition_and_shows_it() {
    let stage = stage().await;
    let namespace = stage.namespace("kubectl").await;
    namespace
        .apply(&namespace.sealed("test").seal(&stage.sealer, "foo", "bar"))
        .await;
    for kind in ["Synced", "Ready"] {
        let wait = [
            "wait",
            &format!("--for=condition={kind}"),
            "--timeout=30s",
            "-n",
            namespace.name(),
            "sealedsecret/test",
        ];
        stage.plane.kubectl(wait).await.unwrap();
    }
    namespace
        .apply(&namespace.sealed("bad").raw("foo", "AAAA"))
        .await;
    namespace.expect_synced("bad", "False").await;
    let table = stage
        .plane
        .kubectl(["get", "sealedsecrets", "-n", namespace.name()])
        .await
        .unwrap();
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    for column in ["NAME", "STATUS", "SYNCED", "AGE"] {
        assert!(lines[0].contains(&column), "{table}");
    }
    assert!(
        lines
            .iter()
            .any(|line| line[0] == "bad" && line.contains(&"False")),
        "{table}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line[0] == "test" && line.contains(&"True")),
        "{table}"
    );
}
