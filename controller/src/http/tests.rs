#![allow(clippy::unwrap_used, clippy::expect_used)]
use std::net::SocketAddr;

use axum::{body::Body, extract::ConnectInfo};
use http::{Method, Request};
use tower::ServiceExt;

use super::*;
use crate::testing::{ring_of, seal, sealed_secret, test_key};

struct Answer {
    status: u16,
    body: String,
    retry_after: Option<String>,
}

fn endpoints(per_second: u32, burst: u32) -> Endpoints {
    let ring = Arc::new(Ring::default());
    ring.replace(ring_of(&[test_key()]));
    let health = Arc::new(Health::new(ring.clone(), false));
    let metrics = Metrics::new("v0", Vec::new());
    Endpoints::new(
        health,
        ring,
        metrics,
        Policy::default(),
        (per_second, burst),
    )
}

async fn ask(
    endpoints: &Endpoints,
    method: Method,
    path: &str,
    body: impl Into<Body>,
    forwarded: &str,
) -> Answer {
    let mut request = Request::new(body.into());
    *request.method_mut() = method;
    *request.uri_mut() = path.parse().unwrap();
    request
        .extensions_mut()
        .insert(ConnectInfo(SocketAddr::from(([10, 0, 0, 1], 4000))));
    if !forwarded.is_empty() {
        request
            .headers_mut()
            .insert("x-forwarded-for", forwarded.parse().unwrap());
    }
    let response = endpoints
        .router(Duration::from_mins(1))
        .oneshot(request)
        .await
        .unwrap();
    let status = response.status().as_u16();
    let retry_after = response
        .headers()
        .get(header::RETRY_AFTER)
        .map(|value| value.to_str().unwrap().to_owned());
    let body = axum::body::to_bytes(response.into_body(), usize::MAX)
        .await
        .unwrap();
    Answer {
        status,
        body: String::from_utf8(body.to_vec()).unwrap(),
        retry_after,
    }
}

async fn post(endpoints: &Endpoints, path: &str, body: impl Into<Body>) -> Answer {
    ask(endpoints, Method::POST, path, body, "").await
}

fn good() -> String {
    let sealed = sealed_secret("team", "db", &[("password", &seal("team/db", b"canary"))]);
    serde_json::to_string(&sealed).unwrap()
}

fn misplaced() -> String {
    let sealed = sealed_secret(
        "team",
        "other",
        &[("password", &seal("team/db", b"canary"))],
    );
    serde_json::to_string(&sealed).unwrap()
}

#[tokio::test]
async fn verify_answers_200_409_and_500_as_scripts_expect() {
    let endpoints = endpoints(100, 100);
    assert_eq!(post(&endpoints, "/v1/verify", good()).await.status, 200);
    assert_eq!(
        post(&endpoints, "/v1/verify", misplaced()).await.status,
        409
    );
    assert_eq!(
        post(&endpoints, "/v1/verify", "no: sealed secret")
            .await
            .status,
        500
    );
    assert_eq!(
        post(&endpoints, "/v1/verify", format!("{}\n{}", good(), good()))
            .await
            .status,
        500
    );
}

#[tokio::test]
async fn verify_says_no_more_than_no() {
    let endpoints = endpoints(100, 100);
    let garbage = sealed_secret("team", "db", &[("password", "AAAA")]);
    let garbage = post(
        &endpoints,
        "/v1/verify",
        serde_json::to_string(&garbage).unwrap(),
    )
    .await;
    let misplaced = post(&endpoints, "/v1/verify", misplaced()).await;
    assert_eq!(
        (garbage.status, garbage.body),
        (misplaced.status, misplaced.body)
    );
}

#[tokio::test]
async fn rotate_seals_anew_to_the_newest_key() {
    let endpoints = endpoints(100, 100);
    let answer = post(&endpoints, "/v1/rotate", good()).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(!answer.body.contains("canary"));
    assert_ne!(answer.body, good());
    assert_eq!(
        post(&endpoints, "/v1/verify", answer.body).await.status,
        200
    );
}

#[tokio::test]
async fn issue_1556_rotate_names_the_item_that_does_not_open_but_not_where_it_would() {
    let answer = post(&endpoints(100, 100), "/v1/rotate", misplaced()).await;
    assert_eq!(answer.status, 409);
    assert!(
        answer
            .body
            .contains("no key could decrypt secret (password)"),
        "{}",
        answer.body
    );
    assert!(
        !answer.body.contains("team/db") && !answer.body.contains("canary"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn other_methods_are_refused() {
    let endpoints = endpoints(100, 100);
    for (method, path) in [
        (Method::GET, "/v1/verify"),
        (Method::GET, "/v1/rotate"),
        (Method::POST, "/v1/cert.pem"),
        (Method::DELETE, "/healthz"),
    ] {
        assert_eq!(
            ask(&endpoints, method, path, "", "").await.status,
            405,
            "{path}"
        );
    }
    assert_eq!(
        ask(&endpoints, Method::GET, "/v1/keys", "", "")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn a_body_larger_than_any_object_is_refused_before_it_is_read() {
    let endpoints = endpoints(100, 100);
    let body = vec![b'a'; BODY_LIMIT + 1];
    assert_eq!(
        post(&endpoints, "/v1/verify", body.clone()).await.status,
        413
    );
    assert_eq!(post(&endpoints, "/v1/rotate", body).await.status, 413);
}

#[tokio::test]
async fn d21_a_forwarded_address_does_not_make_a_new_caller() {
    let endpoints = endpoints(1, 1);
    let mut statuses = Vec::new();
    for number in 0..4 {
        let forwarded = format!("192.0.2.{number}");
        let answer = ask(&endpoints, Method::POST, "/v1/verify", good(), &forwarded).await;
        assert_eq!(answer.retry_after.is_some(), answer.status == 429);
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [200, 200, 429, 429]);
    assert_eq!(
        ask(&endpoints, Method::GET, "/v1/cert.pem", "", "")
            .await
            .status,
        200,
        "the certificate is free"
    );
}

#[tokio::test]
async fn issue_870_fifty_files_are_verified_at_once_with_the_default_limits() {
    let args = crate::args::Args::parse_from(["controller"]).unwrap().http;
    let endpoints = endpoints(args.rate_limit, args.rate_limit_burst);
    for number in 0..50 {
        assert_eq!(
            post(&endpoints, "/v1/verify", good()).await.status,
            200,
            "file {number}"
        );
    }
}

#[tokio::test]
async fn the_certificate_is_that_of_the_newest_key() {
    let endpoints = endpoints(100, 100);
    let answer = ask(&endpoints, Method::GET, "/v1/cert.pem", "", "").await;
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (200, test_key().certificate.pem())
    );
}

#[tokio::test]
async fn without_a_key_the_certificate_is_an_error_and_readiness_says_why() {
    let endpoints = endpoints(100, 100);
    endpoints.ring.replace(ring_of(&[]));
    assert_eq!(
        ask(&endpoints, Method::GET, "/v1/cert.pem", "", "")
            .await
            .status,
        500
    );
    let ready = ask(&endpoints, Method::GET, "/readyz", "", "").await;
    assert_eq!(
        (ready.status, ready.body.as_str()),
        (503, "not ready: no sealing key yet\n")
    );
    assert_eq!(
        ask(&endpoints, Method::GET, "/healthz", "", "").await.body,
        "ok\n"
    );
}

#[tokio::test]
async fn a_body_that_costs_too_much_is_given_up_and_said_so() {
    let mut endpoints = endpoints(100, 100);
    endpoints.verifiers = Pool::new(1).at_most(2);
    endpoints.rotators = Pool::new(1).at_most(2);
    let item = seal("team/db", b"canary");
    let items = |number: usize| -> String {
        let names: Vec<String> = (0..number).map(|item| format!("item-{item}")).collect();
        let items: Vec<_> = names
            .iter()
            .map(|name| (name.as_str(), &item[..]))
            .collect();
        serde_json::to_string(&sealed_secret("team", "db", &items)).unwrap()
    };
    for path in ["/v1/verify", "/v1/rotate"] {
        assert_eq!(post(&endpoints, path, items(2)).await.status, 200, "{path}");
        let refused = post(&endpoints, path, items(3)).await;
        assert_eq!(refused.status, 413, "{path}");
        assert!(refused.body.contains("stopped"), "{}", refused.body);
    }
}

#[tokio::test]
async fn who_re_seals_does_not_hold_up_who_verifies() {
    let endpoints = endpoints(100, 100);
    let (begun, hold) = (
        Arc::new(tokio::sync::Notify::new()),
        endpoints.rotators.clone(),
    );
    let started = begun.clone();
    let busy = tokio::spawn(async move {
        hold.run(move |_| {
            started.notify_one();
            std::thread::sleep(Duration::from_secs(1));
        })
        .await
    });
    begun.notified().await;
    assert_eq!(post(&endpoints, "/v1/verify", good()).await.status, 200);
    assert!(!busy.is_finished());
}
