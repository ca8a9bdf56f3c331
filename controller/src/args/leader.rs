//! Flags of leader election.

use std::time::Duration;

use clap::{ArgAction, Args};

use super::{duration, values};

/// Flags of leader election.
#[derive(Debug, Clone, Args)]
pub struct LeaderArgs {
    /// Let one of several replicas write; by default in a cluster, but not with `--kubeconfig`
    #[arg(long, value_parser = values::boolean, action = ArgAction::Set)]
    pub leader_elect: Option<bool>,
    /// Name of the Lease
    #[arg(long, default_value = "signet-controller")]
    pub leader_elect_resource_name: String,
    /// Name of this replica in the Lease; by default the pod's, else one that is made up
    #[arg(long)]
    pub leader_elect_identity: Option<String>,
    /// Time after which a silent leader is replaced
    #[arg(long, default_value = "15s", value_parser = duration::parse)]
    pub leader_elect_lease_duration: Duration,
    /// Time after which a leader that cannot renew stops writing
    #[arg(long, default_value = "10s", value_parser = duration::parse)]
    pub leader_elect_renew_deadline: Duration,
    /// Time between attempts
    #[arg(long, default_value = "2s", value_parser = duration::parse)]
    pub leader_elect_retry_period: Duration,
}

impl LeaderArgs {
    pub(super) fn check(&self) -> Result<(), String> {
        let (lease, renew, retry) = (
            self.leader_elect_lease_duration,
            self.leader_elect_renew_deadline,
            self.leader_elect_retry_period,
        );
        if lease < Duration::from_secs(1) {
            return Err(
                "--leader-elect-lease-duration must be at least 1s, a Lease counts seconds".into(),
            );
        }
        if renew >= lease {
            return Err(
                "--leader-elect-renew-deadline must be shorter than --leader-elect-lease-duration"
                    .into(),
            );
        }
        if retry.is_zero() || retry >= renew {
            return Err(
                "--leader-elect-retry-period must be shorter than --leader-elect-renew-deadline"
                    .into(),
            );
        }
        Ok(())
    }
}
