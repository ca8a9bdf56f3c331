//! The events to emit after an attempt.

use signet_crds::constants::{condition, condition_status, event};
use signet_crds::sealed_secret::SealedSecret;

use crate::outcome::Outcome;
use crate::status;
use crate::text;

/// An event on the SealedSecret, yet without time and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDraft {
    /// How grave it is.
    pub kind: EventKind,
    /// The reason, which scripts filter by.
    pub reason: &'static str,
    /// What happened.
    pub message: String,
}

/// The `type` of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// As it should be.
    Normal,
    /// Somebody should look.
    Warning,
}

/// The events that an outcome is worth. `sealed` has the status from before: an attempt that ends as
/// the last one did is no news, and neither is one that found nothing to do.
pub fn of(sealed: &SealedSecret, outcome: &Outcome) -> Vec<EventDraft> {
    match outcome {
        Outcome::Applied { written, .. } if *written || was_failed(sealed) => vec![EventDraft {
            kind: EventKind::Normal,
            reason: event::UNSEALED,
            message: event::UNSEALED_MESSAGE.to_owned(),
        }],
        Outcome::Failed(failure) if !was_told(sealed, &failure.message()) => {
            let (reason, message) = failure.event();
            vec![EventDraft {
                kind: EventKind::Warning,
                reason,
                message: text::shortened(&message, LONGEST).into_owned(),
            }]
        }
        _ => Vec::new(),
    }
}

/// Longest message that the API server takes.
pub(crate) const LONGEST: usize = 1024;

fn was_failed(sealed: &SealedSecret) -> bool {
    let status = sealed.status.as_ref();
    let synced = status.and_then(|status| status.condition(condition::SYNCED));
    synced.is_some_and(|synced| synced.status == condition_status::FALSE)
}

/// Whether the status says the same of the same generation.
fn was_told(sealed: &SealedSecret, message: &str) -> bool {
    let Some(status) = &sealed.status else {
        return false;
    };
    status.observed_generation == sealed.metadata.generation
        && status.condition(condition::SYNCED).is_some_and(|synced| {
            synced.status == condition_status::FALSE && synced.message == status::message(message)
        })
}

#[cfg(test)]
mod tests;
