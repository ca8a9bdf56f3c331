//! The status to write after an attempt.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use signet_crds::constants::condition_status;
use signet_crds::external::constants::reason;
use signet_crds::external::push_secret::{PushData, PushSecret, PushSecretStatus};

use crate::external::conditions::{self, Verdict};
use crate::external::hash;
use crate::outcome::Remedy;

use super::{Removal, Write, place_name, store_name};

/// What stands in the stores, by store and place.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded(BTreeMap<String, BTreeMap<String, PushData>>);

impl Recorded {
    /// What the status says.
    pub fn of(push: &PushSecret) -> Self {
        let status = push.status.as_ref();
        Self(
            status
                .map(|status| status.synced_push_secrets.clone())
                .unwrap_or_default(),
        )
    }

    /// A value was written, or was so already. What was there before and only stays is not to be recorded:
    /// it is not ours to take back.
    pub fn written(&mut self, write: &Write) {
        let places = self.0.entry(store_name(&write.store)).or_default();
        places.insert(place_name(&write.remote), write.entry.clone());
    }

    /// A value was taken back, or is given up.
    pub fn removed(&mut self, removal: &Removal) {
        if let Some(places) = self.0.get_mut(&removal.store) {
            places.remove(&removal.place);
            if places.is_empty() {
                self.0.remove(&removal.store);
            }
        }
    }

    /// The stores that something stands in.
    pub fn stores(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

/// The end of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All is in the stores.
    Synced,
    /// The source is gone, and what was written with it.
    SourceDeleted,
    /// It failed, as a whole or in part.
    Failed {
        /// Why, and what to do. Never a value.
        message: String,
        /// Whether another attempt may end otherwise with nothing changed by a person.
        transient: bool,
    },
}

/// The status that an outcome makes of the present one; `None` when that says it already.
pub fn after(
    push: &PushSecret,
    outcome: &Outcome,
    recorded: &Recorded,
    now: Timestamp,
) -> Option<PushSecretStatus> {
    let before = push.status.clone().unwrap_or_default();
    let generation = push.metadata.generation;
    let verdict = verdict(outcome);
    let mut after = PushSecretStatus {
        synced_push_secrets: recorded.0.clone(),
        observed_generation: generation,
        conditions: conditions::after(&before.conditions, &verdict, generation, now),
        ..before
    };
    if !matches!(outcome, Outcome::Failed { .. }) {
        after.refresh_time = Some(conditions::whole_seconds(now));
        after.synced_resource_version = hash::of_version(&push.metadata);
    }
    (push.status.as_ref() != Some(&after)).then_some(after)
}

fn verdict(outcome: &Outcome) -> Verdict {
    match outcome {
        Outcome::Synced => Verdict {
            status: condition_status::TRUE,
            reason: reason::PUSH_SYNCED,
            message: "PushSecret synced successfully".to_owned(),
            remedy: None,
        },
        Outcome::SourceDeleted => Verdict {
            status: condition_status::TRUE,
            reason: reason::PUSH_SOURCE_DELETED,
            message: "the source Secret is gone, and so is what was pushed".to_owned(),
            remedy: None,
        },
        Outcome::Failed { message, transient } => Verdict {
            status: condition_status::FALSE,
            reason: reason::PUSH_ERRORED,
            message: message.clone(),
            remedy: Some(if *transient {
                Remedy::Retry
            } else {
                Remedy::Cluster
            }),
        },
    }
}
