//! From a SealedSecret and the keys to the Secret that it describes.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Secret;
use signet_crds::sealed_secret::SealedSecret;
use signet_keys::Fingerprint;
use signet_keys::keyring::KeyRing;

use crate::desired::DesiredSecret;
use crate::items::{self, ItemError};
use crate::pace::{Pace, Steady, Stopped};
use crate::policy::Policy;
use crate::template;
use crate::text;

mod diagnosis;
mod error;
mod hints;
mod legacy;

pub use diagnosis::Diagnosis;
pub use error::{Cause, Problem, UnsealError};
pub use hints::Hints;
pub(crate) use legacy::values as legacy_values;

use diagnosis::Search;

/// The Secret, and how it was come by.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsealed {
    /// The Secret as described.
    pub secret: DesiredSecret,
    /// The key that opened each item; of the deprecated form, that of the whole under the empty name.
    pub opened_by: BTreeMap<String, Fingerprint>,
    /// Private-key operations that it took.
    pub attempts: usize,
    /// What the author should know although it stops nothing.
    pub warnings: Vec<Warning>,
}

/// Something in a SealedSecret that has no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// An annotation with a value that is neither yes nor no: its name, and the value.
    #[error(
        "the annotation {0} has no effect: its value is {value} and not \"true\" or \"false\"",
        value = quoted(.1)
    )]
    Misspelt(String, String),
    /// Items of `template.data` with the name of a sealed item.
    #[error("spec.template.data does not replace sealed items of the same name ({})", names(.0))]
    Shadowed(Vec<String>),
    /// A field that templates do not have (sealed-secrets#1445).
    #[error("spec.template.{} is not a field{}", text::name(.0), field_hint(.0))]
    UnknownField(String),
}

/// Opens all items and shapes the Secret.
///
/// This is where the private-key operations are: one for each item when the hints are right. Run it
/// where it may take milliseconds an item.
///
/// # Errors
///
/// All that is wrong with the object at once. Nothing of any value is in the error. For items that
/// no key opens it says where they would open, as far as their author could know: under another
/// scope, or under the name and namespace in the template. So show it to the author of the object
/// alone, and never to whoever sends objects to an endpoint; that is what [`crate::verify`] is for.
pub fn unseal(
    sealed: &SealedSecret,
    ring: &KeyRing,
    hints: &Hints,
    policy: &Policy,
) -> Result<Unsealed, UnsealError> {
    unseal_at(sealed, ring, hints, policy, &mut Steady)
}

/// [`unseal`], at a pace of the caller's.
pub fn unseal_at(
    sealed: &SealedSecret,
    ring: &KeyRing,
    hints: &Hints,
    policy: &Policy,
    pace: &mut dyn Pace,
) -> Result<Unsealed, UnsealError> {
    let unreadable = items::unreadable(sealed).map(Problem::unreadable).collect();
    UnsealError::unless_empty(unreadable, 0)?;
    match &sealed.spec.data {
        None => unseal_items(sealed, ring, hints, policy, pace),
        Some(_) if !sealed.spec.encrypted_data.is_empty() => {
            Err(UnsealError::whole(Cause::BothForms, 0))
        }
        Some(_) if !policy.accept_deprecated_v1_data => {
            Err(UnsealError::whole(Cause::DeprecatedForm, 0))
        }
        Some(blob) => legacy::unseal(sealed, blob, ring, hints, policy),
    }
}

fn unseal_items(
    sealed: &SealedSecret,
    ring: &KeyRing,
    hints: &Hints,
    policy: &Policy,
    pace: &mut dyn Pace,
) -> Result<Unsealed, UnsealError> {
    let stopped = |Stopped| UnsealError::whole(Cause::Stopped, 0);
    let items::Items {
        opened,
        failed,
        attempts,
    } = items::open(sealed, ring, hints, pace).map_err(stopped)?;
    let search = Search::new(sealed, ring);
    let lost = |key: &str| hints.of(key).filter(|known| ring.get(known).is_none());
    let mut where_else = |key: &str| {
        let found = pace.goes_on(attempts).then(|| search.item(key))?;
        found.or_else(|| lost(key).map(Diagnosis::LostKey))
    };
    let mut problems = error::of_items(failed, &mut where_else);
    problems.extend(template::problems(sealed));
    UnsealError::unless_empty(problems, attempts)?;

    let opened_by = opened
        .iter()
        .map(|(key, (_, by))| (key.clone(), *by))
        .collect();
    let values = opened
        .into_iter()
        .map(|(key, (value, _))| (key, value))
        .collect();
    Ok(Unsealed {
        secret: template::secret(sealed, values, policy),
        opened_by,
        attempts,
        warnings: template::warnings(sealed),
    })
}

/// The problems of items, without the search for where they would open: for answers to strangers.
pub(crate) fn undiagnosed(failed: BTreeMap<String, ItemError>) -> Vec<Problem> {
    error::of_items(failed, &mut |_| None)
}

/// The Secret inside the deprecated form, as it was sealed; without diagnosis.
pub(crate) fn open_legacy(
    sealed: &SealedSecret,
    blob: &str,
    ring: &KeyRing,
) -> Result<Secret, UnsealError> {
    let mut attempts = 0;
    legacy::open(sealed, blob, ring, &Hints::default(), &mut attempts)
        .and_then(|(json, _)| legacy::parse(&json))
        .map_err(|cause| UnsealError::whole(cause, attempts))
}

fn quoted(value: &str) -> String {
    format!("{:?}", text::shortened(value, 32))
}

fn names(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| text::name(name)).collect();
    error::some_of(&names, ", ")
}

fn field_hint(field: &str) -> &'static str {
    match field {
        "stringData" => "; use spec.template.data",
        _ => " and has no effect",
    }
}

impl From<ItemError> for Cause {
    fn from(error: ItemError) -> Self {
        match error {
            ItemError::Base64(error) => Self::Base64(error),
            ItemError::Open(error) => Self::Undecryptable(error, None),
            ItemError::WrongKind(expected) => Self::WrongKind(expected),
        }
    }
}

#[cfg(test)]
mod tests;
