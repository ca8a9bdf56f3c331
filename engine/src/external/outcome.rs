//! What came of an attempt.

use std::time::Duration;

use signet_crds::external::constants::reason;

use crate::outcome::{ApiFailure, Remedy};

use super::assemble::{AssembleCause, AssembleError, Missing};
use super::needs::SpecError;
use super::ownership::Refusal;
use super::rules::RuleError;
use super::template::{ShapeCause, ShapeError};

/// The end of an attempt, or the lack of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The Secret is as described.
    Synced(Synced),
    /// The stores have nothing, and the Secret stays as it is.
    Retained,
    /// The stores have nothing, and the Secret is gone.
    Deleted,
    /// There is no Secret to merge into.
    NoTarget,
    /// It failed, and the Secret is as it was.
    Failed(Failure),
    /// The first attempt takes its time. Of no effect on an object that has a status.
    Progressing,
}

/// What is to be said of a Secret that is as described.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// What the stores do not have.
    pub missing: Vec<Missing>,
    /// Keys that were taken out.
    pub removed: Vec<String>,
}

/// Why the Secret is not as described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The resource asks for nothing that can be asked.
    #[error("could not get secret data from provider: {0}")]
    Spec(#[from] SpecError),
    /// The resource says what it may not.
    #[error("could not update secret: {0}")]
    Rule(#[from] RuleError),
    /// A store cannot be used at all: it is not there, not ready, not for this namespace.
    #[error("could not get secret data from provider: {message}")]
    Store {
        /// Which, why, and what to do.
        message: String,
        /// Whether another attempt may end otherwise with nothing changed by a person.
        transient: bool,
    },
    /// Not all items can be had.
    #[error("could not get secret data from provider: {0}")]
    Items(Box<AssembleError>),
    /// The template cannot be followed.
    #[error("could not update secret: {0}")]
    Shape(#[from] ShapeError),
    /// The Secret may not be written or deleted.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// The API server did not do as asked.
    #[error("could not update secret: {}", .0.message)]
    Api(ApiFailure),
}

impl Failure {
    /// Who can mend it.
    pub fn remedy(&self) -> Remedy {
        let transient = |is: bool| if is { Remedy::Retry } else { Remedy::Cluster };
        match self {
            Self::Spec(_) | Self::Rule(_) => Remedy::Object,
            Self::Store { transient: is, .. } => transient(*is),
            Self::Items(error) => match &error.cause {
                AssembleCause::Failed { transient: is, .. } => transient(*is),
                _ => Remedy::Cluster,
            },
            Self::Shape(error) => match &error.cause {
                ShapeCause::Source { transient: is, .. } => transient(*is),
                _ => Remedy::Cluster,
            },
            Self::Refused(Refusal::Terminating(_)) => Remedy::Retry,
            Self::Refused(_) => Remedy::Cluster,
            Self::Api(failure) => failure.remedy(),
        }
    }

    /// The `reason` of the conditions.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Refused(
                Refusal::Foreign(_)
                | Refusal::OtherOwner { .. }
                | Refusal::Controlled { .. }
                | Refusal::NotOwn(_),
            ) => signet_crds::constants::reason::CONFLICT,
            _ => reason::SECRET_SYNCED_ERROR,
        }
    }

    /// After how long whoever failed asks to be asked again.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Items(error) => match &error.cause {
                AssembleCause::Failed { retry_after, .. } => *retry_after,
                _ => None,
            },
            Self::Api(failure) => failure.retry_after,
            _ => None,
        }
    }
}
