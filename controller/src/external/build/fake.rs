//! Stores whose values stand in the resource.

use signet_crds::external::store::fake::FakeProvider;
use signet_keys::Plaintext;
use signet_providers::{
    fake::{Entry, FakeStore},
    store::Checked,
};

use super::{BuildError, Resolver};

/// `validationResult` of a store that cannot be used.
const WRONG: i64 = 2;
const UNKNOWN: i64 = 1;

pub(super) fn store(fake: &FakeProvider, _: &mut Resolver) -> Result<FakeStore, BuildError> {
    if fake.validation_result == Some(WRONG) {
        return Err(BuildError::Invalid(
            "the fake store says that it is wrong".into(),
        ));
    }
    let checked = match fake.validation_result {
        Some(UNKNOWN) => Checked::Unknown,
        _ => Checked::Valid,
    };
    let entries = fake.data.iter().map(|data| {
        let value = match &data.value_map {
            Some(map) => serde_json::to_vec(&**map).unwrap_or_default(),
            None => data.value.as_bytes().to_vec(),
        };
        Entry {
            key: data.key.clone(),
            version: data.version.clone().unwrap_or_default(),
            value: Plaintext::new(value),
        }
    });
    Ok(FakeStore::new(entries, checked))
}
