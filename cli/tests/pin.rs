//! The pinned certificate. (The first fetch and a changed certificate: the cluster tests.)

use crate::support::{SECRET, Session};

fn pinned() -> Session {
    let session = Session::new();
    let pem = session.read("main.cert.pem");
    session.write(".signet/certs/default.pem", format!("Commit it.\n\n{pem}"));
    session
}

#[test]
fn offline_the_pinned_certificate_is_used_without_a_word() {
    let session = pinned();
    session.write(
        "sealed.yaml",
        session.pipe("seal --offline", SECRET).ok().stdout,
    );
    assert_eq!(
        session.opened("sealed.yaml", "main.key.pem"),
        "password=hunter2\nuser=admin\n"
    );
}

#[test]
fn when_the_cluster_cannot_be_asked_the_pin_is_used_and_its_age_told() {
    let session = pinned();
    session.pipe("seal", SECRET).ok().says(&[
        "note: ",
        "sealing with the pinned certificate `.signet/certs/default.pem`",
        "days old",
    ]);
}

#[test]
fn an_unreachable_cluster_is_no_reason_to_stop_when_there_is_a_pin() {
    let session = pinned();
    session.write(
        "kubeconfig",
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]\n\
         contexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {}}]\n",
    );
    let env = [("KUBECONFIG", "kubeconfig")];
    let done = session.run_with("seal", SECRET, &env).ok();
    if cfg!(feature = "full") {
        done.says(&["no answer from the cluster at http://127.0.0.1:1"]);
    }
    // The pin may be another cluster's than the one that is named.
    session
        .pipe("seal --kubeconfig kubeconfig", SECRET)
        .refused(&["hint: "]);
}

#[test]
fn without_a_cluster_and_without_a_pin_it_says_what_to_do() {
    let session = Session::new();
    session
        .pipe("seal", SECRET)
        .refused(&["hint: ", "--cert FILE"]);
    session
        .pipe("seal --offline", SECRET)
        .refused(&["no certificate is pinned", "signet cert fetch"]);
}
