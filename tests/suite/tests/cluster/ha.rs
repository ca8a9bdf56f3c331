//! Two replicas: one writes, both serve certificates.

use std::time::{Duration, Instant};

use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use signet_kit::{ControlPlane, Controller, Namespace, PlaneOptions, ServiceProxy};

use crate::stage::{keys, with};

/// The defaults: nobody wants a leader that changes while two cores are busy elsewhere.
const DEFAULT: [&str; 1] = ["--leader-elect=true"];

/// Short, as a test does not want to wait for the default of 15 seconds.
const SHORT: [&str; 4] = [
    "--leader-elect=true",
    "--leader-elect-lease-duration=3s",
    "--leader-elect-renew-deadline=2s",
    "--leader-elect-retry-period=500ms",
];

struct Pair {
    plane: ControlPlane,
    replicas: Vec<(Controller, ServiceProxy)>,
}

impl Pair {
    async fn start(lease: &[&str]) -> Self {
        let plane = ControlPlane::with_deployment(PlaneOptions::default())
            .await
            .unwrap();
        let mut replicas = Vec::new();
        for _ in 0..2 {
            let proxy = ServiceProxy::start(&plane).unwrap();
            let controller = Controller::start(&plane, with(lease).through(&proxy.url()))
                .await
                .unwrap();
            replicas.push((controller, proxy));
        }
        Self { plane, replicas }
    }

    /// The one that says it leads.
    async fn leader(&self) -> usize {
        let leading = async || {
            let mut leading = Vec::new();
            for (number, (controller, _)) in self.replicas.iter().enumerate() {
                if controller
                    .metrics()
                    .await
                    .ok()
                    .and_then(|seen| seen.get("signet_leader", &[]))
                    == Some(1.0)
                {
                    leading.push(number);
                }
            }
            leading
        };
        signet_kit::wait_until("one leader", leading, |leading| leading.len() == 1).await[0]
    }

    fn writes(&self, replica: usize) -> Vec<String> {
        let seen = self.replicas[replica].1.requests().into_iter();
        seen.filter(|seen| seen.is_write() && !seen.path.contains("/leases"))
            .map(|seen| seen.path)
            .collect()
    }
}

#[tokio::test]
async fn one_writes_and_both_serve_the_same_certificate() {
    let pair = Pair::start(&DEFAULT).await;
    let leader = pair.leader().await;
    let follower = 1 - leader;
    let certificate = pair.replicas[leader].0.certificate().await.unwrap();
    assert_eq!(
        pair.replicas[follower].0.certificate().await.unwrap(),
        certificate
    );
    let namespace = Namespace::create(&pair.plane, "ha").await.unwrap();
    let sealer = pair.replicas[follower].0.sealer().await.unwrap();
    for number in 0..10 {
        let sealed = namespace
            .sealed(&format!("s-{number}"))
            .seal(&sealer, "foo", "bar");
        namespace.apply(&sealed).await;
    }
    for number in 0..10 {
        namespace
            .expect_synced(&format!("s-{number}"), "True")
            .await;
    }
    assert_eq!(pair.writes(follower), Vec::<String>::new());
    let body = namespace
        .sealed("test")
        .seal(&sealer, "foo", "bar")
        .to_json()
        .to_string();
    assert_eq!(
        pair.replicas[follower]
            .0
            .post("/v1/verify", body)
            .await
            .unwrap()
            .0,
        200
    );
    let lease: Api<Lease> = Api::namespaced(pair.plane.client().await.unwrap(), "kube-system");
    assert!(
        lease
            .list(&kube::api::ListParams::default())
            .await
            .unwrap()
            .items
            .iter()
            .any(|lease| {
                lease.spec.as_ref().is_some_and(|spec| {
                    spec.holder_identity
                        .as_deref()
                        .is_some_and(|holder| !holder.is_empty())
                })
            })
    );
    let system = Namespace::existing(&pair.plane, "kube-system")
        .await
        .unwrap();
    assert_eq!(keys(&system).await.len(), 1, "one key, not one a replica");
}

#[tokio::test]
async fn a_new_key_of_the_leader_is_served_by_both() {
    let pair = Pair::start(&DEFAULT).await;
    let leader = pair.leader().await;
    let old = pair.replicas[leader].0.certificate().await.unwrap();
    pair.replicas[leader].0.request_newer_key().await.unwrap();
    for (controller, _) in &pair.replicas {
        let served = async || controller.certificate().await.unwrap();
        signet_kit::wait_until("the new certificate", served, |pem| *pem != old).await;
    }
    assert_eq!(
        pair.replicas[0].0.certificate().await.unwrap(),
        pair.replicas[1].0.certificate().await.unwrap()
    );
}

#[tokio::test]
async fn killing_the_leader_loses_nothing() {
    let mut pair = Pair::start(&SHORT).await;
    let leader = pair.leader().await;
    let namespace = Namespace::create(&pair.plane, "ha-kill").await.unwrap();
    let sealer = pair.replicas[leader].0.sealer().await.unwrap();
    for number in 0..40 {
        let sealed = namespace
            .sealed(&format!("s-{number}"))
            .seal(&sealer, "foo", "bar");
        namespace.apply(&sealed).await;
        if number == 20 {
            pair.replicas[leader].0.kill();
        }
    }
    for number in 0..40 {
        namespace
            .expect_data(&format!("s-{number}"), &[("foo", "bar")])
            .await;
        namespace
            .expect_synced(&format!("s-{number}"), "True")
            .await;
    }
    // The old one comes back, and there is still one leader.
    pair.replicas[leader].0.restart().await.unwrap();
    assert_eq!(pair.leader().await, 1 - leader);
}

#[tokio::test]
async fn a_leader_that_is_asked_to_end_hands_over_at_once() {
    let mut pair = Pair::start(&DEFAULT).await;
    let leader = pair.leader().await;
    let namespace = Namespace::create(&pair.plane, "ha-stop").await.unwrap();
    let sealer = pair.replicas[leader].0.sealer().await.unwrap();
    assert_eq!(pair.replicas[leader].0.stop(), Some(0));
    let begin = Instant::now();
    namespace
        .apply(&namespace.sealed("test").seal(&sealer, "foo", "bar"))
        .await;
    namespace.expect_data("test", &[("foo", "bar")]).await;
    // A Lease that is not given back blocks for all of its fifteen seconds.
    assert!(
        begin.elapsed() < Duration::from_secs(8),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn a_leader_that_loses_the_api_server_stops_writing_and_the_other_takes_over() {
    let pair = Pair::start(&SHORT).await;
    let leader = pair.leader().await;
    let follower = 1 - leader;
    pair.replicas[leader]
        .1
        .faults()
        .inject(signet_kit::Fault::silence().at("/").always());
    let took = async || {
        pair.replicas[follower]
            .0
            .metrics()
            .await
            .ok()?
            .get("signet_leader", &[])
    };
    signet_kit::wait_until("the other leads", took, |leads| *leads == Some(1.0)).await;
    let still = async || {
        pair.replicas[leader]
            .0
            .metrics()
            .await
            .ok()?
            .get("signet_leader", &[])
    };
    signet_kit::wait_until("the first knows that it does not", still, |leads| {
        *leads == Some(0.0)
    })
    .await;
}
