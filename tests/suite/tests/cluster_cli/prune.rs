//! `signet keys prune`: sealed-secrets#336.

use std::time::Duration;

use jiff::SignedDuration;
use k8s_openapi::api::core::v1::Secret;
use kube::Api;
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::json;
use signet_kit::Fault;
use signet_kit::Namespace;
use signet_kit::controller::NAMESPACE;
use signet_kit::key_secret::KeyPair;

use crate::keys::recipient;
use crate::session::{Cluster, Session};

/// A cluster with a key that an object needs, one that nothing needs, and two of the controller's own:
/// the first, and the newest.
struct Aged {
    cluster: Cluster,
    session: Session,
    namespace: Namespace,
    recipient: String,
}

const PRUNE: &str = "keys prune --keep-days 0";

impl Aged {
    async fn start() -> Self {
        let cluster = Cluster::own().await;
        let session = Session::through(&cluster.proxy);
        let namespace = cluster.namespace("prune").await;
        let recipient = recipient(&session);
        let aged = Self {
            cluster,
            session,
            namespace,
            recipient,
        };
        let needed = aged.put_key("needed", 200).await;
        aged.put_key("unneeded", 100).await;
        aged.newer_key().await;
        aged.session.write("needed.pem", &needed.certificate);
        aged.session.secret("db", &aged.namespace, "hunter2");
        let seal = "seal secret.yaml --cert needed.pem --output sealed.yaml";
        aged.session.run(seal).await.ok();
        aged.cluster.apply(&aged.session, "sealed.yaml").await;
        aged.namespace.expect_synced("db", "True").await;
        aged
    }

    fn keys(&self) -> Api<Secret> {
        Api::namespaced(self.namespace.client(), NAMESPACE)
    }

    async fn put_key(&self, name: &str, days: i64) -> KeyPair {
        let pair = KeyPair::generate(SignedDuration::from_hours(24 * days)).unwrap();
        let secret = pair.secret(NAMESPACE, name);
        let created = self.keys().create(&PostParams::default(), &secret).await;
        created.unwrap();
        let own_too = |keys| keys > 1.5;
        let controller = &self.cluster.controller;
        controller.expect_metric("signet_keys", &[], own_too).await;
        pair
    }

    /// Has the controller make one that is the newest by its certificate and by its Secret; both
    /// count seconds.
    async fn newer_key(&self) {
        tokio::time::sleep(Duration::from_millis(1100)).await;
        let controller = &self.cluster.controller;
        controller.request_newer_key().await.unwrap();
        let all = |keys| keys > 3.5;
        controller.expect_metric("signet_keys", &[], all).await;
    }

    async fn exists(&self, name: &str) -> bool {
        self.keys().get_opt(name).await.unwrap().is_some()
    }

    fn delete(&self, file: &str) -> String {
        format!(
            "{PRUNE} --delete --backup {file} --recipient {}",
            self.recipient
        )
    }
}

fn line<'a>(stdout: &'a str, name: &str) -> &'a str {
    let begins = |line: &&str| line.starts_with(&format!("{name} "));
    stdout.lines().find(begins).expect("a line of that key")
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_336_a_key_that_nothing_needs_goes_after_a_backup_and_no_other() {
    let aged = Aged::start().await;
    let told = aged.session.run(PRUNE).await.ok();
    assert!(line(&told.stdout, "unneeded").ends_with("nothing needs it"));
    let needed = format!("stays: {}/db needs it", aged.namespace.name());
    assert!(line(&told.stdout, "needed").ends_with(&needed));
    assert!(told.stdout.contains("stays: the newest"), "{}", told.stdout);
    told.says(&["2 keys could go", "--delete"]);
    assert!(aged.exists("unneeded").await, "nothing goes unasked");

    let recent = aged.session.run("keys prune").await.ok().stdout;
    assert!(line(&recent, "unneeded").contains("stays: the newest until"));

    let deleted = aged.session.run(&aged.delete("all.age")).await.ok();
    deleted.says(&[
        "backed up 4 keys to `all.age`",
        "deleted `kube-system/unneeded`",
    ]);
    assert!(!aged.exists("unneeded").await);
    assert!(aged.exists("needed").await);
    let listed = "keys list --private-key all.age --identity key.txt";
    let listed = aged.session.run(listed).await.ok().stdout;
    assert!(listed.contains("unneeded"), "{listed}");

    let again = aged.session.run(&aged.delete("all.age")).await.failed();
    again.says(&["`all.age` exists already"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_not_deleted_without_a_backup_unless_that_is_asked_for() {
    let aged = Aged::start().await;
    let refused = aged.session.run(&format!("{PRUNE} --delete")).await;
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    refused.says(&["needs a backup", "--danger-no-backup"]);
    assert!(aged.exists("unneeded").await);
    let danger = format!("{PRUNE} --delete --danger-no-backup");
    aged.session.run(&danger).await.ok();
    assert!(!aged.exists("unneeded").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_goes_while_it_is_not_known_what_an_object_needs() {
    let aged = Aged::start().await;
    let renamed = aged
        .session
        .read("sealed.yaml")
        .replace("name: db", "name: lost");
    aged.session.write("lost.yaml", renamed);
    aged.cluster.apply(&aged.session, "lost.yaml").await;
    aged.namespace.expect_synced("lost", "False").await;
    let refused = aged.session.run(&aged.delete("all.age")).await.failed();
    let lost = format!("`{}/lost` is not synced", aged.namespace.name());
    refused.says(&[&lost, "none can go"]);
    assert!(aged.exists("unneeded").await);
    assert!(!aged.session.path("all.age").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_status_does_not_bring_about_the_loss_of_a_key() {
    let aged = Aged::start().await;
    let listed = aged.session.run("keys list").await.ok().stdout;
    let newest = listed.lines().find(|line| line.contains("newest")).unwrap();
    let newest = newest.split_whitespace().nth(1).unwrap();
    let forged = json!({"status": {"applied": {"keys": [{"fingerprint": newest}]}}});
    let params = PatchParams::default();
    let sealed = aged.namespace.sealed_secrets();
    let patched = sealed
        .patch_status("db", &params, &Patch::Merge(forged))
        .await;
    patched.unwrap();

    let told = aged.session.run(PRUNE).await.ok().stdout;
    assert!(
        line(&told, "needed").ends_with("nothing needs it"),
        "{told}"
    );
    let refused = aged.session.run(&aged.delete("all.age")).await.failed();
    refused.says(&["would not open any more", "nothing was deleted"]);
    assert!(aged.exists("needed").await && aged.exists("unneeded").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_secret_that_has_changed_meanwhile_is_not_deleted() {
    let aged = Aged::start().await;
    let conflict = Fault::status(409).on("DELETE", "/secrets/unneeded");
    aged.cluster.proxy.faults().inject(conflict.always());
    let refused = aged.session.run(&aged.delete("all.age")).await.failed();
    refused.says(&["has changed meanwhile", "run the command again"]);
}
