//! The wire constants by which the External Secrets Operator recognises its own work. They are kept
//! digit for digit: a cluster that moves over, or back, refreshes nothing.
//!
//! All are SHA3-224, in hexadecimal, of what Go's `fmt` prints with `%+v`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use sha3::{Digest, Sha3_224};
use signet_crds::external::constants::{annotation, label};
use zeroize::Zeroizing;

/// Longest name of a field manager whose end is the name of the ExternalSecret; a longer one is hashed.
const LONGEST_MANAGER: usize = 63;
const MANAGER: &str = "externalsecrets.external-secrets.io/";

/// Annotation `reconcile.external-secrets.io/data-hash` of a target: of `map[k1:[98 97] k2:[1]]`.
pub fn of_data<V: AsRef<[u8]>>(data: &BTreeMap<String, V>) -> String {
    // The text holds the values.
    let length: usize = data
        .iter()
        .map(|(key, value)| key.len() + 4 * value.as_ref().len() + 4)
        .sum();
    let mut text = Zeroizing::new(String::with_capacity(length + 5));
    text.push_str("map[");
    for (position, (key, value)) in data.iter().enumerate() {
        if position > 0 {
            text.push(' ');
        }
        text.push_str(key);
        text.push_str(":[");
        for (position, byte) in value.as_ref().iter().enumerate() {
            if position > 0 {
                text.push(' ');
            }
            decimal(&mut text, *byte);
        }
        text.push(']');
    }
    text.push(']');
    hex(text.as_bytes())
}

/// Whether a Secret is as whoever wrote it left it: it is marked as managed, and its data is what its hash
/// says.
pub fn holds(secret: &Secret) -> bool {
    let metadata = &secret.metadata;
    let labels = metadata.labels.as_ref();
    let managed = labels.and_then(|labels| labels.get(label::MANAGED));
    let annotations = metadata.annotations.as_ref();
    let hash = annotations.and_then(|annotations| annotations.get(annotation::DATA_HASH));
    let items = secret.data.iter().flatten();
    let data = items
        .map(|(key, value)| (key.clone(), value.0.as_slice()))
        .collect();
    managed.is_some_and(|managed| managed == label::MANAGED_VALUE)
        && hash.is_some_and(|hash| *hash == of_data::<&[u8]>(&data))
}

/// Field `syncedResourceVersion` of a status: the generation, and the labels and annotations that the
/// object had when it was refreshed. Another one is a reason to refresh.
pub fn of_version(metadata: &ObjectMeta) -> String {
    let mut text = String::from("{annotations:");
    map(&mut text, metadata.annotations.as_ref());
    text.push_str(" labels:");
    map(&mut text, metadata.labels.as_ref());
    text.push('}');
    let generation = metadata.generation.unwrap_or_default();
    format!("{generation}-{}", hex(text.as_bytes()))
}

/// Label `reconcile.external-secrets.io/created-by` of a target that is owned.
pub fn of_creator(namespace: &str, name: &str) -> String {
    hex(format!("{namespace}/{name}").as_bytes())
}

/// The field manager under which an ExternalSecret of this name writes.
pub fn field_manager(name: &str) -> String {
    let manager = format!("{MANAGER}{name}");
    if manager.len() <= LONGEST_MANAGER {
        return manager;
    }
    format!("{MANAGER}sha3/{}", hex(name.as_bytes()))
}

/// A number from 0 up to 1 that is another for every text, and always the same for one.
pub(super) fn spread(text: &str) -> f64 {
    let digest = Sha3_224::digest(text.as_bytes());
    let first = digest
        .iter()
        .take(4)
        .fold(0, |number, byte| number << 8 | u32::from(*byte));
    f64::from(first) / (f64::from(u32::MAX) + 1.0)
}

fn map(text: &mut String, entries: Option<&BTreeMap<String, String>>) {
    text.push_str("map[");
    for (position, (key, value)) in entries.into_iter().flatten().enumerate() {
        if position > 0 {
            text.push(' ');
        }
        text.push_str(key);
        text.push(':');
        text.push_str(value);
    }
    text.push(']');
}

/// A byte in decimal; `write!` would cost most of the time of a hash.
fn decimal(text: &mut String, byte: u8) {
    for (least, place) in [(100, 100), (10, 10), (0, 1)] {
        if byte >= least {
            text.push(char::from(b'0' + byte / place % 10));
        }
    }
}

fn hex(text: &[u8]) -> String {
    let digest = Sha3_224::digest(text);
    digest.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn data(items: &[(&str, &[u8])]) -> BTreeMap<String, Vec<u8>> {
        let owned = |(key, value): &(&str, &[u8])| ((*key).to_owned(), value.to_vec());
        items.iter().map(owned).collect()
    }

    #[test]
    fn data_is_hashed_as_go_prints_it() {
        let both = data(&[("k2", &[1]), ("k1", &[98, 97])]);
        assert_eq!(of_data(&both), hex(b"map[k1:[98 97] k2:[1]]"));
        assert_eq!(of_data(&data(&[])), hex(b"map[]"));
        assert_eq!(of_data(&data(&[("a", &[])])), hex(b"map[a:[]]"));
    }

    #[test]
    fn every_byte_is_written_in_decimal() {
        for byte in 0..=255 {
            let mut text = String::new();
            decimal(&mut text, byte);
            assert_eq!(text, byte.to_string());
        }
    }

    #[test]
    fn the_digest_is_sha3_224() {
        let empty = "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7";
        assert_eq!(hex(b""), empty);
    }

    #[test]
    fn a_version_changes_with_generation_labels_and_annotations() {
        let entry = |key: &str| Some(BTreeMap::from([(key.to_owned(), "v".to_owned())]));
        let plain = ObjectMeta {
            generation: Some(3),
            ..ObjectMeta::default()
        };
        let expected = format!("3-{}", hex(b"{annotations:map[] labels:map[]}"));
        assert_eq!(of_version(&plain), expected);
        let labelled = ObjectMeta {
            labels: entry("l"),
            annotations: entry("a"),
            ..plain.clone()
        };
        let expected = format!("3-{}", hex(b"{annotations:map[a:v] labels:map[l:v]}"));
        assert_eq!(of_version(&labelled), expected);
    }

    #[test]
    fn issue_2682_the_name_of_a_field_manager_is_hashed_from_28_characters_on() {
        assert_eq!(
            field_manager(&"n".repeat(27)),
            format!("{MANAGER}{}", "n".repeat(27))
        );
        let long = "n".repeat(28);
        assert_eq!(
            field_manager(&long),
            format!("{MANAGER}sha3/{}", hex(long.as_bytes()))
        );
    }
}
