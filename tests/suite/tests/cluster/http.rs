//! The HTTP endpoints: what kubeseal asks, what a probe asks, and what an attacker tries.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use signet_keys::sealed::Scope;
use signet_kit::Sealer;
use signet_kit::key_secret::KeyPair;
use signet_kit::{Controller, SealedSecret, ServiceProxy};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::stage::{Solo, shared_plane, stage};

fn stranger() -> Sealer {
    KeyPair::generate(jiff::SignedDuration::ZERO)
        .unwrap()
        .sealer()
        .unwrap()
}

fn sealed(sealer: &Sealer) -> SealedSecret {
    SealedSecret::new("some", "test").seal(sealer, "foo", "bar")
}

#[tokio::test]
async fn verify_says_yes_and_no() {
    let solo = Solo::start("verify", &[]).await;
    let good = sealed(&solo.sealer().await);
    let verify = async |body: String| solo.controller.post("/v1/verify", body).await.unwrap().0;
    assert_eq!(verify(good.to_json().to_string()).await, 200);
    assert_eq!(
        verify(good.clone().renamed("other").to_json().to_string()).await,
        409
    );
    assert_eq!(verify(sealed(&stranger()).to_json().to_string()).await, 409);
    assert_eq!(verify("not an object".into()).await, 500);
    assert_eq!(verify(String::new()).await, 500);
    let two = format!("---\n{}\n---\n{}\n", good.to_json(), good.to_json());
    assert_eq!(verify(two).await, 500);
}

#[tokio::test]
async fn verify_reads_yaml_as_people_write_it() {
    let solo = Solo::start("verify-yaml", &[]).await;
    let text = sealed(&solo.sealer().await)
        .ciphertext("foo")
        .unwrap()
        .to_owned();
    let yaml = format!(
        "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata:\n  name: test # the name\n  namespace: some\n\
         spec:\n  encryptedData:\n    foo: {text}\n"
    );
    assert_eq!(
        solo.controller.post("/v1/verify", yaml).await.unwrap().0,
        200
    );
}

#[tokio::test]
async fn refusals_do_not_tell_a_wrong_key_from_a_wrong_label_or_a_broken_tag() {
    let solo = Solo::start("oracle", &[]).await;
    let sealer = solo.sealer().await;
    let good = sealed(&sealer);
    let mut bytes = signet_keys::sealed::decode(good.ciphertext("foo").unwrap()).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let broken = signet_keys::sealed::encode(&bytes);
    let wide = sealer
        .seal(Scope::NamespaceWide, "some", "test", b"bar")
        .unwrap();
    let mut answers = Vec::new();
    let bodies = [
        sealed(&stranger()),
        good.clone().renamed("other"),
        good.clone().raw("foo", broken),
        good.clone().raw("foo", wide),
        good.template("/data/x", "{{ fail .foo }}").renamed("other"),
    ];
    for body in bodies {
        answers.push(
            solo.controller
                .post("/v1/verify", body.to_json().to_string())
                .await
                .unwrap(),
        );
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
}

#[tokio::test]
async fn templates_are_never_rendered_for_a_caller() {
    let solo = Solo::start("no-render", &[]).await;
    let sealer = solo.sealer().await;
    for template in [
        "{{ if hasPrefix \"b\" .foo }}{{ fail \"\" }}{{ end }}",
        "{{ .foo }}",
        "{{ broken",
    ] {
        let body = sealed(&sealer)
            .template("/data/probe", template)
            .to_json()
            .to_string();
        for path in ["/v1/verify", "/v1/rotate"] {
            let (status, text) = solo.controller.post(path, body.clone()).await.unwrap();
            assert_eq!(status, 200, "{path} {template}");
            assert!(!text.contains("bar"), "{text}");
        }
    }
}

#[tokio::test]
async fn d2_rotate_keeps_the_template_and_seals_to_the_newest_key() {
    let solo = Solo::start("rotate", &[]).await;
    let (namespace, old) = (
        &solo.namespace,
        solo.controller.certificate().await.unwrap(),
    );
    let sealed = namespace.sealed("test").scope(Scope::NamespaceWide).seal(
        &solo.sealer().await,
        "foo",
        "bar",
    );
    let sealed = sealed
        .template("/type", "example.com/own")
        .template("/metadata/labels/app", "demo");
    let sealed = sealed
        .template("/data/url", "db://{{ .foo }}")
        .template("/immutable", true);
    solo.controller.request_newer_key().await.unwrap();
    solo.expect_new_certificate(&old).await;
    let (status, body) = solo
        .controller
        .post("/v1/rotate", sealed.to_json().to_string())
        .await
        .unwrap();
    assert_eq!(status, 200, "{body}");
    let rotated: Value = serde_json::from_str(&body).unwrap();
    for pointer in ["/data/url", "/type", "/immutable", "/metadata/labels/app"] {
        let pointer = format!("/spec/template{pointer}");
        assert_eq!(
            rotated.pointer(&pointer),
            sealed.to_json().pointer(&pointer),
            "{pointer}"
        );
    }
    assert_eq!(
        rotated["metadata"]["annotations"]["sealedsecrets.bitnami.com/namespace-wide"],
        "true"
    );
    assert_ne!(
        rotated["spec"]["encryptedData"]["foo"],
        sealed.to_json()["spec"]["encryptedData"]["foo"]
    );

    // Only the newest key is left, and it opens.
    let oldest = solo.keys().await.into_iter().find(|key| {
        key.data
            .as_ref()
            .is_some_and(|data| data["tls.crt"].0 == old.as_bytes())
    });
    namespace
        .delete_secret(&oldest.unwrap().metadata.name.unwrap())
        .await
        .unwrap();
    solo.controller
        .expect_metric("signet_keys", &[], |keys| keys == 1.0)
        .await;
    assert_eq!(
        solo.controller.post("/v1/verify", body).await.unwrap().0,
        200
    );
    assert_eq!(
        solo.controller
            .post("/v1/verify", sealed.to_json().to_string())
            .await
            .unwrap()
            .0,
        409
    );
}

#[tokio::test]
async fn cve_2026_22728_rotate_does_not_widen_the_scope_from_the_template() {
    let solo = Solo::start("widen", &[]).await;
    let annotation = "/metadata/annotations/sealedsecrets.bitnami.com~1cluster-wide";
    let body = sealed(&solo.sealer().await)
        .template(annotation, "true")
        .to_json()
        .to_string();
    let (status, text) = solo.controller.post("/v1/rotate", body).await.unwrap();
    assert_eq!(status, 200, "{text}");
    let mut moved: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        solo.controller
            .post("/v1/verify", moved.to_string())
            .await
            .unwrap()
            .0,
        200,
        "still strict"
    );
    moved["metadata"]["name"] = json!("other");
    assert_eq!(
        solo.controller
            .post("/v1/verify", moved.to_string())
            .await
            .unwrap()
            .0,
        409,
        "and nothing else"
    );
}

#[tokio::test]
async fn issue_1556_a_refused_rotate_names_the_items() {
    let solo = Solo::start("issue-1556", &[]).await;
    let mixed = sealed(&solo.sealer().await).seal(&stranger(), "lost", "x");
    let (status, text) = solo
        .controller
        .post("/v1/rotate", mixed.to_json().to_string())
        .await
        .unwrap();
    assert_eq!(status, 409, "{text}");
    assert!(text.contains("lost") && !text.contains("foo"), "{text}");
}

#[tokio::test]
async fn issue_870_a_folder_of_files_is_checked_at_once() {
    let solo = Solo::start("issue-870", &[]).await;
    let body = sealed(&solo.sealer().await).to_json().to_string();
    for number in 0..50 {
        assert_eq!(
            solo.controller
                .post("/v1/verify", body.clone())
                .await
                .unwrap()
                .0,
            200,
            "file {number}"
        );
    }
}

#[tokio::test]
async fn d21_the_limit_does_not_ask_the_caller_who_it_is() {
    let solo = Solo::start("d21", &["--rate-limit=1", "--rate-limit-burst=2"]).await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut limited = 0;
    for number in 0..8 {
        let request = http.post(solo.controller.http_url("/v1/verify")).body("{}");
        let answer = request
            .header("X-Forwarded-For", format!("10.0.0.{number}"))
            .send()
            .await
            .unwrap();
        if answer.status() == 429 {
            assert!(answer.headers().contains_key("retry-after"));
            limited += 1;
        }
    }
    assert!(limited >= 4, "{limited} of 8");
    // Whoever wants to seal is not held up.
    assert_eq!(solo.controller.get("/v1/cert.pem").await.unwrap().0, 200);
}

#[tokio::test]
async fn only_the_methods_that_make_sense_are_answered() {
    let stage = stage().await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for (method, path) in [
        ("GET", "/v1/verify"),
        ("GET", "/v1/rotate"),
        ("POST", "/v1/cert.pem"),
        ("DELETE", "/healthz"),
    ] {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let answer = http
            .request(method.clone(), stage.controller.http_url(path))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 405, "{method} {path}");
    }
    assert_eq!(stage.controller.get("/").await.unwrap().0, 404);
}

#[tokio::test]
async fn a_body_that_no_object_can_have_is_refused_without_being_read() {
    let stage = stage().await;
    let body = vec![b'x'; 8 << 20];
    let begin = Instant::now();
    // The connection may be closed before all of it is sent.
    if let Ok((status, _)) = stage.controller.post("/v1/verify", body).await {
        assert_eq!(status, 413);
    }
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(
        stage.controller.get("/healthz").await.unwrap(),
        (200, "ok\n".into())
    );
}

#[tokio::test]
async fn the_certificate_has_the_content_type_that_the_peer_gives_it() {
    let stage = stage().await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = http
        .get(stage.controller.http_url("/v1/cert.pem"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.headers()["content-type"], "application/x-pem-file");
    assert!(
        answer
            .text()
            .await
            .unwrap()
            .starts_with("-----BEGIN CERTIFICATE-----")
    );
}

#[tokio::test]
async fn d16_it_is_ready_only_when_it_has_seen_the_cluster() {
    let namespace = Solo::namespace("d16").await;
    let proxy = ServiceProxy::start(shared_plane().await).unwrap();
    proxy
        .faults()
        .inject(signet_kit::Fault::status(403).at("/sealedsecrets").always());
    let options = Solo::options(&namespace, &[]).await.through(&proxy.url());
    let mut controller = Controller::spawn(shared_plane().await, options)
        .await
        .unwrap();
    let probe = async || controller.get("/readyz").await.unwrap_or_default();
    let (status, why) =
        signet_kit::wait_until("an answer that names the watch", probe, |(_, text)| {
            text.contains("ealed")
        })
        .await;
    assert_eq!(status, 503);
    assert!(why.contains("not ready"), "{why}");
    assert_eq!(controller.get("/healthz").await.unwrap().0, 200);
    proxy.faults().clear();
    controller.wait_ready().await.unwrap();
}

#[tokio::test]
async fn the_endpoints_are_served_over_tls_beside_when_a_certificate_is_given() {
    let plane = shared_plane().await;
    let folder = plane.workdir().path();
    let port = signet_kit::port::free().unwrap();
    let flags = [
        format!("--tls-addr=127.0.0.1:{port}"),
        format!("--tls-cert={}", folder.join("server.crt").display()),
        format!("--tls-key={}", folder.join("server.key").display()),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let solo = Solo::start("tls", &flags).await;
    let root = reqwest::Certificate::from_pem(plane.ca().as_bytes()).unwrap();
    let http = reqwest::Client::builder()
        .tls_certs_only([root])
        .no_proxy()
        .build()
        .unwrap();
    let answer = http
        .get(format!("https://127.0.0.1:{port}/v1/cert.pem"))
        .send()
        .await
        .unwrap();
    assert_eq!(
        answer.text().await.unwrap(),
        solo.controller.certificate().await.unwrap()
    );
}

#[tokio::test]
async fn a_caller_that_never_finishes_its_request_is_hung_up_on() {
    let solo = Solo::start("slow", &["--read-timeout=1s"]).await;
    let address = ("127.0.0.1", solo.controller.http_port());
    let mut slow = tokio::net::TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /healthz HTTP/1.1\r\nHost: x")
        .await
        .unwrap();
    let mut rest = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), slow.read_to_end(&mut rest)).await;
    assert!(read.is_ok(), "the connection is still open");
    assert!(!rest.starts_with(b"HTTP/1.1 200"));
}
