//! Leader election by a Lease: of several replicas one writes.
//!
//! # Guarantees
//!
//! - A replica that has not renewed the Lease within the renew deadline stops writing before
//!   another can take over, because the deadline is shorter than the lease.
//! - Expiry is judged by how long the Lease has not been seen to change, on this machine's
//!   monotonic clock: clocks of replicas need not agree.
//! - On SIGTERM the Lease is given back, so that the next replica does not wait for it to expire.
//!
//! Writes are guarded by resourceVersion and UID as well: two leaders for a moment would waste
//! work, not harm.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::{
    Api, Client,
    api::{ObjectMeta, PostParams},
};
use tokio::sync::watch;
use tracing::{info, warn};

use crate::{
    api::{ApiError, ask_within},
    shutdown::Shutdown,
};

mod decide;

pub use decide::{Decision, decide};

/// Who asks for which Lease, how often.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Namespace of the Lease.
    pub namespace: String,
    /// Name of the Lease.
    pub name: String,
    /// Name of this replica.
    pub identity: String,
    /// Time after which a silent holder is replaced.
    pub lease_duration: Duration,
    /// Time without renewal after which the holder stops writing.
    pub renew_deadline: Duration,
    /// Time between attempts.
    pub retry_period: Duration,
}

/// Whether this replica may write; cheap to ask and to clone.
#[derive(Debug, Clone)]
pub struct Leadership(watch::Receiver<bool>);

impl Leadership {
    /// A leadership that is set by the returned sender.
    pub fn channel(leading: bool) -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(leading);
        (sender, Self(receiver))
    }

    /// Whether this replica may write now.
    pub fn is_leader(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until this replica may write; for ever if nothing sets it any more.
    pub async fn acquired(&mut self) {
        if self.0.wait_for(|leading| *leading).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Waits until this replica may no longer write; for ever if nothing changes it any more.
    pub async fn lost(&mut self) {
        if self.0.wait_for(|leading| !*leading).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Takes part in the election until shutdown, then gives the Lease back.
pub async fn run(
    client: Client,
    candidate: Candidate,
    leading: watch::Sender<bool>,
    shutdown: Shutdown,
) {
    let api = Api::namespaced(client, &candidate.namespace);
    let mut election = Election {
        api,
        candidate,
        known: None,
        renewed: None,
        failing: false,
    };
    loop {
        let outcome = election.round().await;
        election.publish(outcome, &leading);
        tokio::select! {
            () = tokio::time::sleep(election.candidate.retry_period) => {}
            () = shutdown.requested() => break,
        }
    }
    // Writers stop first: nothing of ours may be under way once another holds it.
    leading.send_replace(false);
    if election.renewed.is_some() {
        election.release().await;
    }
}

/// What one replica knows of the Lease.
struct Election {
    api: Api<Lease>,
    candidate: Candidate,
    /// The Lease as last seen, and since when it has not changed.
    known: Option<(Lease, Instant)>,
    /// When this replica last wrote itself into the Lease.
    renewed: Option<Instant>,
    failing: bool,
}

impl Election {
    /// Looks at the Lease and writes it if that is ours to do.
    async fn round(&mut self) -> Result<(), ApiError> {
        if self.renewed.is_none() {
            self.look().await?;
        }
        let spec = self
            .known
            .as_ref()
            .and_then(|(lease, since)| Some((lease.spec.as_ref()?, *since)));
        let decision = decide(spec, &self.candidate, Instant::now(), Timestamp::now());
        let asked = Instant::now();
        let written = match decision {
            Decision::Wait => {
                self.renewed = None;
                return Ok(());
            }
            Decision::Write(spec) => self.write(spec).await,
        };
        match written {
            Ok(()) => {
                self.renewed = Some(asked);
                Ok(())
            }
            // Somebody else was quicker, or it was deleted: look again.
            Err(ApiError::Conflict | ApiError::AlreadyExists | ApiError::NotFound) => {
                self.look().await?;
                let ours = self.holder() == Some(self.candidate.identity.as_str());
                if !ours {
                    self.renewed = None;
                }
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn publish(&mut self, outcome: Result<(), ApiError>, leading: &watch::Sender<bool>) {
        match outcome {
            Ok(()) => self.failing = false,
            Err(error) if !self.failing => {
                self.failing = true;
                warn!(lease = %self.candidate.name, %error, "cannot take part in the leader election");
            }
            Err(_) => {}
        }
        if self
            .renewed
            .is_some_and(|renewed| renewed.elapsed() >= self.candidate.renew_deadline)
        {
            self.renewed = None;
        }
        let leads = self.renewed.is_some();
        if leading.send_if_modified(|now| std::mem::replace(now, leads) != leads) {
            let identity = &self.candidate.identity;
            if leads {
                info!(%identity, "leading: this replica writes");
            } else {
                warn!(%identity, "not leading any more: this replica stops writing");
            }
        }
    }

    async fn look(&mut self) -> Result<(), ApiError> {
        let found = ask_within(
            self.candidate.renew_deadline / 2,
            self.api.get_opt(&self.candidate.name),
        )
        .await?;
        let unchanged = |seen: &Lease, found: &Lease| {
            seen.metadata.resource_version == found.metadata.resource_version
        };
        self.known = match (found, self.known.take()) {
            (None, _) => None,
            (Some(found), Some((seen, since))) if unchanged(&seen, &found) => Some((found, since)),
            (Some(found), _) => Some((found, Instant::now())),
        };
        Ok(())
    }

    async fn write(&mut self, spec: LeaseSpec) -> Result<(), ApiError> {
        let params = PostParams::default();
        let mut lease = self
            .known
            .as_ref()
            .map_or_else(Lease::default, |(lease, _)| lease.clone());
        lease.spec = Some(spec);
        let patience = self.candidate.renew_deadline / 2;
        let written = if lease.metadata.resource_version.is_some() {
            lease.metadata.managed_fields = None;
            ask_within(
                patience,
                self.api.replace(&self.candidate.name, &params, &lease),
            )
            .await?
        } else {
            lease.metadata = ObjectMeta {
                name: Some(self.candidate.name.clone()),
                ..Default::default()
            };
            ask_within(patience, self.api.create(&params, &lease)).await?
        };
        self.known = Some((written, Instant::now()));
        Ok(())
    }

    async fn release(&mut self) {
        let Some(mut spec) = self
            .known
            .as_ref()
            .and_then(|(lease, _)| lease.spec.clone())
        else {
            return;
        };
        spec.holder_identity = None;
        spec.lease_duration_seconds = Some(1);
        match self.write(spec).await {
            Ok(()) => info!(lease = %self.candidate.name, "gave the lease back"),
            Err(error) => {
                warn!(lease = %self.candidate.name, %error, "could not give the lease back, it expires");
            }
        }
    }

    fn holder(&self) -> Option<&str> {
        self.known
            .as_ref()?
            .0
            .spec
            .as_ref()?
            .holder_identity
            .as_deref()
    }
}

#[cfg(test)]
mod tests;
