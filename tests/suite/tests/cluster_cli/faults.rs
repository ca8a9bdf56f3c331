//! A cluster that refuses, or says nothing: a clear error, or the pinned certificate with a note.

use std::time::Duration;

use signet_kit::{Fault, ServiceProxy};

use crate::session::{Cluster, Session};

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_refuses_is_quoted_and_no_file_is_written() {
    let cluster = Cluster::shared().await;
    let namespace = cluster.namespace("refused").await;
    for code in [403, 404, 409, 410, 500] {
        // A proxy of its own, so that others do not meet its faults.
        let proxy = ServiceProxy::start(&cluster.plane).unwrap();
        proxy
            .faults()
            .inject(Fault::status(code).at("/namespaces/kube-system/").always());
        let session = Session::through(&proxy);
        session.secret("db", &namespace, "hunter2");
        let done = session.run("seal secret.yaml --output sealed.yaml").await;
        done.failed().says(&[
            "error: cannot read Service `kube-system/sealed-secrets-controller`",
            &format!("the cluster answered {code}"),
        ]);
        assert!(!session.path("sealed.yaml").exists());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_cluster_is_asked_again() {
    let cluster = Cluster::shared().await;
    let namespace = cluster.namespace("busy").await;
    let proxy = ServiceProxy::start(&cluster.plane).unwrap();
    proxy.route(
        signet_kit::controller::NAMESPACE,
        signet_kit::controller::NAME,
        cluster.controller.http_port(),
    );
    proxy
        .faults()
        .inject(Fault::status(429).at("/services/").times(2));
    let session = Session::through(&proxy);
    session.secret("db", &namespace, "hunter2");
    session.run("seal secret.yaml").await.ok();
    assert!(proxy.faults().are_spent());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_answer_the_pin_is_used_and_told() {
    let cluster = Cluster::shared().await;
    let namespace = cluster.namespace("silent").await;
    let proxy = ServiceProxy::start(&cluster.plane).unwrap();
    proxy.faults().inject(Fault::dropped().always());
    let session = Session::through(&proxy);
    session.secret("db", &namespace, "hunter2");
    session
        .run("seal secret.yaml")
        .await
        .failed()
        .says(&["no answer from the cluster at https://127.0.0.1:"]);

    std::fs::create_dir_all(session.path(".signet/certs")).unwrap();
    let pem = cluster.controller.certificate().await.unwrap();
    session.write(".signet/certs/default.pem", pem);
    session
        .run("seal secret.yaml --output sealed.yaml")
        .await
        .ok()
        .says(&["sealing with the pinned certificate", "0 days old"]);
    cluster.apply(&session, "sealed.yaml").await;
    namespace
        .expect_data("db", &[("password", "hunter2")])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_hangs_does_not_hang_us_for_ever() {
    let cluster = Cluster::shared().await;
    let proxy = ServiceProxy::start(&cluster.plane).unwrap();
    proxy.faults().inject(Fault::silence().always());
    let session = Session::through(&proxy);
    // Building the program may take its time.
    session.run("--version").await.ok();
    let done = tokio::time::timeout(
        Duration::from_secs(30),
        session.run("status --request-timeout 3"),
    );
    let done = done.await.expect("it still waits");
    done.failed().says(&["no answer from the cluster"]);
}
