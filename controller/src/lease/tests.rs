#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::*;
use crate::testing::{Cluster, Fault};

const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/signet-controller";

struct Replica {
    leadership: Leadership,
    trigger: crate::shutdown::Trigger,
    task: tokio::task::JoinHandle<()>,
}

fn start(cluster: &Cluster, identity: &str) -> Replica {
    let candidate = Candidate {
        namespace: "kube-system".into(),
        name: "signet-controller".into(),
        identity: identity.into(),
        lease_duration: Duration::from_secs(1),
        renew_deadline: Duration::from_millis(600),
        retry_period: Duration::from_millis(50),
    };
    let (trigger, shutdown) = Shutdown::new();
    let (sender, leadership) = Leadership::channel(false);
    let task = tokio::spawn(run(cluster.client(), candidate, sender, shutdown));
    Replica {
        leadership,
        trigger,
        task,
    }
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), future)
        .await
        .expect("in time")
}

#[tokio::test]
async fn of_two_replicas_one_leads_and_the_other_follows_when_it_goes() {
    let cluster = Cluster::new();
    let mut first = start(&cluster, "first");
    soon(first.leadership.acquired()).await;
    let mut second = start(&cluster, "second");
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(first.leadership.is_leader() && !second.leadership.is_leader());

    let left = Instant::now();
    first.trigger.pull();
    soon(&mut first.task).await.unwrap();
    assert!(!first.leadership.is_leader());
    soon(second.leadership.acquired()).await;
    assert!(
        left.elapsed() < Duration::from_millis(900),
        "the lease was not given back"
    );
    assert_eq!(
        cluster.get(LEASE).unwrap()["spec"]["holderIdentity"],
        "second"
    );
}

#[tokio::test]
async fn a_killed_leader_is_replaced_when_its_lease_expires() {
    let cluster = Cluster::new();
    let mut first = start(&cluster, "first");
    soon(first.leadership.acquired()).await;
    first.task.abort();
    let mut second = start(&cluster, "second");
    let since = Instant::now();
    soon(second.leadership.acquired()).await;
    assert!(
        since.elapsed() >= Duration::from_millis(900),
        "taken over before it expired"
    );
}

#[tokio::test]
async fn a_leader_that_cannot_renew_stops_writing_before_another_may_begin() {
    let cluster = Cluster::new();
    let mut leader = start(&cluster, "first");
    soon(leader.leadership.acquired()).await;
    let since = Instant::now();
    cluster.fail(|method, _| {
        (*method == http::Method::PUT).then_some(Fault::Status(500, "InternalError"))
    });
    soon(leader.leadership.lost()).await;
    assert!(
        since.elapsed() < Duration::from_secs(1),
        "still leading after {:?}",
        since.elapsed()
    );
    cluster.heal();
    soon(leader.leadership.acquired()).await;
}

#[tokio::test]
async fn a_lease_that_somebody_deleted_is_made_again() {
    let cluster = Cluster::new();
    let mut leader = start(&cluster, "first");
    soon(leader.leadership.acquired()).await;
    cluster.delete(LEASE);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(cluster.list(LEASES).len(), 1);
    assert!(leader.leadership.is_leader());
}
