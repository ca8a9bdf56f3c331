//! Ours in the place of the peer's, and the peer's in the place of ours, over the same cluster.

use std::time::Duration;

use signet_keys::sealed::Scope;
use signet_kit::namespace::{condition, text};
use signet_kit::{
    ControlPlane, Controller, ControllerOptions, Namespace, PeerController, PlaneOptions, Sealer,
    ServiceProxy, tools,
};

use crate::stage::{keys, secret_versions, wait_idle};

async fn plane() -> ControlPlane {
    // Their CRD, as an installed cluster has it, and the Service account and roles that both use.
    let plane = ControlPlane::with_deployment(PlaneOptions::default())
        .await
        .unwrap();
    plane.apply(&tools().peer_crd()).await.unwrap();
    plane
}

/// Objects of every kind that matters, made under the peer.
async fn fill(namespace: &Namespace, sealer: &Sealer) {
    let sealed = |name: &str| namespace.sealed(name);
    let objects = [
        sealed("plain").seal(sealer, "foo", "bar"),
        sealed("many")
            .seal(sealer, "a", "1")
            .seal(sealer, "b", "")
            .seal(sealer, "c", [0, 255]),
        sealed("typed")
            .template("/type", "kubernetes.io/basic-auth")
            .seal(sealer, "username", "u")
            .seal(sealer, "password", "p"),
        sealed("wide")
            .scope(Scope::NamespaceWide)
            .seal(sealer, "foo", "bar"),
        sealed("everywhere")
            .scope(Scope::ClusterWide)
            .seal(sealer, "foo", "bar"),
        sealed("labelled")
            .template("/metadata/labels/app", "demo")
            .template("/metadata/annotations/note", "x")
            .seal(sealer, "foo", "bar"),
        sealed("frozen")
            .template("/immutable", true)
            .seal(sealer, "foo", "bar"),
    ];
    for object in &objects {
        namespace.apply(object).await;
    }
    for object in &objects {
        namespace.expect_synced(object.name(), "True").await;
    }
    namespace.apply(&sealed("broken").raw("foo", "AAAA")).await;
    namespace.expect_synced("broken", "False").await;
}

#[tokio::test]
async fn ours_takes_over_keys_and_objects_without_rewriting_a_secret_and_the_peer_takes_back() {
    let plane = plane().await;
    let peer = PeerController::start(&plane, &[]).await.unwrap();
    let sealer = peer.sealer().await.unwrap();
    let namespace = Namespace::create(&plane, "takeover").await.unwrap();
    fill(&namespace, &sealer).await;
    let before = secret_versions(&plane).await;
    peer.stop();

    // Ours over theirs, with their CRD still in place, then with ours.
    let proxy = ServiceProxy::start(&plane).unwrap();
    let mut ours = Controller::start(&plane, ControllerOptions::default().through(&proxy.url()))
        .await
        .unwrap();
    assert_eq!(
        ours.certificate().await.unwrap(),
        sealer.certificate().pem(),
        "the peer's key is adopted, none is made"
    );
    for name in [
        "plain",
        "many",
        "typed",
        "wide",
        "everywhere",
        "labelled",
        "frozen",
    ] {
        let status = namespace.expect_synced(name, "True").await;
        assert!(condition(&status, "Synced").is_some());
    }
    wait_idle(&proxy, Duration::from_millis(800)).await;
    assert_eq!(
        secret_versions(&plane).await,
        before,
        "a Secret or a key was written at the take-over"
    );

    plane
        .apply_kustomize(&signet_kit::tools::repository().join("deploy/base"))
        .await
        .unwrap();
    ours.restart().await.unwrap();
    wait_idle(&proxy, Duration::from_millis(800)).await;
    assert_eq!(
        secret_versions(&plane).await,
        before,
        "a Secret or a key was written under our CRD"
    );

    // It works: a change, a new one, a key of ours.
    namespace
        .apply(&namespace.sealed("plain").seal(&sealer, "foo", "ours"))
        .await;
    namespace.expect_data("plain", &[("foo", "ours")]).await;
    ours.request_newer_key().await.unwrap();
    let is_new = |pem: &String| pem != sealer.certificate().pem();
    signet_kit::wait_until(
        "a new certificate",
        async || ours.certificate().await.unwrap(),
        is_new,
    )
    .await;
    let new_sealer = ours.sealer().await.unwrap();
    namespace
        .apply(&namespace.sealed("of-ours").seal(&new_sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("of-ours", "True").await;
    namespace.expect_synced("plain", "True").await;
    let before = secret_versions(&plane).await;
    assert_eq!(ours.stop(), Some(0));

    // The peer takes back: it opens what was sealed for our key, and finds nothing to change.
    plane.apply(&tools().peer_crd()).await.unwrap();
    let peer = PeerController::start(&plane, &[]).await.unwrap();
    assert_eq!(
        peer.sealer().await.unwrap().certificate().pem(),
        new_sealer.certificate().pem(),
        "the newest key is ours"
    );
    let unsealed = async || peer.log();
    signet_kit::wait_until("the peer has been through", unsealed, |log| {
        log.contains("of-ours") && log.contains("frozen")
    })
    .await;
    namespace
        .apply(&namespace.sealed("last").seal(&new_sealer, "foo", "bar"))
        .await;
    namespace.expect_data("last", &[("foo", "bar")]).await;
    let after: Vec<_> = secret_versions(&plane)
        .await
        .into_iter()
        .filter(|(_, name, _)| name != "last")
        .collect();
    // The peer writes a Secret that has no type in its template at each start, to no effect.
    let changed: Vec<_> = after
        .iter()
        .filter(|entry| !before.contains(entry))
        .collect();
    assert!(
        changed.is_empty(),
        "the peer found something to change: {changed:#?}"
    );
    peer.stop();
}

#[tokio::test]
async fn what_the_peer_gave_up_on_is_healed_by_ours() {
    let plane = plane().await;
    let peer = PeerController::start(&plane, &[]).await.unwrap();
    let sealer = peer.sealer().await.unwrap();
    let namespace = Namespace::create(&plane, "given-up").await.unwrap();
    namespace
        .create_secret(
            "test",
            serde_json::json!({}),
            serde_json::json!({"foo": "theirs"}),
        )
        .await
        .unwrap();
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_synced("test", "False").await;
    peer.stop();
    namespace.delete_secret("test").await.unwrap();
    let _ours = Controller::start(&plane, ControllerOptions::default())
        .await
        .unwrap();
    let secret = namespace.expect_data("test", &[("foo", "bar")]).await;
    assert_eq!(text(&secret).len(), 1);
    namespace.expect_synced("test", "True").await;
}

#[tokio::test]
async fn beside_a_running_peer_nothing_flaps() {
    let plane = plane().await;
    let peer = PeerController::start(&plane, &[]).await.unwrap();
    let sealer = peer.sealer().await.unwrap();
    let _ours = Controller::start(&plane, ControllerOptions::default())
        .await
        .unwrap();
    let namespace = Namespace::create(&plane, "beside").await.unwrap();
    let sealed = |name: &str, value: &str| namespace.sealed(name).seal(&sealer, "foo", value);
    for number in 0..5 {
        namespace
            .apply(&sealed(&format!("s-{number}"), "bar"))
            .await;
    }
    for number in 0..5 {
        namespace
            .expect_data(&format!("s-{number}"), &[("foo", "bar")])
            .await;
        namespace
            .expect_synced(&format!("s-{number}"), "True")
            .await;
    }
    // Both have seen everything: from here on the versions stand still.
    let stable = async || {
        let versions = async || {
            let objects = namespace
                .sealed_secrets()
                .list(&kube::api::ListParams::default())
                .await
                .unwrap()
                .items;
            let objects: Vec<_> = objects
                .into_iter()
                .map(|object| object.metadata.resource_version)
                .collect();
            (secret_versions(&plane).await, objects)
        };
        let before = versions().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        (versions().await == before).then_some(())
    };
    let found = signet_kit::wait_for(Duration::from_secs(30), stable).await;
    assert!(found.is_some(), "the two write over each other without end");
    assert_eq!(
        keys(&Namespace::existing(&plane, "kube-system").await.unwrap())
            .await
            .len(),
        1,
        "one key, not one each"
    );
    peer.stop();
}
