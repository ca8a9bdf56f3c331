//! The servers that the kit starts are the real ones, and are commanded as its documentation says.
#![allow(missing_docs, clippy::unwrap_used)]

use std::time::{Duration, Instant};

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::Api;
use kube::api::{ListParams, ObjectMeta, PostParams};
use signet_kit::control_plane::Options;
use signet_kit::{ControlPlane, Fault, Namespace, PeerController, ServiceProxy, wait_until};
use tokio::sync::OnceCell;

async fn plane() -> &'static ControlPlane {
    static PLANE: OnceCell<ControlPlane> = OnceCell::const_new();
    PLANE
        .get_or_init(async || {
            ControlPlane::with_deployment(Options::default())
                .await
                .unwrap()
        })
        .await
}

fn code(error: &kube::Error) -> u16 {
    match error {
        kube::Error::Api(status) => status.code,
        other => panic!("no answer of the API server: {other}"),
    }
}

#[tokio::test]
async fn the_deployment_is_accepted_by_the_api_server() {
    let plane = plane().await;
    let names = plane
        .kubectl([
            "get",
            "deployment,service,networkpolicy,pdb",
            "-n",
            "kube-system",
            "-o",
            "name",
        ])
        .await;
    let names = names.unwrap();
    for name in [
        "deployment.apps",
        "service",
        "networkpolicy.networking.k8s.io",
        "poddisruptionbudget.policy",
    ] {
        assert!(
            names.contains(&format!("{name}/sealed-secrets-controller")),
            "{names}"
        );
    }
}

#[tokio::test]
async fn a_service_account_has_the_rights_of_the_deployment_and_no_others() {
    let plane = plane().await;
    let access = plane
        .service_account("kube-system", "sealed-secrets-controller")
        .await
        .unwrap();
    let client = access.client().await.unwrap();
    let secrets: Api<Secret> = Api::all(client.clone());
    secrets.list(&ListParams::default()).await.unwrap();
    let maps: Api<ConfigMap> = Api::all(client);
    assert_eq!(
        code(&maps.list(&ListParams::default()).await.unwrap_err()),
        403
    );
}

#[tokio::test]
async fn kubectl_says_what_went_wrong() {
    let error = plane()
        .await
        .kubectl(["get", "nonsense"])
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("nonsense") && error.contains("the server doesn't have a resource type"),
        "{error}"
    );
}

#[tokio::test]
async fn an_outage_ends_and_the_state_is_still_there() {
    let plane = ControlPlane::start(Options::default()).await.unwrap();
    let namespace = Namespace::create(&plane, "outage").await.unwrap();
    plane.stop_apiserver();
    assert!(
        namespace
            .secrets()
            .list(&ListParams::default())
            .await
            .is_err()
    );
    plane.start_apiserver().await.unwrap();
    assert!(
        namespace
            .secrets()
            .list(&ListParams::default())
            .await
            .unwrap()
            .items
            .is_empty()
    );
}

#[tokio::test]
async fn garbage_is_collected_with_a_controller_manager() {
    let plane = ControlPlane::start(Options::default().with_controller_manager())
        .await
        .unwrap();
    let namespace = Namespace::create(&plane, "garbage").await.unwrap();
    let maps: Api<ConfigMap> = Api::namespaced(namespace.client(), namespace.name());
    let map = |name: &str, owner: Option<&ConfigMap>| ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.into()),
            owner_references: owner.map(|owner| {
                let owner = serde_json::json!([{"apiVersion": "v1", "kind": "ConfigMap",
                    "name": owner.metadata.name, "uid": owner.metadata.uid}]);
                serde_json::from_value(owner).unwrap()
            }),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    };
    let owner = maps
        .create(&PostParams::default(), &map("owner", None))
        .await
        .unwrap();
    maps.create(&PostParams::default(), &map("owned", Some(&owner)))
        .await
        .unwrap();
    maps.delete("owner", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    let read = async || maps.get_opt("owned").await.unwrap().is_some();
    wait_until("the owned object is gone", read, |there| !there).await;
}

#[tokio::test]
async fn the_proxy_answers_with_the_faults_that_it_is_given_and_then_forwards() {
    let plane = plane().await;
    let proxy = ServiceProxy::start(plane).unwrap();
    let client = proxy.access().client().await.unwrap();
    let secrets: Api<Secret> = Api::namespaced(client, "default");
    for status in [403, 404, 409, 410, 500] {
        proxy
            .faults()
            .inject(Fault::status(status).on("GET", "/secrets"));
        assert_eq!(
            code(&secrets.list(&ListParams::default()).await.unwrap_err()),
            status
        );
    }
    proxy
        .faults()
        .inject(Fault::dropped().on("GET", "/secrets"));
    assert!(secrets.list(&ListParams::default()).await.is_err());
    proxy
        .faults()
        .inject(Fault::delay(Duration::from_millis(300)).on("GET", "/secrets"));
    let begin = Instant::now();
    secrets.list(&ListParams::default()).await.unwrap();
    assert!(begin.elapsed() >= Duration::from_millis(300));
    assert!(proxy.faults().are_spent());
    assert!(
        proxy
            .requests()
            .iter()
            .all(|seen| seen.method == "GET" && !seen.is_write())
    );
    assert!(proxy.requests().len() >= 7);
}

#[tokio::test]
async fn a_lost_answer_is_that_of_a_request_that_was_carried_out() {
    let plane = plane().await;
    let proxy = ServiceProxy::start(plane).unwrap();
    let namespace = Namespace::create(plane, "lost").await.unwrap();
    let maps: Api<ConfigMap> =
        Api::namespaced(proxy.access().client().await.unwrap(), namespace.name());
    proxy
        .faults()
        .inject(Fault::answer_lost().on("POST", "/configmaps"));
    let mut map = ConfigMap::default();
    map.metadata.name = Some("made".into());
    assert!(maps.create(&PostParams::default(), &map).await.is_err());
    assert!(maps.get_opt("made").await.unwrap().is_some());
}

#[tokio::test]
async fn the_peer_serves_its_certificate_through_the_service_proxy_to_those_who_may() {
    let plane = plane().await;
    let peer = PeerController::start(plane, &[]).await.unwrap();
    let proxy = ServiceProxy::start(plane).unwrap();
    proxy.route("kube-system", "sealed-secrets-controller", peer.http_port());
    let path = "/api/v1/namespaces/kube-system/services/http:sealed-secrets-controller:http/proxy/v1/cert.pem";
    let request = || http::Request::get(path).body(Vec::new()).unwrap();
    let client = proxy.access().client().await.unwrap();
    let pem = client.request_text(request()).await.unwrap();
    assert!(pem.starts_with("-----BEGIN CERTIFICATE-----"), "{pem}");
    assert!(peer.sealer().await.is_ok());

    let mut nobody = proxy.access();
    nobody.token = "not a token".into();
    let error = nobody
        .client()
        .await
        .unwrap()
        .request_text(request())
        .await
        .unwrap_err();
    assert_eq!(code(&error), 401);
    peer.stop();
}
