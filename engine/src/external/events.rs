//! The events to emit after an attempt.

use signet_crds::external::constants::{condition, event};
use signet_crds::external::external_secret::ExternalSecret;
use signet_crds::external::status;

use crate::events::{EventDraft, EventKind, LONGEST};
use crate::text;

use super::conditions;
use super::outcome::Outcome;
use super::plan::Action;

/// The events that an attempt is worth. `external` has the status from before: an attempt that ends as
/// the last one did is no news.
pub fn of(external: &ExternalSecret, action: &Action, outcome: &Outcome) -> Vec<EventDraft> {
    let mut events = Vec::new();
    match outcome {
        Outcome::Synced(synced) => {
            if !was_told(external, &super::status::message(outcome)) {
                for missing in &synced.missing {
                    let message = format!("there is no {missing}");
                    events.push(warning(event::MISSING_PROVIDER_SECRET, &message));
                }
            }
            events.extend(written(action, &synced.removed));
        }
        Outcome::Deleted if matches!(action, Action::Delete { .. }) => {
            events.push(normal(event::DELETED, super::status::DELETED));
        }
        Outcome::Failed(failure) => events.extend(failed(external, &failure.to_string())),
        Outcome::Deleted | Outcome::Retained | Outcome::NoTarget | Outcome::Progressing => {}
    }
    events
}

/// The event of a failure that no plan came to, such as a store that is not there; none if it was told.
pub fn failed(external: &ExternalSecret, message: &str) -> Option<EventDraft> {
    let news = !was_told(external, message);
    news.then(|| warning(event::UPDATE_FAILED, message))
}

fn written(action: &Action, removed: &[String]) -> Option<EventDraft> {
    match action {
        Action::Create(_) => Some(normal(event::CREATED, "secret created")),
        Action::Update(_) if removed.is_empty() => Some(normal(event::UPDATED, "secret updated")),
        Action::Update(_) => {
            let message = format!("secret updated; removed from it: {}", removed.join(", "));
            Some(normal(event::UPDATED, &message))
        }
        Action::Delete { .. } | Action::Keep => None,
    }
}

fn normal(reason: &'static str, message: &str) -> EventDraft {
    draft(EventKind::Normal, reason, message)
}

fn warning(reason: &'static str, message: &str) -> EventDraft {
    draft(EventKind::Warning, reason, message)
}

fn draft(kind: EventKind, reason: &'static str, message: &str) -> EventDraft {
    EventDraft {
        kind,
        reason,
        message: text::shortened(&text::line(message), LONGEST).into_owned(),
    }
}

/// Whether the status says the same of the same generation.
fn was_told(external: &ExternalSecret, message: &str) -> bool {
    let Some(status) = &external.status else {
        return false;
    };
    let ready = status::condition(&status.conditions, condition::READY);
    status.observed_generation == external.metadata.generation
        && ready.is_some_and(|ready| ready.message == conditions::told(message))
}
