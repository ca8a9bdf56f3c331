//! `signet reseal` through the controller.

use signet_kit::{Fault, wait::PATIENCE, wait_for};

use crate::session::{Cluster, Session};

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_not_on_the_newest_key_is_sealed_anew_and_nothing_else_moves() {
    let cluster = Cluster::own().await;
    let session = Session::through(&cluster.proxy);
    let namespace = cluster.namespace("reseal").await;
    session.secret("db", &namespace, "hunter2");
    session
        .run("seal secret.yaml --output sealed.yaml")
        .await
        .ok();
    let text = session.read("sealed.yaml");
    let text = text.replace(
        "  template:\n",
        "  # how the Secret looks\n  template:\n    data:\n      motto: plain text\n",
    );
    session.write("sealed.yaml", &text);
    cluster.apply(&session, "sealed.yaml").await;
    namespace
        .expect_data("db", &[("password", "hunter2"), ("motto", "plain text")])
        .await;

    // On the newest key, as the status says: without the memory of this machine too.
    session
        .run("reseal . --no-state")
        .await
        .ok()
        .says(&["resealed 0 items in 0 files; 1 item on the newest key already"]);
    assert_eq!(session.read("sealed.yaml"), text);

    let old = cluster.controller.certificate().await.unwrap();
    cluster.controller.request_newer_key().await.unwrap();
    let renewed = async || {
        let now = cluster.controller.certificate().await.ok()?;
        (now != old).then_some(())
    };
    wait_for(PATIENCE, renewed).await.expect("no new key");

    let dry = session.run("reseal . --dry-run").await.ok();
    assert!(
        dry.stdout.starts_with("sealed.yaml: would reseal "),
        "{}",
        dry.stdout
    );
    assert_eq!(session.read("sealed.yaml"), text);

    // A busy controller is waited for.
    cluster
        .proxy
        .faults()
        .inject(Fault::status(429).at("/v1/rotate").times(3));
    session
        .run("reseal .")
        .await
        .ok()
        .says(&["resealed 1 item in 1 file"]);
    let resealed = session.read("sealed.yaml");
    let differing: Vec<_> = text
        .lines()
        .zip(resealed.lines())
        .filter(|(old, new)| old != new)
        .collect();
    assert_eq!(differing.len(), 1, "{resealed}");
    assert!(differing[0].1.starts_with("    password: A"), "{resealed}");
    assert_eq!(text.lines().count(), resealed.lines().count());

    // Not applied yet, and all the same not done twice.
    session
        .run("reseal .")
        .await
        .ok()
        .says(&["resealed 0 items"]);
    assert_eq!(session.read("sealed.yaml"), resealed);
    cluster.apply(&session, "sealed.yaml").await;
    namespace
        .expect_data("db", &[("password", "hunter2"), ("motto", "plain text")])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_1556_what_does_not_open_is_named_and_the_rest_is_done() {
    let cluster = Cluster::shared().await;
    let session = Session::through(&cluster.proxy);
    let namespace = cluster.namespace("reseal-bad").await;
    session.secret("db", &namespace, "hunter2");
    session
        .run("seal secret.yaml --output good.yaml --no-state")
        .await
        .ok();
    let good = session.read("good.yaml");
    let bad = good.replace("name: db", "name: renamed");
    session.write("bad.yaml", &bad);
    let done = session.run("reseal . --no-state").await.failed();
    assert!(
        done.stdout.starts_with("good.yaml: resealed "),
        "{}",
        done.stdout
    );
    done.says(&[
        "`bad.yaml`",
        "`renamed`",
        "answered 409: no key could decrypt secret (password)",
    ]);
    assert_eq!(session.read("bad.yaml"), bad);
    assert_ne!(session.read("good.yaml"), good);
}
