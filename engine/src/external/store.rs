//! Stores: who may use one, and its status.

use std::collections::BTreeMap;

use jiff::Timestamp;
use signet_crds::constants::condition_status;
use signet_crds::external::constants::reason;
use signet_crds::external::status::condition;
use signet_crds::external::store::{Capabilities, StoreCondition, StoreSpec, StoreStatus};
use signet_documents::go_regex::{GoRegex, GoRegexError};

use crate::outcome::Remedy;

use super::conditions::{self, READY, Verdict};
use super::policy::Policy;

mod selector;

pub use selector::selects;

/// Whether a store, or a generator, is this controller's, by its field `controller`.
pub fn is_ours(controller: Option<&str>, policy: &Policy) -> bool {
    controller.is_none_or(|name| name == policy.class)
}

/// Whether a namespace may use a ClusterSecretStore: any condition that admits it is enough, and so is
/// that there is none.
///
/// # Errors
/// A condition has a regular expression that is none. Nobody is admitted then.
pub fn may_use(
    store: &StoreSpec,
    namespace: &str,
    labels: &BTreeMap<String, String>,
) -> Result<bool, GoRegexError> {
    let mut is_admitted = store.conditions.is_empty();
    for condition in &store.conditions {
        is_admitted |= admits(condition, namespace, labels)?;
    }
    Ok(is_admitted)
}

fn admits(
    condition: &StoreCondition,
    namespace: &str,
    labels: &BTreeMap<String, String>,
) -> Result<bool, GoRegexError> {
    let selector = condition.namespace_selector.as_ref();
    let mut is_admitted = selector.is_some_and(|selector| selects(selector, labels))
        || condition.namespaces.iter().any(|name| name == namespace);
    for pattern in &condition.namespace_regexes {
        is_admitted |= GoRegex::new(pattern)?.is_match(namespace);
    }
    Ok(is_admitted)
}

/// What a check of a store came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// It can be used.
    Valid(Capabilities),
    /// It can only be known when a namespace uses it. It counts as ready.
    Unknown(Capabilities),
    /// It cannot be used.
    Failed {
        /// Why, and what to do. Never what a server wrote.
        message: String,
        /// Whether another attempt may end otherwise with nothing changed by a person.
        transient: bool,
    },
    /// This version does not serve its provider.
    NotServed {
        /// The provider's field in the spec.
        provider: String,
    },
}

/// The status that a check makes of the present one; `None` when that says it already.
pub fn after(
    before: Option<&StoreStatus>,
    generation: Option<i64>,
    checked: &Checked,
    now: Timestamp,
) -> Option<StoreStatus> {
    let (verdict, capabilities) = verdict(checked);
    let old = before.cloned().unwrap_or_default();
    let after = StoreStatus {
        observed_generation: generation,
        conditions: conditions::after(&old.conditions, &verdict, generation, now),
        capabilities: capabilities.or(old.capabilities),
    };
    (before != Some(&after)).then_some(after)
}

/// Whether an ExternalSecret may ask a store, by its status: not one that failed its last check. One that
/// was not checked yet may be asked.
pub fn is_usable(status: Option<&StoreStatus>) -> bool {
    let ready = status.and_then(|status| condition(&status.conditions, READY));
    ready.is_none_or(|ready| ready.status != condition_status::FALSE)
}

fn verdict(checked: &Checked) -> (Verdict, Option<Capabilities>) {
    let said = |status, reason, message: &str, remedy| Verdict {
        status,
        reason,
        message: message.to_owned(),
        remedy,
    };
    match checked {
        Checked::Valid(capabilities) => (
            said(
                condition_status::TRUE,
                reason::STORE_VALID,
                "store validated",
                None,
            ),
            Some(*capabilities),
        ),
        Checked::Unknown(capabilities) => (
            said(
                condition_status::TRUE,
                reason::STORE_VALIDATION_UNKNOWN,
                "store cannot be validated before a namespace uses it",
                None,
            ),
            Some(*capabilities),
        ),
        Checked::Failed { message, transient } => {
            let remedy = if *transient {
                Remedy::Retry
            } else {
                Remedy::Cluster
            };
            let reason = reason::STORE_INVALID_PROVIDER_CONFIG;
            (
                said(condition_status::FALSE, reason, message, Some(remedy)),
                None,
            )
        }
        Checked::NotServed { provider } => {
            let message = format!(
                "provider not supported: `{provider}` is kept as it is, and this version does not serve it"
            );
            let reason = reason::STORE_INVALID_PROVIDER_CONFIG;
            (
                said(
                    condition_status::FALSE,
                    reason,
                    &message,
                    Some(Remedy::Object),
                ),
                None,
            )
        }
    }
}

#[cfg(test)]
mod tests;
