//! What came of an attempt.

use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use signet_crds::constants::{event, reason};
use signet_crds::sealed_secret::{Applied, SealedSecret};
use signet_keys::sealed::OpenError;

use crate::plan::{Action, Plan, Refusal};
use crate::policy::Policy;
use crate::recognise;
use crate::unseal::{Cause, UnsealError, Unsealed, Warning};

/// The end of an attempt, or the lack of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The Secret is as described.
    Applied {
        /// What to remember of it.
        applied: Applied,
        /// Whether it had to be written.
        written: bool,
        /// Others changed it, and repairing that is switched off.
        drifted: bool,
        /// What the author should know.
        warnings: Vec<Warning>,
    },
    /// It is not.
    Failed(Failure),
    /// The first attempt takes its time. Of no effect on an object that has a status.
    Progressing,
    /// There was no attempt: the author asked for none.
    Suspended,
}

/// Why the Secret is not as described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The items do not open or the object makes no sense.
    Unseal(UnsealError),
    /// The Secret may not be written.
    Refused(Refusal),
    /// The API server did not do as asked.
    Api(ApiFailure),
    /// Another program writes the same objects; its name and what to do.
    OtherWriter(String),
}

/// An answer of the API server, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiFailure {
    /// HTTP status; `None` when there was no answer.
    pub code: Option<u16>,
    /// What the server or the connection said. API servers keep the values of Secrets out of it.
    pub message: String,
    /// After how long the server asks to be asked again; `None` when it does not.
    pub retry_after: Option<Duration>,
}

/// Who can mend a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Time: it is tried again soon.
    Retry,
    /// A person, by changing something in the cluster that we watch or see at the next try.
    Cluster,
    /// A person, by changing the object or the keys.
    Object,
}

impl Outcome {
    /// The end of a plan that was carried out: `written` is the metadata of the Secret after it.
    pub fn done(
        sealed: &SealedSecret,
        unsealed: &Unsealed,
        plan: &Plan,
        written: &ObjectMeta,
        policy: &Policy,
    ) -> Self {
        if let Action::Refuse(refusal) = &plan.action {
            return Self::Failed(Failure::Refused(refusal.clone()));
        }
        Self::Applied {
            applied: recognise::applied(sealed, unsealed, plan.mode, written, policy),
            written: !matches!(plan.action, Action::Keep | Action::LeaveDrift),
            drifted: matches!(plan.action, Action::LeaveDrift),
            warnings: unsealed.warnings.clone(),
        }
    }
}

impl Failure {
    /// Who can mend it.
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Unseal(_) | Self::Refused(Refusal::SealingKey(_)) => Remedy::Object,
            Self::Refused(Refusal::Orphaned(_) | Refusal::Terminating(_)) => Remedy::Retry,
            Self::Refused(_) | Self::OtherWriter(_) => Remedy::Cluster,
            Self::Api(failure) => failure.remedy(),
        }
    }

    /// The `reason` of the conditions.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Unseal(error) if is(error, is_no_key) => reason::NO_KEY,
            Self::Unseal(error) if is(error, is_about_ciphertext) => reason::UNSEAL_FAILED,
            Self::Unseal(_) | Self::Refused(Refusal::SealingKey(_)) => reason::INVALID,
            Self::Refused(Refusal::Foreign(_) | Refusal::Orphaned(_) | Refusal::Terminating(_)) => {
                reason::CONFLICT
            }
            Self::Refused(Refusal::Immutable { .. }) => reason::IMMUTABLE,
            Self::Refused(Refusal::TargetGone(_)) => reason::TARGET_GONE,
            Self::Refused(Refusal::TypeChange { .. }) => reason::TYPE_CHANGE,
            Self::Api(_) => reason::UPDATE_FAILED,
            Self::OtherWriter(_) => reason::OTHER_WRITER,
        }
    }

    /// Cause and remedy for the conditions, in the words that scripts know.
    pub fn message(&self) -> String {
        match self {
            Self::Refused(refusal @ Refusal::Foreign(_)) => format!("failed update: {refusal}"),
            _ => self.event_message_body(),
        }
    }

    /// Reason and message of the event.
    pub fn event(&self) -> (&'static str, String) {
        let body = self.event_message_body();
        match self {
            Self::Unseal(_) => (
                event::ERR_UNSEAL_FAILED,
                format!("Failed to unseal: {body}"),
            ),
            _ => (event::ERR_UPDATE_FAILED, body),
        }
    }

    /// Value of the label `reason` of the counter of errors.
    pub fn metric(&self) -> &'static str {
        match self {
            Self::Unseal(_) => "unseal",
            Self::Refused(Refusal::Foreign(_) | Refusal::Orphaned(_)) => "unmanaged",
            Self::Refused(_) | Self::Api(_) | Self::OtherWriter(_) => "update",
        }
    }

    fn event_message_body(&self) -> String {
        match self {
            Self::Unseal(error) => error.to_string(),
            Self::Refused(refusal) => refusal.to_string(),
            Self::Api(failure) => failure.message.clone(),
            Self::OtherWriter(message) => message.clone(),
        }
    }
}

impl ApiFailure {
    /// Missing rights, an object that the server does not take, or one too large need a person; all
    /// else passes.
    pub(crate) fn remedy(&self) -> Remedy {
        match self.code {
            // A namespace that goes away answers 403 as well.
            Some(403) if self.message.contains("being terminated") => Remedy::Retry,
            Some(400 | 401 | 403 | 413 | 422) => Remedy::Cluster,
            _ => Remedy::Retry,
        }
    }
}

fn is(error: &UnsealError, what: fn(&Cause) -> bool) -> bool {
    error.problems().iter().all(|problem| what(&problem.cause))
}

fn is_no_key(cause: &Cause) -> bool {
    matches!(cause, Cause::Undecryptable(OpenError::NoKey, _))
}

fn is_about_ciphertext(cause: &Cause) -> bool {
    matches!(cause, Cause::Undecryptable(..) | Cause::Base64(_))
}
