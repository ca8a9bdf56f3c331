//! The data key of a file, out of its key groups.

use std::fmt;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use signet_keys::Plaintext;
use signet_keys::sops::data_key::DataKeyError;
use signet_keys::sops::master_key::DecryptionOrder;
use signet_keys::sops::{DataKey, WrappedKey};

use crate::{KeyError, KeyService};

/// The data key, and who gave it.
#[derive(Debug)]
pub struct Recovered {
    /// The data key.
    pub data_key: DataKey,
    /// The key that opened each group, printed; `None` where a group failed or was not needed.
    pub opened_by: Vec<Option<String>>,
}

/// Why there is no data key.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// No group names a key.
    #[error("the file names no key that could open it")]
    NoGroups,
    /// The metadata asks for more groups than there are.
    #[error("the file needs {threshold} key groups and has {groups}")]
    Threshold {
        /// Groups that are needed.
        threshold: usize,
        /// Groups that are there.
        groups: usize,
    },
    /// Too few groups could be opened.
    #[error("{}", summary(*.needed, .groups))]
    Groups {
        /// Groups that are needed.
        needed: usize,
        /// What happened in each group, in the order of the file. `None`: it was opened.
        groups: Vec<Option<GroupFailure>>,
    },
    /// What was unwrapped is no data key.
    #[error("{0}")]
    DataKey(#[from] DataKeyError),
}

impl RecoverError {
    /// What to do about it: of each failure that has a remedy, once.
    pub fn hints(&self) -> Vec<String> {
        let Self::Groups { groups, .. } = self else {
            return vec!["restore the metadata of the file from history".into()];
        };
        let attempts = groups.iter().flatten().flat_map(|group| &group.keys);
        let mut hints: Vec<String> = Vec::new();
        for attempt in attempts.flat_map(|key| &key.attempts) {
            hints.extend(attempt.error.hint().filter(|hint| !hints.contains(hint)));
        }
        hints
    }
}

/// Why no key of a group opened its part.
#[derive(Debug)]
pub struct GroupFailure {
    /// The keys in the order in which they were tried.
    pub keys: Vec<KeyFailure>,
}

/// Why one key did not help.
#[derive(Debug)]
pub struct KeyFailure {
    /// Its type: `age`, `kms`.
    pub kind: &'static str,
    /// The key, printed.
    pub key: String,
    /// Each service that was asked.
    pub attempts: Vec<Attempt>,
}

/// What one service said.
#[derive(Debug)]
pub struct Attempt {
    /// The name of the service.
    pub service: String,
    /// Its answer.
    pub error: KeyError,
}

/// Unwraps the data key of a file. The groups are worked on at the same time; within a group the keys
/// are tried in their order until one opens, each with one service after the other. With several
/// groups their parts are combined as soon as `threshold` of them are there (`None`: all of them).
///
/// # Errors
/// Every key that was tried is in the error, with what each service said.
pub async fn recover(
    services: &[&dyn KeyService],
    groups: &[&[WrappedKey]],
    threshold: Option<usize>,
    order: &DecryptionOrder,
) -> Result<Recovered, RecoverError> {
    let needed = needed(groups.len(), threshold)?;
    let mut open: FuturesUnordered<_> = groups
        .iter()
        .enumerate()
        .map(async |(index, keys)| (index, open_group(services, keys, order).await))
        .collect();
    let mut parts = Vec::new();
    let mut opened_by = vec![None; groups.len()];
    let mut failures: Vec<Option<GroupFailure>> = groups.iter().map(|_| None).collect();
    while parts.len() < needed
        && let Some((index, outcome)) = open.next().await
    {
        match outcome {
            Ok((key, part)) => {
                opened_by[index] = Some(key);
                parts.push(part);
            }
            Err(failure) => failures[index] = Some(failure),
        }
    }
    drop(open);
    if parts.len() < needed {
        return Err(RecoverError::Groups {
            needed,
            groups: failures,
        });
    }
    let data_key = match (&parts[..], groups.len()) {
        ([whole], 1) => DataKey::from_plaintext(whole)?,
        (parts, _) => DataKey::combine(parts)?,
    };
    Ok(Recovered {
        data_key,
        opened_by,
    })
}

/// How many groups must open. Two parts are the fewest that can be combined.
fn needed(groups: usize, threshold: Option<usize>) -> Result<usize, RecoverError> {
    match (groups, threshold) {
        (0, _) => Err(RecoverError::NoGroups),
        (1, _) => Ok(1),
        (_, None | Some(0)) => Ok(groups),
        (_, Some(threshold)) if threshold > groups => {
            Err(RecoverError::Threshold { threshold, groups })
        }
        (_, Some(threshold)) => Ok(threshold.max(2)),
    }
}

async fn open_group(
    services: &[&dyn KeyService],
    keys: &[WrappedKey],
    order: &DecryptionOrder,
) -> Result<(String, Plaintext), GroupFailure> {
    let mut failures = Vec::new();
    for wrapped in order.sorted(keys, |wrapped| &wrapped.key) {
        match open_key(services, wrapped).await {
            Ok(part) => return Ok((wrapped.key.to_string(), part)),
            Err(attempts) => failures.push(KeyFailure {
                kind: wrapped.key.type_name(),
                key: wrapped.key.to_string(),
                attempts,
            }),
        }
    }
    Err(GroupFailure { keys: failures })
}

async fn open_key(
    services: &[&dyn KeyService],
    wrapped: &WrappedKey,
) -> Result<Plaintext, Vec<Attempt>> {
    let mut attempts = Vec::new();
    for service in services {
        match service.unwrap(&wrapped.key, &wrapped.enc).await {
            Ok(part) => return Ok(part),
            Err(error) => attempts.push(Attempt {
                service: service.name().to_owned(),
                error,
            }),
        }
    }
    Err(attempts)
}

/// One sentence; [`RecoverError::Groups`] has the rest.
fn summary(needed: usize, groups: &[Option<GroupFailure>]) -> String {
    let failed = groups.iter().flatten().count();
    let opened = groups.len() - failed;
    let keys: usize = groups.iter().flatten().map(|group| group.keys.len()).sum();
    if groups.len() == 1 {
        return format!("none of the {keys} keys of the file could be used");
    }
    format!(
        "{opened} of {} key groups could be opened, {needed} are needed",
        groups.len()
    )
}

/// One line for each service: key, service and reason.
impl fmt::Display for GroupFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for key in &self.keys {
            for attempt in &key.attempts {
                let Attempt { service, error } = attempt;
                write!(
                    f,
                    "{separator}{} `{}`, {service}: {error}",
                    key.kind, key.key
                )?;
                separator = "\n";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
