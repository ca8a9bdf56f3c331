//! A ciphertext opens where it was meant to, and nowhere else.

use signet_keys::sealed::Scope;
use signet_kit::namespace::condition;
use signet_kit::{Namespace, SealedSecret};

use crate::stage::{Stage, stage};

/// Seals `foo` for another name and applies it under `test`.
fn renamed(stage: &Stage, namespace: &Namespace, scope: Scope) -> SealedSecret {
    let sealed = namespace
        .sealed("original")
        .scope(scope)
        .seal(&stage.sealer, "foo", "bar");
    sealed.renamed("test").template("/metadata/name", "test")
}

/// Seals `foo` for another namespace and applies it here.
fn moved(stage: &Stage, namespace: &Namespace, scope: Scope) -> SealedSecret {
    let sealed =
        SealedSecret::new("elsewhere", "test")
            .scope(scope)
            .seal(&stage.sealer, "foo", "bar");
    sealed
        .moved(namespace.name())
        .template("/metadata/namespace", namespace.name())
}

async fn expect_refused(namespace: &Namespace) -> String {
    namespace
        .expect_event(
            "test",
            "ErrUnsealFailed",
            "no key could decrypt secret (foo)",
        )
        .await;
    let status = namespace.expect_synced("test", "False").await;
    assert!(namespace.secret("test").await.is_none());
    condition(&status, "Synced").unwrap()["message"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn strict_refuses_another_name() {
    let stage = stage().await;
    let namespace = stage.namespace("strict-name").await;
    namespace
        .apply(&renamed(stage, &namespace, Scope::Strict))
        .await;
    expect_refused(&namespace).await;
}

#[tokio::test]
async fn strict_refuses_another_namespace() {
    let stage = stage().await;
    let namespace = stage.namespace("strict-ns").await;
    namespace
        .apply(&moved(stage, &namespace, Scope::Strict))
        .await;
    expect_refused(&namespace).await;
}

#[tokio::test]
async fn cluster_wide_allows_another_name_and_another_namespace() {
    let stage = stage().await;
    for kind in ["name", "namespace"] {
        let namespace = stage.namespace("cluster-wide").await;
        let sealed = match kind {
            "name" => renamed(stage, &namespace, Scope::ClusterWide),
            _ => moved(stage, &namespace, Scope::ClusterWide),
        };
        namespace.apply(&sealed).await;
        namespace.expect_data("test", &[("foo", "bar")]).await;
    }
}

#[tokio::test]
async fn namespace_wide_allows_another_name() {
    let stage = stage().await;
    let namespace = stage.namespace("ns-wide-name").await;
    namespace
        .apply(&renamed(stage, &namespace, Scope::NamespaceWide))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
}

#[tokio::test]
async fn namespace_wide_refuses_another_namespace() {
    let stage = stage().await;
    let namespace = stage.namespace("ns-wide-ns").await;
    namespace
        .apply(&moved(stage, &namespace, Scope::NamespaceWide))
        .await;
    expect_refused(&namespace).await;
}

#[tokio::test]
async fn cluster_wide_wins_when_both_annotations_are_there() {
    let stage = stage().await;
    let namespace = stage.namespace("both").await;
    let sealed = renamed(stage, &namespace, Scope::ClusterWide);
    namespace
        .apply(&sealed.annotation("sealedsecrets.bitnami.com/namespace-wide", "true"))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
}

#[tokio::test]
async fn a_scope_annotation_counts_only_with_the_exact_text_true() {
    let stage = stage().await;
    let namespace = stage.namespace("exact").await;
    let sealed = renamed(stage, &namespace, Scope::ClusterWide);
    namespace
        .apply(&sealed.annotation("sealedsecrets.bitnami.com/cluster-wide", "True"))
        .await;
    expect_refused(&namespace).await;
}

#[tokio::test]
async fn issue_450_a_missing_scope_annotation_is_named() {
    let stage = stage().await;
    for (scope, word) in [
        (Scope::NamespaceWide, "namespace-wide"),
        (Scope::ClusterWide, "cluster-wide"),
    ] {
        let namespace = stage.namespace("hint").await;
        let text = stage
            .sealer
            .seal(scope, namespace.name(), "test", b"bar")
            .unwrap();
        namespace
            .apply(&namespace.sealed("test").raw("foo", text))
            .await;
        let message = expect_refused(&namespace).await;
        assert!(
            message.contains(word) && message.contains("annotation"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_name_that_only_the_template_remembers_is_named() {
    let stage = stage().await;
    let namespace = stage.namespace("hint-name").await;
    let sealed = namespace
        .sealed("original")
        .seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed.renamed("test")).await;
    let message = expect_refused(&namespace).await;
    assert!(message.contains("original"), "{message}");
}

#[tokio::test]
async fn names_of_others_are_never_tried_nor_named() {
    let stage = stage().await;
    let (one, other) = (
        stage.namespace("tenant-a").await,
        stage.namespace("tenant-b").await,
    );
    let sealed = one.sealed("private").seal(&stage.sealer, "foo", "bar");
    one.apply(&sealed).await;
    one.expect_data("private", &[("foo", "bar")]).await;
    let stolen = sealed
        .moved(other.name())
        .renamed("test")
        .template("/metadata/name", "test");
    other
        .apply(&stolen.template("/metadata/namespace", other.name()))
        .await;
    let message = expect_refused(&other).await;
    assert!(
        !message.contains(one.name()) && !message.contains("private"),
        "{message}"
    );
}

#[tokio::test]
async fn d3_a_scope_that_is_repaired_by_annotation_alone_is_noticed() {
    let stage = stage().await;
    let namespace = stage.namespace("d3").await;
    let text = stage
        .sealer
        .seal(Scope::NamespaceWide, namespace.name(), "test", b"bar")
        .unwrap();
    let sealed = namespace.sealed("test").raw("foo", text);
    namespace.apply(&sealed).await;
    expect_refused(&namespace).await;
    namespace.apply(&sealed.scope(Scope::NamespaceWide)).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn the_template_does_not_choose_the_name_or_the_namespace_of_the_secret() {
    let stage = stage().await;
    let (here, there) = (
        stage.namespace("here").await,
        stage.namespace("there").await,
    );
    let sealed = here
        .sealed("test")
        .scope(Scope::ClusterWide)
        .seal(&stage.sealer, "foo", "bar");
    let sealed = sealed.template("/metadata/name", "chosen");
    here.apply(&sealed.template("/metadata/namespace", there.name()))
        .await;
    here.expect_data("test", &[("foo", "bar")]).await;
    here.expect_synced("test", "True").await;
    for namespace in [&here, &there] {
        assert!(namespace.secret("chosen").await.is_none());
    }
    assert!(there.secret("test").await.is_none());
}
