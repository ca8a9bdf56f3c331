//! The certificate: pinned at the first fetch, a changed one never taken silently.

use signet_kit::{wait::PATIENCE, wait_for};

use crate::session::{Cluster, Session};

const PIN: &str = ".signet/certs/default.pem";

#[tokio::test(flavor = "multi_thread")]
async fn the_first_certificate_is_pinned_and_seals_what_the_controller_opens() {
    let cluster = Cluster::shared().await;
    let session = Session::through(&cluster.proxy);
    let namespace = cluster.namespace("pin").await;
    session.secret("db", &namespace, "hunter2");
    session
        .run("seal secret.yaml --output sealed.yaml")
        .await
        .ok()
        .says(&["note: pinned the certificate SHA256:", PIN]);
    assert!(
        session
            .read(PIN)
            .contains(&cluster.controller.certificate().await.unwrap())
    );
    cluster.apply(&session, "sealed.yaml").await;
    namespace
        .expect_data("db", &[("password", "hunter2")])
        .await;

    let again = session.run("cert fetch").await.ok();
    again.says(&["the cluster's certificate is the pinned one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_certificate_is_refused_until_it_is_accepted() {
    let cluster = Cluster::shared().await;
    let session = Session::through(&cluster.proxy);
    let namespace = cluster.namespace("pin-changed").await;
    session.secret("db", &namespace, "hunter2");
    std::fs::create_dir_all(session.path(".signet/certs")).unwrap();
    let other = include_str!("../../../../cli/tests/fixtures/other.cert.pem");
    session.write(PIN, other);

    for command in ["seal secret.yaml", "cert fetch"] {
        let done = session.run(command).await.failed();
        assert_eq!(done.stdout, "");
        done.says(&[
            "is not the pinned one",
            "pinned   SHA256:",
            "cluster  SHA256:",
            "--accept-new",
        ]);
    }
    assert_eq!(session.read(PIN), other);

    session
        .run("seal secret.yaml --accept-new")
        .await
        .ok()
        .says(&["pinned the new certificate SHA256:"]);
    assert_ne!(session.read(PIN), other);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_without_such_a_controller_has_been_asked_and_the_pin_is_not_used() {
    let cluster = Cluster::shared().await;
    let session = Session::through(&cluster.proxy);
    let namespace = cluster.namespace("pin-nope").await;
    session.secret("db", &namespace, "hunter2");
    session.run("cert fetch").await.ok();
    for option in ["--controller-name nope", "--controller-namespace nope"] {
        let done = session.run(&format!("seal secret.yaml {option}")).await;
        let done = done.failed();
        assert_eq!(done.stdout, "");
        done.says(&["cannot read Service", "answered 404", "--controller-name"]);
    }
}

/// Somebody who may read the published certificate and nothing else.
async fn without_the_proxy(cluster: &Cluster) -> Session {
    let proxier = "sealed-secrets-service-proxier";
    let delete = ["delete", "rolebinding", proxier, "-n", "kube-system"];
    cluster.plane.kubectl(delete).await.unwrap();
    let namespace = cluster.namespace("person").await;
    let create = ["create", "serviceaccount", "person", "-n", namespace.name()];
    cluster.plane.kubectl(create).await.unwrap();
    let account = cluster.plane.service_account(namespace.name(), "person");
    Session::of(&account.await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_368_without_the_service_proxy_the_published_certificate_seals_and_is_pinned() {
    let cluster = Cluster::own().await;
    let session = without_the_proxy(&cluster).await;
    let namespace = cluster.namespace("published").await;
    let config_map = "ConfigMap `kube-system/sealed-secrets-certificate`";
    session.secret("db", &namespace, "hunter2");
    let seal = "seal secret.yaml --output sealed.yaml";
    session
        .run(seal)
        .await
        .ok()
        .says(&["answered 403", config_map, "pinned the certificate"]);
    cluster.apply(&session, "sealed.yaml").await;
    namespace
        .expect_data("db", &[("password", "hunter2")])
        .await;

    // The pin holds for this way too.
    let other = include_str!("../../../../cli/tests/fixtures/other.cert.pem");
    session.write(PIN, other);
    session
        .run("seal secret.yaml")
        .await
        .failed()
        .says(&["is not the pinned one"]);

    // Where nothing is published, the refusal of the proxy is what is told.
    let elsewhere = "cert fetch --stdout --certificate-config-map=none";
    let refused = session.run(elsewhere).await.failed();
    refused.says(&["cannot read Service", "answered 403"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_317_as_kubeseal_too_the_published_certificate_is_read() {
    let cluster = Cluster::own().await;
    let session = without_the_proxy(&cluster).await;
    let fetched = session.kubeseal("--fetch-cert").await.ok();
    assert_eq!(
        fetched.stdout,
        cluster.controller.certificate().await.unwrap()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_282_the_published_certificate_follows_a_renewal() {
    let cluster = Cluster::own().await;
    let published = async || {
        let item = "-o=jsonpath={.data.cert\\.pem}";
        let map = "configmap/sealed-secrets-certificate";
        let get = ["get", map, "-n", "kube-system", item];
        cluster.plane.kubectl(get).await.ok()
    };
    let served = async || cluster.controller.certificate().await.ok();
    let same = async || (published().await? == served().await?).then_some(());
    wait_for(PATIENCE, same).await.expect("not published");
    let old = served().await;
    cluster.controller.request_newer_key().await.unwrap();
    let renewed = async || (published().await != old && same().await.is_some()).then_some(());
    wait_for(PATIENCE, renewed).await.expect("not renewed");
}
