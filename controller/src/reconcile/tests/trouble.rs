//! An API server that fails, and objects that cannot be.

use http::Method;

use crate::testing::fixture::*;
use crate::testing::{Cluster, Fault, seal, sealed_secret};

/// Two objects, of which the API server fails one in some way; returns the status message of that
/// one.
async fn with_fault(fault: Fault) -> String {
    let cluster = cluster_with_db();
    cluster.put(
        SEALED,
        object(sealed_secret(
            "team",
            "other",
            &[("password", &seal("team/other", VALUE))],
        )),
    );
    cluster.put(SECRETS, foreign("db"));
    let controller = Controller::new(&cluster);
    cluster.fail(move |method, path| {
        (*method == Method::GET && path.ends_with("/secrets/db")).then(|| fault.clone())
    });
    controller.settle().await;
    assert_eq!(
        controller.value("other", "password").as_deref(),
        Some(VALUE),
        "the other object is not held up"
    );
    let message = controller.message("db");
    cluster.heal();
    cluster.delete(&format!("{SECRETS}/db"));
    controller.once("db").await;
    assert_eq!(
        controller.conditions("db"),
        ["Synced=True (Unsealed)", "Ready=True (Unsealed)"],
        "it recovers"
    );
    message
}

#[tokio::test]
async fn each_refusal_of_the_api_server_is_told_and_survived() {
    for (code, reason, expected) in [
        (403, "Forbidden", "the API server refuses it"),
        (410, "Expired", "no longer has that version"),
        (429, "TooManyRequests", "too much to do"),
        (500, "InternalError", "failed with 500"),
        (503, "ServiceUnavailable", "failed with 503"),
    ] {
        let message = with_fault(Fault::Status(code, reason)).await;
        assert!(
            message.contains("cannot read the Secret") && message.contains(expected),
            "{code}: {message}"
        );
    }
}

#[tokio::test]
async fn an_answer_that_is_no_secret_is_told_without_a_word_of_it() {
    let message = with_fault(Fault::Garbage(r#"{"data": {}, "immutable": "canary"}"#)).await;
    assert!(
        message.contains("cannot read the API server's answer") && !message.contains("canary"),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_answer_is_said_to_be_waited_for_and_then_given_up() {
    let cluster = cluster_with_db();
    let controller = Controller::new(&cluster);
    cluster.fail(|method, path| {
        (*method == Method::POST && path.ends_with("/secrets")).then_some(Fault::Silence)
    });
    controller.see();
    let watched = async {
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        controller.conditions("db")
    };
    let ((), meanwhile) = tokio::join!(controller.once("db"), watched);
    assert_eq!(meanwhile[0], "Synced=Unknown (Progressing)");
    assert!(
        controller.message("db").contains("did not answer"),
        "{}",
        controller.message("db")
    );
}

#[tokio::test]
async fn an_object_that_makes_no_sense_says_so_and_stops_no_other() {
    let cluster = cluster_with_db();
    let mut bad = object(sealed_secret("team", "bad", &[]));
    bad["spec"]["encryptedData"] = serde_json::json!({"number": 5, "short": "AAAA", "text": "!"});
    cluster.put(SEALED, bad);
    let controller = Controller::new(&cluster);
    controller.settle().await;
    assert_eq!(controller.value("db", "password").as_deref(), Some(VALUE));
    assert!(
        controller.conditions("bad")[0].starts_with("Synced=False"),
        "{:?}",
        controller.conditions("bad")
    );
}

#[tokio::test]
async fn an_attempt_that_fails_as_the_last_one_did_writes_and_tells_nothing() {
    let cluster = Cluster::new();
    cluster.put(
        SEALED,
        object(sealed_secret(
            "team",
            "db",
            &[("password", &seal("elsewhere/db", VALUE))],
        )),
    );
    let mut controller = Controller::new(&cluster);
    controller.settle().await;
    assert_eq!(controller.events().len(), 1);
    cluster.forget_requests();
    controller.once("db").await;
    assert_eq!(
        (cluster.writes(), controller.events()),
        (Vec::new(), Vec::new())
    );
}

#[tokio::test]
async fn no_value_reaches_status_events_or_metrics() {
    let cluster = cluster_with_db();
    cluster.put(
        SEALED,
        object(sealed_secret(
            "team",
            "bad",
            &[("a", &seal("team/bad", VALUE)), ("b", "AAAA")],
        )),
    );
    let mut controller = Controller::new(&cluster);
    controller.settle().await;
    let mut told = controller.events().join("\n");
    for sealed in cluster.list(SEALED) {
        told.push_str(&sealed["status"].to_string());
    }
    told.push_str(&controller.context.metrics.encode().unwrap());
    assert!(!told.contains("canary"), "{told}");
}
