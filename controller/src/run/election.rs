//! Whether this replica writes.

use super::parts::Parts;
use crate::{
    args::Args,
    client::Place,
    identity,
    lease::{self, Candidate, Leadership},
    metrics::Metrics,
    shutdown::Shutdown,
};

/// The leadership of this replica: elected, or without election its own.
pub(super) fn elect(
    args: &Args,
    place: Place,
    client: &kube::Client,
    namespace: &str,
    metrics: &Metrics,
    parts: &mut Parts,
    done: Shutdown,
) -> Leadership {
    let leader = &args.leader;
    let elects = leader.leader_elect.unwrap_or(place == Place::Inside) && !args.watch.observe;
    let (sender, leadership) = Leadership::channel(!elects);
    metrics.set_leader(!elects);
    if elects {
        let candidate = Candidate {
            namespace: namespace.to_owned(),
            name: leader.leader_elect_resource_name.clone(),
            identity: leader
                .leader_elect_identity
                .clone()
                .unwrap_or_else(identity::replica),
            lease_duration: leader.leader_elect_lease_duration,
            renew_deadline: leader.leader_elect_renew_deadline,
            retry_period: leader.leader_elect_retry_period,
        };
        parts.add(lease::run(client.clone(), candidate, sender, done));
        parts.add_endless(show(leadership.clone(), metrics.clone()));
    }
    leadership
}

/// Shows in the metrics whether this replica writes.
async fn show(mut leadership: Leadership, metrics: Metrics) {
    loop {
        leadership.acquired().await;
        metrics.set_leader(true);
        leadership.lost().await;
        metrics.set_leader(false);
    }
}
