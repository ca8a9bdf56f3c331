//! What `deploy/` holds is what an API server takes, and gives the controller no more than it needs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};
use signet_kit::controller::{NAME, NAMESPACE};
use signet_kit::tools::repository;
use signet_kit::{ControlPlane, PlaneOptions};
use tokio::sync::OnceCell;

/// One for all of them, as they only look.
async fn deployed() -> &'static ControlPlane {
    static PLANE: OnceCell<ControlPlane> = OnceCell::const_new();
    let start = || async {
        ControlPlane::with_deployment(PlaneOptions::default())
            .await
            .unwrap()
    };
    PLANE.get_or_init(start).await
}

#[tokio::test]
async fn the_api_server_takes_every_variant() {
    let plane = deployed().await;
    plane
        .kubectl(["create", "namespace", "sealed-secrets"])
        .await
        .unwrap();
    for (kind, path) in [
        ("-k", "deploy/base"),
        ("-k", "deploy/namespaced"),
        ("-k", "deploy/crds"),
        ("-f", "deploy/components/restart-workloads/rbac.yaml"),
    ] {
        // Strict: an unknown field is an error.
        let path = repository().join(path).display().to_string();
        let args = [
            "apply",
            "--server-side",
            "--validate=strict",
            "--dry-run=server",
            kind,
            &path,
        ];
        plane.kubectl(args).await.unwrap();
    }
}

#[tokio::test]
async fn the_pod_is_admitted_where_pod_security_is_restricted() {
    let plane = deployed().await;
    plane
        .kubectl(["create", "namespace", "restricted"])
        .await
        .unwrap();
    let label = "pod-security.kubernetes.io/enforce=restricted";
    plane
        .kubectl(["label", "namespace", "restricted", label])
        .await
        .unwrap();
    let admitted = async |pod: &Value, name: &str| {
        let file = plane.workdir().write(name, pod.to_string()).unwrap();
        let path = file.display().to_string();
        plane
            .kubectl(["create", "--dry-run=server", "-f", &path])
            .await
    };

    let mut pod = pod(&deployment(plane).await);
    admitted(&pod, "pod.json").await.unwrap();
    pod["spec"]["containers"][0]["securityContext"] = json!({});
    let refused = admitted(&pod, "worse.json").await.unwrap_err();
    assert!(format!("{refused:?}").contains("restricted"), "{refused:?}");
}

#[tokio::test]
async fn d24_the_first_port_of_the_service_is_the_one_that_serves_the_certificate() {
    let plane = deployed().await;
    let service = get(plane, "service", NAME).await;
    assert_eq!(service["spec"]["ports"][0]["name"], "http");
    assert_eq!(service["spec"]["ports"].as_array().unwrap().len(), 1);
    let ports = &deployment(plane).await["spec"]["template"]["spec"]["containers"][0]["ports"];
    assert_eq!(
        ports[0],
        json!({"name": "http", "containerPort": 8080, "protocol": "TCP"})
    );
}

#[tokio::test]
async fn the_controller_may_do_what_it_must_and_nothing_else() {
    let plane = deployed().await;
    let may = async |verb: &str, what: &str, namespace: &str| {
        let account = format!("--as=system:serviceaccount:{NAMESPACE}:{NAME}");
        let start = ["auth", "can-i", verb, "-n", namespace, &account];
        let answer = plane
            .kubectl(start.into_iter().chain(what.split(' ')))
            .await;
        answer.is_ok_and(|answer| answer.trim() == "yes")
    };
    for (verb, what, namespace) in [
        ("list", "sealedsecrets.bitnami.com", "default"),
        (
            "update",
            "sealedsecrets.bitnami.com --subresource=status",
            "default",
        ),
        ("create", "secrets", "default"),
        ("create", "events", "default"),
        ("create", "leases.coordination.k8s.io", NAMESPACE),
        (
            "update",
            "leases.coordination.k8s.io/signet-controller",
            NAMESPACE,
        ),
        ("patch", "configmaps/sealed-secrets-certificate", NAMESPACE),
    ] {
        assert!(
            may(verb, what, namespace).await,
            "it may not {verb} {what} in {namespace}"
        );
    }
    for (verb, what, namespace) in [
        ("update", "sealedsecrets.bitnami.com", "default"),
        ("delete", "sealedsecrets.bitnami.com", "default"),
        ("list", "configmaps", "default"),
        ("create", "configmaps", NAMESPACE),
        ("patch", "configmaps/kube-root-ca.crt", NAMESPACE),
        ("delete", "configmaps/sealed-secrets-certificate", NAMESPACE),
        ("patch", "configmaps/sealed-secrets-certificate", "default"),
        ("list", "pods", NAMESPACE),
        ("create", "pods", NAMESPACE),
        ("patch", "deployments.apps", "default"),
        ("create", "leases.coordination.k8s.io", "default"),
        (
            "update",
            "leases.coordination.k8s.io/kube-controller-manager",
            NAMESPACE,
        ),
        (
            "create",
            "rolebindings.rbac.authorization.k8s.io",
            NAMESPACE,
        ),
        ("create", "serviceaccounts --subresource=token", NAMESPACE),
    ] {
        assert!(
            !may(verb, what, namespace).await,
            "it may {verb} {what} in {namespace}"
        );
    }
}

#[tokio::test]
async fn an_installation_of_the_peer_is_replaced_in_place_and_put_back() {
    let plane = ControlPlane::start(PlaneOptions::default()).await.unwrap();
    let peer = plane
        .workdir()
        .write("peer.json", installation_of_the_peer().to_string())
        .unwrap();
    let peer = peer.display().to_string();
    plane.kubectl(["apply", "-f", &peer]).await.unwrap();
    let before = deployment(&plane).await;

    plane
        .apply_kustomize(&repository().join("deploy/base"))
        .await
        .unwrap();
    let ours = deployment(&plane).await;
    assert_eq!(ours["metadata"]["uid"], before["metadata"]["uid"]);
    let pod = &ours["spec"]["template"]["spec"];
    assert_eq!(pod["containers"].as_array().unwrap().len(), 1);
    assert_eq!(pod["containers"][0]["image"], "signet-controller:0.1.0");
    assert_eq!(pod["volumes"], Value::Null, "what the peer mounts is gone");
    let service = get(&plane, "service", NAME).await;
    assert_eq!(service["spec"]["ports"][0]["name"], "http");
    assert_eq!(service["spec"]["ports"].as_array().unwrap().len(), 1);

    plane.kubectl(["apply", "-f", &peer]).await.unwrap();
    let back = deployment(&plane).await;
    assert_eq!(back["metadata"]["uid"], before["metadata"]["uid"]);
    let container = &back["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(
        container["image"],
        "docker.io/bitnami/sealed-secrets-controller:0.40.0"
    );
}

/// The names, labels, selector and ports of its `controller.yaml`.
fn installation_of_the_peer() -> Value {
    let labels = json!({"name": NAME});
    let metadata = json!({"name": NAME, "namespace": NAMESPACE, "labels": labels});
    let container = json!({
        "name": NAME,
        "image": "docker.io/bitnami/sealed-secrets-controller:0.40.0",
        "command": ["controller"],
        "ports": [{"name": "http", "containerPort": 8080}, {"name": "metrics", "containerPort": 8081}],
        "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],
    });
    let pod = json!({"containers": [container], "volumes": [{"name": "tmp", "emptyDir": {}}]});
    let deployment = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata,
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    });
    let service = json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {"selector": labels, "ports": [{"port": 8080, "targetPort": 8080}]},
    });
    json!({"apiVersion": "v1", "kind": "List", "items": [deployment, service]})
}

#[tokio::test]
async fn the_example_repository_and_the_monitoring_build() {
    let plane = deployed().await;
    for (folder, kind) in [
        ("examples/taverne-gitops/overlays/dev", "SealedSecret"),
        ("examples/taverne-gitops/overlays/staging", "SealedSecret"),
        (
            "examples/taverne-gitops/overlays/production",
            "SealedSecret",
        ),
        ("deploy/monitoring", "PrometheusRule"),
    ] {
        let path = repository().join(folder).display().to_string();
        let text = plane.kubectl(["kustomize", &path]).await.unwrap();
        assert!(text.contains(&format!("kind: {kind}")), "{folder}: {text}");
    }
}

async fn deployment(plane: &ControlPlane) -> Value {
    get(plane, "deployment", NAME).await
}

async fn get(plane: &ControlPlane, kind: &str, name: &str) -> Value {
    let text = plane
        .kubectl(["get", kind, name, "-n", NAMESPACE, "-o", "json"])
        .await
        .unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The pod that the Deployment would make, in the restricted namespace.
fn pod(deployment: &Value) -> Value {
    let mut spec = deployment["spec"]["template"]["spec"].clone();
    // There is no ServiceAccount of that name, which is another reason to refuse it.
    spec["serviceAccountName"] = json!("default");
    spec["serviceAccount"] = json!("default");
    let metadata = json!({"name": "controller", "namespace": "restricted"});
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
}
