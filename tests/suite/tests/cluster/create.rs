//! A new or edited SealedSecret gives its Secret.

use serde_json::json;
use signet_kit::key_secret::KeyPair;
use signet_kit::namespace::condition;

use crate::stage::stage;

#[tokio::test]
async fn a_new_object_gives_its_secret_a_status_and_an_event() {
    let stage = stage().await;
    let namespace = stage.namespace("create").await;
    let sealed = namespace
        .sealed("test")
        .template("/metadata/labels/mylabel", "myvalue");
    namespace
        .apply(&sealed.seal(&stage.sealer, "foo", "bar"))
        .await;

    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(secret.metadata.labels.unwrap()["mylabel"], "myvalue");
    assert_eq!(secret.type_.as_deref(), Some("Opaque"));
    let owner = &secret.metadata.owner_references.unwrap()[0];
    assert_eq!(
        (owner.kind.as_str(), owner.name.as_str(), owner.controller),
        ("SealedSecret", "test", Some(true))
    );

    let status = namespace.expect_synced("test", "True").await;
    assert_eq!(
        status["conditions"][0]["type"], "Synced",
        "Argo CD and the printer columns look at the first"
    );
    let synced = condition(&status, "Synced").unwrap();
    assert_eq!(synced["lastUpdateTime"], synced["lastTransitionTime"]);
    let event = namespace
        .expect_event("test", "Unsealed", "SealedSecret unsealed successfully")
        .await;
    assert_eq!(event.type_.as_deref(), Some("Normal"));
    assert_eq!(
        event.source.unwrap().component.as_deref(),
        Some("sealed-secrets")
    );
}

#[tokio::test]
async fn an_edited_object_gives_the_new_secret_and_its_update_time_moves() {
    let stage = stage().await;
    let namespace = stage.namespace("edit").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    let first = namespace.expect_synced("test", "True").await;
    // Times in a status count seconds.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    namespace
        .apply(&sealed.seal(&stage.sealer, "foo", "baz"))
        .await;

    namespace.expect_data("test", &[("foo", "baz")]).await;
    let second = namespace.expect_synced("test", "True").await;
    assert_eq!(second["observedGeneration"], 2);
    let (first, second) = (
        condition(&first, "Synced").unwrap(),
        condition(&second, "Synced").unwrap(),
    );
    assert_eq!(second["lastTransitionTime"], first["lastTransitionTime"]);
    assert_ne!(second["lastUpdateTime"], second["lastTransitionTime"]);
}

#[tokio::test]
async fn an_item_may_be_renamed_without_sealing_it_again() {
    let stage = stage().await;
    let namespace = stage.namespace("rename").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    let ciphertext = sealed.ciphertext("foo").unwrap().to_owned();
    namespace
        .apply(&sealed.without("foo").raw("xyzzy", ciphertext))
        .await;
    namespace.expect_data("test", &[("xyzzy", "bar")]).await;
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn an_item_may_be_added_and_one_taken_away() {
    let stage = stage().await;
    let namespace = stage.namespace("append").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    let sealed = sealed.seal(&stage.sealer, "foo2", "new!");
    namespace.apply(&sealed).await;
    namespace
        .expect_data("test", &[("foo", "bar"), ("foo2", "new!")])
        .await;
    namespace.apply(&sealed.without("foo")).await;
    namespace.expect_data("test", &[("foo2", "new!")]).await;
}

#[tokio::test]
async fn the_type_of_the_template_is_that_of_the_secret() {
    let stage = stage().await;
    let namespace = stage.namespace("type").await;
    let config = r#"{"auths":{"registry.example.com":{"auth":"dXNlcjpwYXNz"}}}"#;
    let sealed = namespace
        .sealed("pull")
        .template("/type", "kubernetes.io/dockerconfigjson");
    namespace
        .apply(&sealed.seal(&stage.sealer, ".dockerconfigjson", config))
        .await;
    let secret = namespace
        .expect_data("pull", &[(".dockerconfigjson", config)])
        .await;
    assert_eq!(
        secret.type_.as_deref(),
        Some("kubernetes.io/dockerconfigjson")
    );
}

#[tokio::test]
async fn a_secret_of_a_key_that_is_not_here_is_not_made() {
    let stage = stage().await;
    let namespace = stage.namespace("wrong-key").await;
    let elsewhere = KeyPair::generate(jiff::SignedDuration::ZERO)
        .unwrap()
        .sealer()
        .unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&elsewhere, "foo", "bar"))
        .await;
    let event = namespace
        .expect_event(
            "test",
            "ErrUnsealFailed",
            "no key could decrypt secret (foo)",
        )
        .await;
    assert_eq!(event.type_.as_deref(), Some("Warning"));
    let status = namespace.expect_synced("test", "False").await;
    let message = condition(&status, "Synced").unwrap()["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        message.contains("no key could decrypt secret (foo)"),
        "{message}"
    );
    assert!(namespace.secret("test").await.is_none());
}

#[tokio::test]
async fn an_edit_that_does_not_open_leaves_the_secret_as_it_was() {
    let stage = stage().await;
    let namespace = stage.namespace("keep").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "foo", "bar");
    namespace.apply(&sealed).await;
    let before = namespace.expect_data("test", &[("foo", "bar")]).await;
    namespace.expect_synced("test", "True").await;
    namespace
        .apply(&sealed.raw("foo", "bm90IGEgY2lwaGVydGV4dA=="))
        .await;
    namespace.expect_synced("test", "False").await;
    let after = namespace.secret("test").await.unwrap();
    assert_eq!(
        after.metadata.resource_version,
        before.metadata.resource_version
    );
}

#[tokio::test]
async fn items_of_any_bytes_and_sizes_arrive_whole() {
    let stage = stage().await;
    let namespace = stage.namespace("bytes").await;
    let all: Vec<u8> = (0..=255).collect();
    let large: Vec<u8> = (0..700_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let sealed = namespace.sealed("test").seal(&stage.sealer, "empty", "");
    let sealed = sealed
        .seal(&stage.sealer, "all", &all)
        .seal(&stage.sealer, "large", &large);
    // Wrapped as a person's editor or an old YAML writer wraps it.
    let wrapped = sealed
        .ciphertext("all")
        .unwrap()
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line));
    let wrapped = wrapped.collect::<Vec<_>>().join("\r\n");
    namespace.apply(&sealed.raw("wrapped", wrapped)).await;
    let secret = namespace
        .expect_secret("test", "Secret test", |_| true)
        .await;
    let data = secret.data.unwrap();
    assert_eq!(data["empty"].0, b"");
    assert_eq!(data["all"].0, all);
    assert_eq!(data["wrapped"].0, all);
    assert!(data["large"].0 == large, "the large item differs");
}

#[tokio::test]
async fn a_bad_object_never_stops_the_others() {
    let stage = stage().await;
    let namespace = stage.namespace("bad").await;
    let good = |name: &str| namespace.sealed(name).seal(&stage.sealer, "foo", "bar");
    let bad = [
        good("number").raw("foo", 5),
        good("nested").raw("foo", json!({"a": 1})),
        good("not-base64").raw("foo", "%%%"),
        good("truncated").raw("foo", "AgA="),
        good("both").spec("data", "AAAA"),
        good("bad-type").template("/type", json!(["Opaque"])),
        good("bad-labels").template("/metadata/labels", json!({"a": 1})),
        good("bad-label-value").template("/metadata/labels", json!({"a": "not a label value!"})),
        good("bad-item-name").without("foo").raw(
            "not/a/key",
            good("bad-item-name").ciphertext("foo").unwrap(),
        ),
        good("rendered").template("/data/url", "db://{{ .foo }}"),
    ];
    let mut refused = Vec::new();
    for sealed in &bad {
        if namespace.try_apply(sealed).await.is_err() {
            refused.push(sealed.name());
        }
    }
    namespace.apply(&good("good")).await;
    namespace.expect_data("good", &[("foo", "bar")]).await;
    // The peer's schema refuses these too, and no others.
    assert_eq!(refused, ["number", "nested", "bad-type", "bad-labels"]);
    for sealed in &bad {
        if namespace
            .sealed_secrets()
            .get_opt(sealed.name())
            .await
            .unwrap()
            .is_some()
        {
            namespace.expect_synced(sealed.name(), "False").await;
            assert!(
                namespace.secret(sealed.name()).await.is_none(),
                "{}",
                sealed.name()
            );
        }
    }
}

#[tokio::test]
async fn a_template_that_needs_rendering_fails_clearly_and_not_silently() {
    let stage = stage().await;
    let namespace = stage.namespace("template").await;
    let sealed = namespace.sealed("test").seal(&stage.sealer, "pw", "s3cret");
    namespace
        .apply(&sealed.template("/data/url", "db://u:{{ .pw }}@h"))
        .await;
    let status = namespace.expect_synced("test", "False").await;
    let message = condition(&status, "Synced").unwrap()["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(message.contains("template.data"), "{message}");
    assert!(namespace.secret("test").await.is_none());
}

#[tokio::test]
async fn a_secret_of_the_deprecated_whole_blob_form_is_made() {
    let stage = stage().await;
    let namespace = stage.namespace("blob").await;
    let whole = json!({"apiVersion": "v1", "kind": "Secret",
        "metadata": {"name": "test", "namespace": namespace.name(), "labels": {"from": "inside"}},
        "data": {"foo": "YmFy"}});
    let scope = signet_keys::sealed::Scope::Strict;
    let blob = stage
        .sealer
        .seal(
            scope,
            namespace.name(),
            "test",
            whole.to_string().as_bytes(),
        )
        .unwrap();
    let object = json!({"apiVersion": "bitnami.com/v1alpha1", "kind": "SealedSecret",
        "metadata": {"name": "test"}, "spec": {"data": blob, "encryptedData": {}}});
    let object = serde_json::from_value(object).unwrap();
    namespace
        .sealed_secrets()
        .create(&kube::api::PostParams::default(), &object)
        .await
        .unwrap();
    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(secret.metadata.labels.unwrap()["from"], "inside");
}
