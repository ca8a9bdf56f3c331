//! `signet status`

use signet_kit::{wait::PATIENCE, wait_for};

use crate::session::{Cluster, Session};

#[tokio::test(flavor = "multi_thread")]
async fn each_object_is_told_with_its_cause_and_the_exit_code_tells_too() {
    let cluster = Cluster::shared().await;
    let session = Session::through(&cluster.proxy);
    let namespace = cluster.namespace("status").await;
    let status = format!("status -n {}", namespace.name());
    session.secret("db", &namespace, "hunter2");
    session
        .run("seal secret.yaml --output sealed.yaml")
        .await
        .ok();
    cluster.apply(&session, "sealed.yaml").await;
    namespace
        .expect_data("db", &[("password", "hunter2")])
        .await;
    let ready = async || (session.run(&status).await.status == 0).then_some(());
    wait_for(PATIENCE, ready).await.expect("not ready");

    let renamed = session
        .read("sealed.yaml")
        .replace("name: db", "name: renamed");
    session.write("renamed.yaml", renamed);
    cluster.apply(&session, "renamed.yaml").await;
    let told = async || {
        let done = session.run(&status).await;
        done.stdout
            .contains("no key could decrypt secret (password)")
            .then_some(done)
    };
    let done = wait_for(PATIENCE, told).await.expect("no cause").failed();
    assert!(
        done.stdout
            .lines()
            .any(|line| line.contains("renamed  False")),
        "{}",
        done.stdout
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_table_says_whether_the_namespace_exists() {
    let cluster = Cluster::shared().await;
    let session = Session::through(&cluster.proxy);
    session
        .run("status -n nope")
        .await
        .failed()
        .says(&["namespace `nope` does not exist"]);
    let namespace = cluster.namespace("empty").await;
    let held = format!("namespace `{}` holds no SealedSecret", namespace.name());
    let status = format!("status -n {}", namespace.name());
    session.run(&status).await.ok().says(&[&held]);
}
