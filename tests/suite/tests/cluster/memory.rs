//! The cluster's other Secrets cost nothing.

use futures::future::join_all;
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{ObjectMeta, PostParams};
use signet_kit::{ControlPlane, Controller, Namespace, PlaneOptions, ServiceProxy};

use crate::stage::with;

const SECRETS: usize = 300;
const SIZE: usize = 100_000;

#[tokio::test]
async fn issue_1289_memory_does_not_grow_with_unrelated_secrets() {
    let plane = ControlPlane::with_deployment(PlaneOptions::default())
        .await
        .unwrap();
    let proxy = ServiceProxy::start(&plane).unwrap();
    let mut controller = Controller::start(&plane, with(&[]).through(&proxy.url()))
        .await
        .unwrap();
    let namespace = Namespace::create(&plane, "memory").await.unwrap();
    let sealer = controller.sealer().await.unwrap();
    let work = async |name: &str| {
        namespace
            .apply(&namespace.sealed(name).seal(&sealer, "foo", "bar"))
            .await;
        namespace.expect_synced(name, "True").await;
    };
    work("before").await;
    let before = controller.usage().peak;

    let secret = |number: usize| Secret {
        metadata: ObjectMeta {
            name: Some(format!("release-{number}")),
            ..ObjectMeta::default()
        },
        data: Some([("release".into(), ByteString(vec![b'x'; SIZE]))].into()),
        type_: Some("helm.sh/release.v1".into()),
        ..Secret::default()
    };
    let (secrets, params) = (namespace.secrets(), PostParams::default());
    for chunk in (0..SECRETS).collect::<Vec<_>>().chunks(10) {
        let objects: Vec<Secret> = chunk.iter().map(|number| secret(*number)).collect();
        for created in join_all(objects.iter().map(|object| secrets.create(&params, object))).await
        {
            created.unwrap();
        }
    }
    work("live").await;
    let live = controller.usage().peak;
    controller.restart().await.unwrap();
    work("restarted").await;
    let restarted = controller.usage().peak;

    // Thirty megabytes of Secrets; two for three hundred entries are plenty.
    let allowed = before + (4 << 20);
    assert!(
        live <= allowed && restarted <= allowed,
        "before {before}, live {live}, restarted {restarted} bytes"
    );

    let of_all = proxy.requests().into_iter().filter(|seen| {
        let path = seen.path.split('?').next().unwrap_or_default().to_owned();
        seen.method == "GET" && path.ends_with("/secrets") && !path.contains("/kube-system/")
    });
    let mut looked = 0;
    for seen in of_all {
        assert!(
            seen.accept.contains("PartialObjectMetadata"),
            "values are asked for: {seen:#?}"
        );
        looked += 1;
    }
    assert!(looked > 0);
}
