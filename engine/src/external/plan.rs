//! What to do to the Secret in the cluster.

use k8s_openapi::api::core::v1::Secret;
use signet_crds::external::external_secret::{CreationPolicy, DeletionPolicy, ExternalSecret};

use crate::events::EventDraft;
use crate::manifest::SecretManifest;

use super::answers::Answers;
use super::assemble::{self, Assembled, ItemsError};
use super::events;
use super::outcome::{Failure, Outcome, Synced};
use super::ownership::{self, Refusal};
use super::policy::Policy;
use super::press::Press;
use super::rules;
use super::template::{self, Shaped};

mod target;

/// What to do, and what has come of it once it is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The one thing to do to the Secret.
    pub action: Action,
    /// How the attempt ends, if the API server does as asked.
    pub outcome: Outcome,
    /// What to tell then.
    pub events: Vec<EventDraft>,
}

/// The one thing to do to the Secret, under the field manager of the ExternalSecret
/// ([`hash::field_manager`](super::hash::field_manager)), as an update and not by server-side apply: that
/// is how the next attempt, and the peer, finds the items that are its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Make it. Afterwards Secrets that were left behind under another name
    /// ([`ownership::is_left_behind`]) are deleted.
    Create(SecretManifest),
    /// Write it whole. It carries the UID and the resource version that were observed.
    Update(SecretManifest),
    /// Delete the one with this UID and resource version.
    Delete {
        /// Precondition of the deletion.
        uid: String,
        /// Precondition of the deletion.
        resource_version: String,
    },
    /// Nothing.
    Keep,
}

/// Compares the Secret as described with the one in the cluster. `observed` is the Secret as read
/// after the decision to work on it, or `None` when there is none.
///
/// # Guarantees
///
/// Any failure leaves the Secret as it is. A Secret that no ExternalSecret made is never replaced or
/// deleted unless it says so itself, or the administrator. Nothing is written that would change nothing.
pub fn plan(
    external: &ExternalSecret,
    answers: &Answers,
    observed: Option<&Secret>,
    policy: &Policy,
    press: &mut dyn Press,
) -> Plan {
    let attempt = Attempt {
        external,
        answers,
        observed,
        policy,
    };
    let (action, outcome) = match attempt.run(press) {
        Ok(done) => done,
        Err(failure) => (Action::Keep, Outcome::Failed(failure)),
    };
    Plan {
        events: events::of(external, &action, &outcome),
        action,
        outcome,
    }
}

/// The Secret that an ExternalSecret describes, without a cluster.
///
/// # Errors
/// There is none.
pub fn render(
    external: &ExternalSecret,
    answers: &Answers,
    press: &mut dyn Press,
) -> Result<SecretManifest, Failure> {
    rules::check(external)?;
    let assembled = assemble::assemble(external, answers, press)?;
    let shaped = template::shape(external, assembled.data, answers, press)?;
    Ok(target::made(external, &shaped))
}

struct Attempt<'a> {
    external: &'a ExternalSecret,
    answers: &'a Answers,
    observed: Option<&'a Secret>,
    policy: &'a Policy,
}

impl Attempt<'_> {
    fn run(&self, press: &mut dyn Press) -> Result<(Action, Outcome), Failure> {
        rules::check(self.external)?;
        let Assembled { data, missing } = assemble::assemble(self.external, self.answers, press)?;
        let target = &self.external.spec.target;
        if data.is_empty() {
            match target.deletion_policy {
                DeletionPolicy::Delete => return self.delete(),
                DeletionPolicy::Retain => return Ok((Action::Keep, Outcome::Retained)),
                // Its own items are taken out.
                DeletionPolicy::Merge => {}
            }
        }
        let shaped = template::shape(self.external, data, self.answers, press)?;
        let mut synced = Synced {
            missing,
            ..Synced::default()
        };
        let action = match (target.creation_policy, self.observed) {
            (CreationPolicy::None, _) => Action::Keep,
            (CreationPolicy::Merge, None) => return Ok((Action::Keep, Outcome::NoTarget)),
            (_, None) => Action::Create(target::made(self.external, &shaped)),
            (_, Some(secret)) => self.update(secret, &shaped, &mut synced)?,
        };
        Ok((action, Outcome::Synced(synced)))
    }

    fn delete(&self) -> Result<(Action, Outcome), Failure> {
        let Some(secret) = self.observed else {
            return Ok((Action::Keep, Outcome::Deleted));
        };
        ownership::may_delete(self.external, secret)?;
        let metadata = &secret.metadata;
        let action = match metadata.deletion_timestamp {
            Some(_) => Action::Keep,
            None => Action::Delete {
                uid: metadata.uid.clone().unwrap_or_default(),
                resource_version: metadata.resource_version.clone().unwrap_or_default(),
            },
        };
        Ok((action, Outcome::Deleted))
    }

    fn update(
        &self,
        secret: &Secret,
        shaped: &Shaped,
        synced: &mut Synced,
    ) -> Result<Action, Failure> {
        ownership::may_write(self.external, secret, self.policy)?;
        let merged = target::merged(self.external, shaped, secret);
        if target::is_same(merged.expose(), secret) {
            return Ok(Action::Keep);
        }
        let name = || secret.metadata.name.clone().unwrap_or_default();
        let (from, to) = (target::type_of(secret), target::type_of(merged.expose()));
        if from != to {
            return Err(Failure::Refused(Refusal::TypeChange {
                name: name(),
                from: from.to_owned(),
                to: to.to_owned(),
            }));
        }
        if secret.immutable == Some(true) && target::changes_data(merged.expose(), secret) {
            return Err(Failure::Refused(Refusal::Immutable(name())));
        }
        synced.removed = target::removed(merged.expose(), secret);
        Ok(Action::Update(merged))
    }
}

impl From<ItemsError> for Failure {
    fn from(error: ItemsError) -> Self {
        match error {
            ItemsError::Spec(error) => Self::Spec(error),
            ItemsError::Entry(error) => Self::Items(error),
        }
    }
}

#[cfg(test)]
mod tests;
