//! A data key, into the key groups of a file.

use futures::future::join_all;
use signet_keys::Plaintext;
use signet_keys::sops::shamir::SplitError;
use signet_keys::sops::{DataKey, LastModified, MasterKey, WrappedKey};

use super::recover::Attempt;
use crate::KeyService;

/// Why a data key was not wrapped. No entry is half a file: one key that fails is enough.
#[derive(Debug, thiserror::Error)]
pub enum WrapAllError {
    /// A group without a key could never be opened.
    #[error("key group {} has no key", .index + 1)]
    EmptyGroup {
        /// Which, from 0.
        index: usize,
    },
    /// There is no group.
    #[error("there is no key to encrypt for")]
    NoGroups,
    /// These keys failed.
    #[error("the data key could not be wrapped for {}", named(.0))]
    Keys(
        /// Each with its reason.
        Vec<WrapFailure>,
    ),
    /// The number of groups and the threshold do not go together.
    #[error("the data key cannot be split among the key groups: {0}")]
    Split(#[from] SplitError),
}

impl WrapAllError {
    /// What to do about it.
    pub fn hints(&self) -> Vec<String> {
        let Self::Keys(failures) = self else {
            return Vec::new();
        };
        let mut hints: Vec<String> = Vec::new();
        for attempt in failures.iter().flat_map(|failure| &failure.attempts) {
            hints.extend(attempt.error.hint().filter(|hint| !hints.contains(hint)));
        }
        hints
    }
}

/// Why one key got nothing.
#[derive(Debug)]
pub struct WrapFailure {
    /// The key.
    pub key: MasterKey,
    /// Each service that was asked.
    pub attempts: Vec<Attempt>,
}

/// Wraps a data key for all keys of all groups, at the same time. With several groups each gets a part
/// of it, of which `threshold` give it back (`None`: all of them). Azure keys without a version come
/// back with one.
pub async fn wrap_all(
    services: &[&dyn KeyService],
    data_key: &DataKey,
    groups: &[&[MasterKey]],
    threshold: Option<usize>,
    now: &LastModified,
) -> Result<Vec<Vec<WrappedKey>>, WrapAllError> {
    if groups.is_empty() {
        return Err(WrapAllError::NoGroups);
    }
    if let Some(index) = groups.iter().position(|group| group.is_empty()) {
        return Err(WrapAllError::EmptyGroup { index });
    }
    let parts = match groups.len() {
        1 => vec![data_key.to_plaintext()],
        count => {
            let threshold = threshold.filter(|threshold| *threshold > 0);
            data_key.split(count, threshold.unwrap_or(count))?
        }
    };
    let wrapped = groups
        .iter()
        .zip(&parts)
        .map(|(group, part)| join_all(group.iter().map(|key| wrap_key(services, key, part, now))));
    let mut failures = Vec::new();
    let mut result = Vec::new();
    for group in join_all(wrapped).await {
        let mut keys = Vec::new();
        for outcome in group {
            match outcome {
                Ok(key) => keys.push(key),
                Err(failure) => failures.push(failure),
            }
        }
        result.push(keys);
    }
    if failures.is_empty() {
        Ok(result)
    } else {
        Err(WrapAllError::Keys(failures))
    }
}

async fn wrap_key(
    services: &[&dyn KeyService],
    key: &MasterKey,
    part: &Plaintext,
    now: &LastModified,
) -> Result<WrappedKey, WrapFailure> {
    let mut attempts = Vec::new();
    for service in services {
        let outcome = match service.complete(key).await {
            Ok(key) => service
                .wrap(&key, part)
                .await
                .map(|enc| WrappedKey::new(key, enc, now)),
            Err(error) => Err(error),
        };
        match outcome {
            Ok(wrapped) => return Ok(wrapped),
            Err(error) => attempts.push(Attempt {
                service: service.name().to_owned(),
                error,
            }),
        }
    }
    Err(WrapFailure {
        key: key.clone(),
        attempts,
    })
}

fn named(failures: &[WrapFailure]) -> String {
    let one = |failure: &WrapFailure| {
        let reasons = failure.attempts.iter();
        let reasons: Vec<String> = reasons
            .map(|attempt| format!("{}: {}", attempt.service, attempt.error))
            .collect();
        let WrapFailure { key, .. } = failure;
        format!("{} `{key}` ({})", key.type_name(), reasons.join("; "))
    };
    let each: Vec<String> = failures.iter().map(one).collect();
    each.join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::block_on;
    use crate::groups::recover::recover;
    use crate::groups::testing::{Fake, age, pgp};
    use signet_keys::sops::master_key::DecryptionOrder;

    fn now() -> LastModified {
        "2026-01-31T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn one_group_gets_the_whole_key_for_each_of_its_keys() {
        let here = Fake::new("here", &["age1a", "FP"]);
        let key = DataKey::from_plaintext(&vec![7; 32].into()).unwrap();
        let group = [age("age1a"), pgp("FP")];
        let groups = block_on(wrap_all(&[&here], &key, &[&group], Some(2), &now())).unwrap();
        let [keys] = &groups[..] else {
            panic!("{groups:?}")
        };
        assert!(
            keys.iter()
                .all(|wrapped| wrapped.enc.ends_with(&"07".repeat(32)))
        );
        let times: Vec<_> = keys
            .iter()
            .map(|wrapped| wrapped.created_at.as_deref())
            .collect();
        assert_eq!(times, [None, Some("2026-01-31T12:00:00Z")]);
    }

    #[test]
    fn what_is_wrapped_for_groups_is_recovered_from_the_threshold_of_them() {
        let all = Fake::new("here", &["age1a", "age1b", "FP"]);
        let key = DataKey::generate().unwrap();
        let groups: [&[MasterKey]; 3] = [&[age("age1a")], &[age("age1b")], &[pgp("FP")]];
        let wrapped = block_on(wrap_all(&[&all], &key, &groups, Some(2), &now())).unwrap();
        let two = Fake::new("here", &["age1b", "FP"]);
        let wrapped: Vec<&[WrappedKey]> = wrapped.iter().map(Vec::as_slice).collect();
        let order = DecryptionOrder::default();
        let recovered = block_on(recover(&[&two], &wrapped, Some(2), &order)).unwrap();
        assert_eq!(recovered.data_key, key);
    }

    #[test]
    fn all_keys_that_fail_are_named() {
        let here = Fake::new("here", &["age1b"]);
        let key = DataKey::generate().unwrap();
        let group = [age("age1a"), age("age1b"), pgp("FP")];
        let error = block_on(wrap_all(&[&here], &key, &[&group], None, &now())).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("`age1a`") && text.contains("`FP`") && !text.contains("age1b"),
            "{text}"
        );
    }

    #[test]
    fn a_group_without_keys_is_refused_before_anything_is_wrapped() {
        let here = Fake::new("here", &["age1a"]);
        let key = DataKey::generate().unwrap();
        let error = block_on(wrap_all(
            &[&here],
            &key,
            &[&[age("age1a")], &[]],
            None,
            &now(),
        ));
        assert_eq!(error.unwrap_err().to_string(), "key group 2 has no key");
        assert!(here.asked().is_empty());
        let error = block_on(wrap_all(&[&here], &key, &[], None, &now()));
        assert!(matches!(error, Err(WrapAllError::NoGroups)));
    }
}
