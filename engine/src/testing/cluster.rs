//! A SealedSecret and its Secret, and the loop that a controller runs over them.

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::core::v1::Secret;
use signet_crds::sealed_secret::SealedSecret;
use signet_keys::keyring::KeyRing;

use super::{at, exposed, ring};
use crate::attention::{self, Attention};
use crate::events::{self, EventDraft};
use crate::outcome::{Failure, Outcome};
use crate::plan::{Action, plan};
use crate::policy::Policy;
use crate::unseal::{Hints, unseal};
use crate::{recognise, status};

/// What one round did.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Report {
    pub private_operations: usize,
    pub secret_writes: usize,
    pub status_writes: usize,
    pub events: Vec<EventDraft>,
}

pub(crate) struct Cluster {
    pub sealed: SealedSecret,
    pub secret: Option<Secret>,
    pub ring: KeyRing,
    pub policy: Policy,
    pub now: Timestamp,
    versions: u32,
}

impl Cluster {
    pub(crate) fn new(sealed: SealedSecret, secret: Option<Secret>) -> Self {
        let policy = Policy::default();
        Self {
            sealed,
            secret,
            ring: ring(),
            policy,
            now: at("2026-03-01T00:00:00Z"),
            versions: 0,
        }
    }

    /// A person applies a changed object: a new generation, the status as it was.
    pub(crate) fn apply(&mut self, spec_of: &SealedSecret) {
        self.sealed.spec = spec_of.spec.clone();
        self.sealed.metadata.generation = self.sealed.metadata.generation.map(|g| g + 1);
    }

    /// Somebody writes the Secret.
    pub(crate) fn touch(&mut self, change: impl FnOnce(&mut Secret)) {
        let mut secret = self.secret.take().unwrap();
        change(&mut secret);
        self.store(secret);
    }

    /// One round of the controller, a minute after the last.
    pub(crate) fn reconcile(&mut self) -> Report {
        self.now = self.now.checked_add(SignedDuration::from_mins(1)).unwrap();
        let mut report = Report::default();
        let Some(outcome) = self.attempt(&mut report) else {
            return report;
        };
        report.events = events::of(&self.sealed, &outcome);
        if let Some(status) = status::after(&self.sealed, &outcome, self.now) {
            // What the API server gives back, to the second.
            let stored = serde_json::to_value(status).unwrap();
            self.sealed.status = Some(serde_json::from_value(stored).unwrap());
            report.status_writes += 1;
        }
        report
    }

    fn attempt(&mut self, report: &mut Report) -> Option<Outcome> {
        match attention::of(&self.sealed) {
            Attention::Deleting => return None,
            Attention::Suspended => return Some(Outcome::Suspended),
            Attention::Work => {}
        }
        let observed = self.secret.as_ref().map(|secret| &secret.metadata);
        if recognise::unchanged(&self.sealed, observed, &self.policy) {
            return None;
        }
        let hints = Hints::from_status(&self.sealed);
        let unsealed = match unseal(&self.sealed, &self.ring, &hints, &self.policy) {
            Ok(unsealed) => unsealed,
            Err(error) => {
                report.private_operations += error.attempts;
                return Some(Outcome::Failed(Failure::Unseal(error)));
            }
        };
        report.private_operations += unsealed.attempts;
        let plan = plan(&self.sealed, &unsealed, self.secret.as_ref(), &self.policy);
        match &plan.action {
            Action::Create(manifest) => {
                assert!(self.secret.is_none(), "created over an existing Secret");
                self.create(exposed(manifest));
            }
            Action::Replace(manifest) => {
                let old = &self.secret.as_ref().unwrap().metadata;
                assert_eq!(manifest.expose().metadata.uid, old.uid);
                assert_eq!(
                    manifest.expose().metadata.resource_version,
                    old.resource_version
                );
                self.store(exposed(manifest));
            }
            Action::Recreate {
                uid,
                resource_version,
                create,
            } => {
                let old = &self.secret.as_ref().unwrap().metadata;
                assert_eq!(
                    (Some(uid), Some(resource_version)),
                    (old.uid.as_ref(), old.resource_version.as_ref())
                );
                self.create(exposed(create));
            }
            Action::Keep | Action::LeaveDrift | Action::Refuse(_) => {}
        }
        let writes = matches!(
            plan.action,
            Action::Create(_) | Action::Replace(_) | Action::Recreate { .. }
        );
        report.secret_writes += usize::from(writes);
        let written = self.secret.clone().unwrap_or_default().metadata;
        Some(Outcome::done(
            &self.sealed,
            &unsealed,
            &plan,
            &written,
            &self.policy,
        ))
    }

    fn create(&mut self, mut secret: Secret) {
        assert_eq!(
            secret.metadata.uid, None,
            "a Secret to create carries a UID"
        );
        assert_eq!(secret.metadata.resource_version, None);
        secret.metadata.uid = Some(format!("secret-{}", self.versions + 1));
        self.store(secret);
    }

    fn store(&mut self, mut secret: Secret) {
        self.versions += 1;
        secret.metadata.resource_version = Some(format!("{}", 100 + self.versions));
        self.secret = Some(secret);
    }
}
