//! The certificate: pinned at the first fetch, a changed one never taken silently.

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
