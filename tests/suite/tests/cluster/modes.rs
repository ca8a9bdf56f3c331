//! Flags that change what is watched and what is done.

use std::time::Duration;

use k8s_openapi::api::core::v1::Secret;
use kube::Api;
use kube::api::ListParams;
use serde_json::{Value, json};
use signet_kit::controller::NAME;
use signet_kit::tools::repository;
use signet_kit::{Controller, Namespace, ServiceProxy, cargo};

use crate::stage::{Solo, Stage, shared_plane, stage, wait_idle, with};

#[tokio::test]
async fn the_version_is_told_under_the_peers_name() {
    let output = tokio::process::Command::new(cargo::controller())
        .arg("--version")
        .output()
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success());
    let version = text
        .trim_end()
        .strip_prefix("controller version: v")
        .unwrap_or_else(|| panic!("{text}"));
    assert!(semver::Version::parse(version).is_ok(), "{text}");
}

#[tokio::test]
async fn issue_1386_a_flag_that_would_fail_later_stops_the_start() {
    let output = tokio::process::Command::new(cargo::controller())
        .arg("--privatekey-annotations=owner")
        .output();
    let output = output.await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--privatekey-annotations"));
}

#[tokio::test]
async fn issue_233_one_namespace_needs_no_right_outside_it() {
    let plane = shared_plane().await;
    let namespace = Solo::namespace("issue-233").await;
    let access = plane.service_account(namespace.name(), NAME).await.unwrap();
    let all: Api<Secret> = Api::all(access.client().await.unwrap());
    assert!(
        all.list(&ListParams::default()).await.is_err(),
        "its account must not see other namespaces"
    );

    let proxy = ServiceProxy::start(plane).unwrap();
    let options = Solo::options(&namespace, &[]).await.through(&proxy.url());
    let controller = Controller::start(plane, options).await.unwrap();
    let other = Namespace::create(plane, "outside").await.unwrap();
    let sealer = controller.sealer().await.unwrap();
    for namespace in [&other, &namespace] {
        namespace
            .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
            .await;
    }
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    assert_eq!(other.status("test").await, Value::Null);

    // issue 622, issue 1541: it does not even ask.
    let own = format!("/namespaces/{}", namespace.name());
    let outside: Vec<_> = proxy
        .requests()
        .into_iter()
        .filter(|seen| !seen.path.contains(&own))
        .collect();
    assert!(outside.is_empty(), "{outside:#?}");
}

#[tokio::test]
async fn additional_namespaces_are_watched_and_a_missing_one_stops_nothing() {
    let namespace = Solo::namespace("additional").await;
    let plane = shared_plane().await;
    let named = Namespace::create(plane, "named").await.unwrap();
    let unnamed = Namespace::create(plane, "unnamed").await.unwrap();
    let missing = format!("{}-later", named.name());
    let flags = format!("--additional-namespaces={},{missing}", named.name());
    // With the cluster-wide rights that the base gives for this.
    let options = with(&[&flags])
        .namespace(namespace.name())
        .access(plane.admin());
    let controller = Controller::start(plane, options).await.unwrap();
    let sealer = controller.sealer().await.unwrap();
    let later = Namespace::create_named(plane, &missing).await.unwrap();
    for namespace in [&named, &namespace, &unnamed, &later] {
        namespace
            .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
            .await;
    }
    for namespace in [&named, &namespace, &later] {
        namespace.expect_data("test", &[("foo", "bar")]).await;
        namespace.expect_synced("test", "True").await;
    }
    assert_eq!(unnamed.status("test").await, Value::Null);
}

#[tokio::test]
async fn d15_a_label_selector_chooses_objects_and_secrets_need_no_label() {
    let solo = Solo::start("d15", &["--label-selector=team=a"]).await;
    let (namespace, sealer) = (&solo.namespace, solo.sealer().await);
    namespace
        .apply(&namespace.sealed("theirs").seal(&sealer, "foo", "bar"))
        .await;
    namespace
        .apply(
            &namespace
                .sealed("ours")
                .label("team", "a")
                .seal(&sealer, "foo", "bar"),
        )
        .await;
    namespace.expect_data("ours", &[("foo", "bar")]).await;
    namespace.expect_synced("ours", "True").await;
    // The Secret carries no label, and is made again all the same.
    namespace.delete_secret("ours").await.unwrap();
    namespace.expect_data("ours", &[("foo", "bar")]).await;
    assert!(namespace.secret("theirs").await.is_none());
    namespace
        .patch_sealed("theirs", json!({"metadata": {"labels": {"team": "a"}}}))
        .await
        .unwrap();
    namespace.expect_data("theirs", &[("foo", "bar")]).await;
}

#[tokio::test]
async fn issue_2059_default_labels_are_on_every_secret_and_the_template_wins() {
    let solo = Solo::start(
        "issue-2059",
        &["--default-labels=velero.io/exclude-from-backup=true,team=none"],
    )
    .await;
    let (namespace, sealer) = (&solo.namespace, solo.sealer().await);
    let sealed = namespace
        .sealed("test")
        .template("/metadata/labels/team", "a");
    namespace.apply(&sealed.seal(&sealer, "foo", "bar")).await;
    let labels = namespace
        .expect_data("test", &[("foo", "bar")])
        .await
        .metadata
        .labels
        .unwrap();
    assert_eq!(
        (
            labels["velero.io/exclude-from-backup"].as_str(),
            labels["team"].as_str()
        ),
        ("true", "a")
    );
}

#[tokio::test]
async fn observe_reports_what_would_be_done_and_writes_nothing() {
    let namespace = Solo::namespace("observe").await;
    let plane = shared_plane().await;
    let pair =
        signet_kit::key_secret::KeyPair::generate(jiff::SignedDuration::from_hours(1)).unwrap();
    let secret = pair.secret(namespace.name(), "key");
    namespace
        .secrets()
        .create(&kube::api::PostParams::default(), &secret)
        .await
        .unwrap();
    let proxy = ServiceProxy::start(plane).unwrap();
    let options = Solo::options(&namespace, &["--observe"])
        .await
        .through(&proxy.url());
    let controller = Controller::start(plane, options).await.unwrap();
    let sealer = pair.sealer().unwrap();
    namespace
        .apply(&namespace.sealed("good").seal(&sealer, "foo", "bar"))
        .await;
    namespace
        .apply(&namespace.sealed("bad").raw("foo", "AAAA"))
        .await;
    let logged = async || controller.log();
    signet_kit::wait_until("both are reported", logged, |log| {
        log.contains("good") && log.contains("bad")
    })
    .await;
    wait_idle(&proxy, Duration::from_millis(500)).await;
    let writes: Vec<_> = proxy
        .requests()
        .into_iter()
        .filter(signet_kit::proxy::Seen::is_write)
        .collect();
    assert!(writes.is_empty(), "{writes:#?}");
    assert!(namespace.secret("good").await.is_none());
    assert_eq!(namespace.status("good").await, Value::Null);
}

#[tokio::test]
async fn observe_makes_no_key() {
    let namespace = Solo::namespace("observe-key").await;
    let options = Solo::options(&namespace, &["--observe"]).await;
    let controller = Controller::spawn(shared_plane().await, options)
        .await
        .unwrap();
    let probe = async || controller.get("/readyz").await.unwrap_or_default();
    signet_kit::wait_until("it answers", probe, |(status, _)| *status != 0).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(crate::stage::keys(&namespace).await.is_empty());
}

#[tokio::test]
async fn workloads_are_restarted_where_their_object_asks_for_it() {
    let stage = Stage::own(&[]).await;
    // kustomize reads a component only through a kustomization that names it.
    stage
        .plane
        .apply(&repository().join("deploy/components/restart-workloads/rbac.yaml"))
        .await
        .unwrap();
    let namespace = stage.namespace("workloads").await;
    let deployment = |name: &str, secret: &str| {
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": {
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{
                "name": "main", "image": "example.com/image:1", "envFrom": [{"secretRef": {"name": secret}}]}]}}}})
    };
    let api: Api<k8s_openapi::api::apps::v1::Deployment> =
        Api::namespaced(namespace.client(), namespace.name());
    for (name, secret) in [("uses", "test"), ("other", "another")] {
        let object = serde_json::from_value(deployment(name, secret)).unwrap();
        api.create(&kube::api::PostParams::default(), &object)
            .await
            .unwrap();
    }
    let sealed = |value: &str| {
        let sealed = namespace
            .sealed("test")
            .annotation("signet.dev/restart-workloads", "true");
        sealed.seal(&stage.sealer, "foo", value)
    };
    let restarted = async |name: &str| {
        let template = api
            .get(name)
            .await
            .unwrap()
            .spec
            .unwrap()
            .template
            .metadata
            .unwrap();
        template
            .annotations
            .unwrap_or_default()
            .get("signet.dev/restarted-at")
            .cloned()
    };
    namespace.apply(&sealed("bar")).await;
    namespace.expect_synced("test", "True").await;
    assert_eq!(
        restarted("uses").await,
        None,
        "a Secret that is new has changed nothing"
    );
    namespace.apply(&sealed("baz")).await;
    namespace.expect_data("test", &[("foo", "baz")]).await;
    signet_kit::wait_until(
        "the restart",
        async || restarted("uses").await,
        Option::is_some,
    )
    .await;
    assert_eq!(restarted("other").await, None);
}

#[tokio::test]
async fn a_second_writer_is_noticed_and_not_fought() {
    let stage = stage().await;
    let namespace = stage.namespace("rival").await;
    namespace
        .apply(&namespace.sealed("test").seal(&stage.sealer, "foo", "bar"))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    // Somebody puts another value back as often as it is repaired.
    let mut rounds = 0;
    let settled = async || {
        let secret = namespace.secret("test").await?;
        if secret.data.as_ref()?.get("foo")?.0 == b"theirs" {
            let said = namespace
                .status("test")
                .await
                .to_string()
                .contains("OtherWriter");
            return said.then_some(());
        }
        rounds += 1;
        namespace
            .patch_secret("test", json!({"stringData": {"foo": "theirs"}}))
            .await
            .ok()?;
        None
    };
    let settled = signet_kit::wait_for(Duration::from_secs(40), settled).await;
    assert!(
        settled.is_some(),
        "after {rounds} rounds: {:#}",
        namespace.status("test").await
    );
    assert!(rounds < 100, "{rounds} rounds of a fight");
}

#[tokio::test]
async fn a_port_that_is_taken_stops_the_start_with_a_hint() {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let namespace = Solo::namespace("taken").await;
    let address = format!("--listen-addr={}", taken.local_addr().unwrap());
    let options = Solo::options(&namespace, &[&address]).await;
    let mut controller = Controller::spawn(shared_plane().await, options)
        .await
        .unwrap();
    let ended = async || controller.exited();
    let status = signet_kit::wait_until("it ends", ended, Option::is_some).await;
    assert_eq!(status.unwrap().code(), Some(1));
    assert!(
        controller.log().contains("--listen-addr"),
        "{}",
        controller.log()
    );
}

#[tokio::test]
async fn a_kubeconfig_that_is_not_there_stops_the_start() {
    let mut command = tokio::process::Command::new(cargo::controller());
    let output = command
        .args(["--kubeconfig=/does/not/exist", "--listen-addr=127.0.0.1:0"])
        .output()
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = [output.stdout, output.stderr].concat();
    assert!(String::from_utf8_lossy(&text).contains("/does/not/exist"));
}
