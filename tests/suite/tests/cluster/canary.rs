//! Known plaintexts in every input appear in nothing that the program emits.

use k8s_openapi::api::core::v1::Event;
use kube::Api;
use kube::api::{DynamicObject, ListParams};
use serde_json::json;
use signet_keys::sealed::{Scope, encode};
use signet_kit::{Controller, Namespace, SealedSecret, sealed};

use crate::stage::{Stage, keys, stage, with};

const CANARY: &str = "canary-7f3a9c-do-not-repeat-this-value";

/// The forms in which a value could slip out: whole, in part, encoded.
fn forms() -> Vec<String> {
    let hex = CANARY
        .bytes()
        .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    let debug = CANARY
        .bytes()
        .take(6)
        .map(|byte| byte.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    // Base64 at each of the three alignments, without the ends that depend on the neighbours.
    let aligned = (0..3).map(|skip| {
        let text = encode(&CANARY.as_bytes()[skip..]);
        text[4..text.len() - 4].to_owned()
    });
    [CANARY[..14].to_owned(), CANARY[14..].to_owned(), hex, debug]
        .into_iter()
        .chain(aligned)
        .collect()
}

/// Objects that succeed, and that fail in every way that has a plaintext in hand.
fn objects(stage: &Stage, namespace: &Namespace) -> Vec<SealedSecret> {
    let one = |name: &str| namespace.sealed(name).seal(&stage.sealer, "foo", CANARY);
    let wide = stage
        .sealer
        .seal(
            Scope::NamespaceWide,
            namespace.name(),
            "wide",
            CANARY.as_bytes(),
        )
        .unwrap();
    vec![
        one("good"),
        one("foreign"),
        one("moved").renamed("renamed"),
        one("wide").raw("foo", wide),
        one("partly").raw("bad", "AAAA"),
        one("fails").template("/data/url", "{{ fail .foo }}"),
        one("renders").template("/data/url", "x {{ .foo }} y"),
        // The API server's own error quotes what it refuses, unless it knows better.
        one("not-json")
            .template("/type", "kubernetes.io/dockerconfigjson")
            .raw(
                ".dockerconfigjson",
                one("not-json").ciphertext("foo").unwrap(),
            ),
        one("not-tls").template("/type", "kubernetes.io/tls"),
        one("bad-label").template("/metadata/labels/x", "no such: label"),
        one("bad-key").raw("not/a/key", one("bad-key").ciphertext("foo").unwrap()),
        one("frozen").template("/immutable", true),
        // Plaintext where a ciphertext should be: people do that.
        namespace.sealed("unsealed").raw("foo", CANARY),
        namespace
            .sealed("encoded")
            .raw("foo", encode(CANARY.as_bytes())),
        namespace
            .sealed("blob")
            .spec("data", encode(CANARY.as_bytes())),
    ]
}

async fn emitted(stage: &Stage, controller: &Controller) -> String {
    let client = stage.plane.client().await.unwrap();
    let all = ListParams::default();
    let events: Api<Event> = Api::all(client.clone());
    let events = events.list(&all).await.unwrap().items;
    let objects: Api<DynamicObject> = Api::all_with(client, &sealed::resource());
    let objects = objects.list(&all).await.unwrap().items;
    let statuses: Vec<_> = objects
        .into_iter()
        .map(|object| object.data["status"].clone())
        .collect();
    let metrics = controller.metrics_text().await.unwrap();
    format!(
        "{}\n{}\n{}\n{metrics}",
        controller.log(),
        json!(events),
        json!(statuses)
    )
}

fn assert_silent(text: &str, what: &str) {
    for form in forms() {
        if let Some(at) = text.find(&form) {
            let (from, to) = (at.saturating_sub(200), (at + 200).min(text.len()));
            panic!(
                "{what} repeats `{form}`: …{}…",
                String::from_utf8_lossy(&text.as_bytes()[from..to])
            );
        }
    }
}

async fn run(format: &str) {
    let mut stage = Stage::own(&["--log-level=DEBUG", format]).await;
    let namespace = stage.namespace("canary").await;
    let objects = objects(&stage, &namespace);
    work(&stage, &namespace, &objects).await;

    let answers = answers(&stage.controller, &objects).await;
    assert_silent(&answers, "an HTTP answer");

    stage.controller.restart().await.unwrap();
    namespace
        .apply(&namespace.sealed("last").seal(&stage.sealer, "foo", CANARY))
        .await;
    namespace.expect_synced("last", "True").await;
    let text = emitted(&stage, &stage.controller).await;
    assert!(
        text.contains("renamed"),
        "what was searched holds what it should"
    );
    assert_silent(&text, "a log, an event, a status or a metric");
    for line in private_key_lines(&stage).await {
        assert!(
            !text.contains(&line) && !answers.contains(&line),
            "a private key slipped out"
        );
    }

    // Observed only: nothing is written, so all of it goes to the log.
    let flags = with(&["--observe", "--log-level=DEBUG", format]);
    let observer = Controller::start(&stage.plane, flags).await.unwrap();
    namespace
        .apply(
            &namespace
                .sealed("watched")
                .seal(&stage.sealer, "foo", CANARY),
        )
        .await;
    let report = async || observer.log();
    signet_kit::wait_until("the observer's report", report, |log| {
        log.contains("watched")
    })
    .await;
    assert_silent(&observer.log(), "the observer's log");
}

/// Lets the controller reach a verdict on each object, and on changes that have a plaintext in hand.
async fn work(stage: &Stage, namespace: &Namespace, objects: &[SealedSecret]) {
    let foreign = json!({"foo": CANARY});
    namespace
        .create_secret("foreign", json!({}), foreign)
        .await
        .unwrap();
    for object in objects {
        // What the schema refuses is not the program's to repeat.
        let _ = namespace.try_apply(object).await;
    }
    namespace.expect_synced("good", "True").await;
    for object in objects {
        let name = object.name();
        if namespace
            .sealed_secrets()
            .get_opt(name)
            .await
            .unwrap()
            .is_some()
        {
            let judged = |status: &serde_json::Value| status["conditions"].is_array();
            namespace.expect_status(name, "a verdict", judged).await;
        }
    }
    let frozen = namespace.sealed("frozen").template("/immutable", true);
    namespace
        .apply(&frozen.seal(&stage.sealer, "foo", format!("{CANARY}2")))
        .await;
    namespace.expect_synced("frozen", "False").await;
    let drift = json!({"stringData": {"foo": format!("{CANARY}3")}});
    namespace.patch_secret("good", drift).await.unwrap();
    namespace.expect_data("good", &[("foo", CANARY)]).await;
}

/// What the HTTP endpoints say to these objects, and to bodies that are none.
async fn answers(controller: &Controller, objects: &[SealedSecret]) -> String {
    let mut answers = String::new();
    for object in objects {
        let body = object.to_json().to_string();
        for path in ["/v1/verify", "/v1/rotate"] {
            let (_, text) = controller.post(path, body.clone()).await.unwrap();
            // What was sent in the clear comes back in an object that is rotated; nothing else may.
            if !body.contains(CANARY) {
                answers.push_str(&text);
            }
        }
    }
    let yaml = format!("kind: SealedSecret\nspec: {CANARY}");
    for body in [CANARY.to_owned(), yaml, format!("{{\"kind\": \"{CANARY}")] {
        answers.push_str(&controller.post("/v1/verify", body).await.unwrap().1);
    }
    answers
}

/// The lines of the private keys, without the PEM markers.
async fn private_key_lines(stage: &Stage) -> Vec<String> {
    let system = Namespace::existing(&stage.plane, "kube-system")
        .await
        .unwrap();
    let mut lines = Vec::new();
    for key in keys(&system).await {
        let pem = String::from_utf8(key.data.unwrap()["tls.key"].0.clone()).unwrap();
        lines.extend(
            pem.lines()
                .filter(|line| line.len() > 40)
                .map(str::to_owned),
        );
    }
    assert!(lines.len() > 20);
    lines
}

#[tokio::test]
async fn no_plaintext_is_emitted_in_text() {
    run("--log-format=text").await;
}

#[tokio::test]
async fn no_plaintext_is_emitted_in_json() {
    run("--log-format=json").await;
}

#[tokio::test]
async fn a_crash_writes_no_core_file() {
    let stage = stage().await;
    let limits =
        std::fs::read_to_string(format!("/proc/{}/limits", stage.controller.pid())).unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    let limits: Vec<&str> = core.split_whitespace().skip(4).take(2).collect();
    assert_eq!(limits, ["0", "0"], "{core}");
}
