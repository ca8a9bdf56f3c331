//! PushSecrets: which values of the cluster are written to which stores, and which are taken back.

use std::collections::BTreeMap;

use serde_json::Value;
use signet_crds::external::external_secret::Rewrite;
use signet_crds::external::push_secret::{
    PushConversion, PushData, PushDataTo, PushDeletionPolicy, PushMatch, PushRemoteRef,
    PushRewrite, PushSecret, PushStoreRef, UpdatePolicy,
};
use signet_crds::external::refs::StoreRef;
use signet_documents::go_regex::{GoRegex, GoRegexError};
use signet_keys::Plaintext;

use super::answers::{Answers, Fetched};
use super::convert::{self, KeyError};
use super::press::Press;
use super::rewrite::{self, RewriteError};
use super::store::selects;
use super::template::{self, ShapeError};

mod options;
mod refresh;
mod status;

pub use options::OptionsError;
pub use refresh::{Refresh, decide};
pub use status::{Outcome, Recorded, after};

/// A store that may be written to: it exists, is ready and is this controller's.
#[derive(Debug, Clone, PartialEq)]
pub struct Store {
    /// Its kind and name.
    pub reference: StoreRef,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
}

/// One value to write.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// Where.
    pub store: StoreRef,
    /// What of the store, and which part of it.
    pub remote: PushRemoteRef,
    /// What is written.
    pub value: Fetched,
    /// Settings of the backend; null without any.
    pub options: Value,
    /// What is there already stays.
    pub only_if_absent: bool,
    /// For the status.
    pub entry: PushData,
}

/// One value to take back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removal {
    /// The store as the status names it: `Kind/Name`.
    pub store: String,
    /// The place as the status names it: `remoteKey` or `remoteKey/property`.
    pub place: String,
    /// Name of the secret in the store.
    pub key: String,
    /// The part of it.
    pub property: Option<String>,
}

/// What to do to the stores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Written first.
    pub writes: Vec<Write>,
    /// Then taken back.
    pub removals: Vec<Removal>,
}

/// Why nothing can be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PushError {
    /// A store that the resource names is not there.
    #[error("{kind} `{name}` is not there, or not ready")]
    NoStore {
        /// Its kind.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// An entry names a store that the resource does not.
    #[error("dataTo[{0}].storeRef is none of secretStoreRefs")]
    Unlisted(usize),
    /// The source has no such value.
    #[error("data[{index}]: the source has no key `{key}`")]
    NoKey {
        /// Which entry.
        index: usize,
        /// What it asks for.
        key: String,
    },
    /// Keys become one, or what no store takes.
    #[error("{entry}: {error}")]
    Key {
        /// Which entry.
        entry: String,
        /// Why.
        error: KeyError,
    },
    /// The pattern is none.
    #[error("dataTo[{0}].match.regexp: {1}")]
    Pattern(usize, GoRegexError),
    /// Keys cannot be changed so.
    #[error("dataTo[{0}].rewrite[{1}]: {2}")]
    Rewrite(usize, usize, RewriteError),
    /// Settings that are none.
    #[error("{entry}.metadata: {error}")]
    Options {
        /// Which entry.
        entry: String,
        /// Why.
        error: OptionsError,
    },
    /// Two entries write the same place.
    #[error("{first} and {second} both write `{place}`")]
    Twice {
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// What both write.
        place: String,
    },
    /// The template cannot be followed.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// What a source asks to be written, and what is not asked for any more.
///
/// `source` is what the Secret or generator has; `None` if the Secret that is named is gone: what was
/// written is taken back then. `stores` are all that may be written to, of the namespace and of the
/// cluster.
///
/// # Errors
/// An entry makes no sense. Nothing is written then.
pub fn plan(
    push: &PushSecret,
    source: Option<&BTreeMap<String, Plaintext>>,
    stores: &[Store],
    answers: &Answers,
    press: &mut dyn Press,
) -> Result<Plan, PushError> {
    let mut writes = BTreeMap::new();
    if let Some(source) = source {
        let values = match &push.spec.template {
            None => source.clone(),
            Some(template) => template::follow(template, source.clone(), answers, press)?.data,
        };
        let entries = entries(push, &values, press)?;
        for reference in &push.spec.secret_store_refs {
            for store in named(reference, stores)? {
                for entry in entries.iter().filter(|entry| entry.is_for(reference)) {
                    add(&mut writes, push, store, entry)?;
                }
            }
        }
    }
    let removals = match push.spec.deletion_policy {
        PushDeletionPolicy::None => Vec::new(),
        PushDeletionPolicy::Delete => removals(push, &writes),
    };
    let writes = writes.into_values().map(|(_, write)| write).collect();
    Ok(Plan { writes, removals })
}

/// All that was ever written, for a resource that goes away.
pub fn all_removals(push: &PushSecret) -> Vec<Removal> {
    match push.spec.deletion_policy {
        PushDeletionPolicy::None => Vec::new(),
        PushDeletionPolicy::Delete => removals(push, &Writes::new()),
    }
}

/// By the store and the place as the status names them; and where the entry stands.
type Writes = BTreeMap<(String, String), (String, Write)>;

/// An entry with its value.
struct Entry<'e> {
    place: String,
    /// Entries of `dataTo` are for one of the stores, those of `data` for all.
    store: Option<&'e PushStoreRef>,
    data: PushData,
    value: Fetched,
    options: Value,
}

impl Entry<'_> {
    fn is_for(&self, reference: &PushStoreRef) -> bool {
        self.store.is_none_or(|store| store == reference)
    }
}

fn entries<'e>(
    push: &'e PushSecret,
    values: &BTreeMap<String, Plaintext>,
    press: &mut dyn Press,
) -> Result<Vec<Entry<'e>>, PushError> {
    let mut entries = Vec::new();
    for (index, data_to) in push.spec.data_to.iter().enumerate() {
        let listed = push.spec.secret_store_refs.iter();
        let store = data_to.store_ref.as_ref();
        let listed = listed.into_iter().find(|listed| Some(*listed) == store);
        let store = listed.ok_or(PushError::Unlisted(index))?;
        all(index, data_to, store, values, press, &mut entries)?;
    }
    for (index, data) in push.spec.data.iter().enumerate() {
        entries.push(one(index, data, values)?);
    }
    Ok(entries)
}

/// An entry of `data`.
fn one<'e>(
    index: usize,
    data: &PushData,
    values: &BTreeMap<String, Plaintext>,
) -> Result<Entry<'e>, PushError> {
    let place = format!("data[{index}]");
    let values = reversed(&place, data.conversion_strategy, values)?;
    let value = match &data.match_.secret_key {
        None => Fetched::Fields(values),
        Some(key) => {
            let value = values.get(key).cloned();
            let key = key.clone();
            Fetched::Bytes(value.ok_or(PushError::NoKey { index, key })?)
        }
    };
    Ok(Entry {
        options: options(&place, data.metadata.as_deref())?,
        place,
        store: None,
        data: data.clone(),
        value,
    })
}

/// An entry of `dataTo`: as many as there are keys, or one of all.
fn all<'e>(
    index: usize,
    data_to: &'e PushDataTo,
    store: &'e PushStoreRef,
    values: &BTreeMap<String, Plaintext>,
    press: &mut dyn Press,
    entries: &mut Vec<Entry<'e>>,
) -> Result<(), PushError> {
    let place = format!("dataTo[{index}]");
    let options = options(&place, data_to.metadata.as_deref())?;
    let pattern = data_to
        .match_
        .as_ref()
        .and_then(|wanted| wanted.regexp.as_deref());
    let pattern = pattern.map(GoRegex::new).transpose();
    let pattern = pattern.map_err(|error| PushError::Pattern(index, error))?;
    let mut matching = reversed(&place, data_to.conversion_strategy, values)?;
    matching.retain(|key, _| pattern.as_ref().is_none_or(|pattern| pattern.is_match(key)));
    let entry = |remote_key: String, secret_key: Option<String>, value: Fetched| Entry {
        place: place.clone(),
        store: Some(store),
        data: PushData {
            match_: PushMatch {
                secret_key,
                remote_ref: PushRemoteRef {
                    remote_key,
                    property: None,
                },
            },
            metadata: data_to.metadata.clone(),
            conversion_strategy: data_to.conversion_strategy,
        },
        value,
        options: options.clone(),
    };
    if let Some(bundle) = &data_to.remote_key {
        if !matching.is_empty() {
            entries.push(entry(bundle.clone(), None, Fetched::Fields(matching)));
        }
        return Ok(());
    }
    let change = |rewrite: &PushRewrite| match rewrite {
        PushRewrite::Regexp(rewrite) => Rewrite::Regexp(rewrite.clone()),
        PushRewrite::Transform(rewrite) => Rewrite::Transform(rewrite.clone()),
    };
    let rewrites: Vec<_> = data_to.rewrite.iter().map(change).collect();
    // The names stand in for the values, to tell afterwards which was which.
    let names = matching
        .keys()
        .map(|key| (key.clone(), Plaintext::new(key.clone().into())));
    let renamed = rewrite::apply(&rewrites, names.collect(), press);
    let renamed = renamed.map_err(|(at, error)| PushError::Rewrite(index, at, error))?;
    for (remote_key, name) in renamed {
        let name = String::from_utf8_lossy(name.expose()).into_owned();
        if let Some(value) = matching.remove(&name) {
            entries.push(entry(remote_key, Some(name), Fetched::Bytes(value)));
        }
    }
    Ok(())
}

fn reversed(
    place: &str,
    conversion: PushConversion,
    values: &BTreeMap<String, Plaintext>,
) -> Result<BTreeMap<String, Plaintext>, PushError> {
    match conversion {
        PushConversion::None => Ok(values.clone()),
        PushConversion::ReverseUnicode => convert::rename(values.clone(), convert::reversed)
            .map_err(|error| PushError::Key {
                entry: place.to_owned(),
                error,
            }),
    }
}

fn options(place: &str, metadata: Option<&Value>) -> Result<Value, PushError> {
    options::read(metadata).map_err(|error| PushError::Options {
        entry: place.to_owned(),
        error,
    })
}

/// The stores that a reference means.
fn named<'s>(reference: &PushStoreRef, stores: &'s [Store]) -> Result<Vec<&'s Store>, PushError> {
    let of_kind = stores
        .iter()
        .filter(|store| store.reference.kind == reference.kind);
    if let Some(name) = &reference.name {
        let store = of_kind
            .into_iter()
            .find(|store| store.reference.name == *name);
        let missing = || PushError::NoStore {
            kind: reference.kind.as_str(),
            name: name.clone(),
        };
        return Ok(vec![store.ok_or_else(missing)?]);
    }
    let selector = reference.label_selector.as_ref();
    let fits = |store: &&Store| selector.is_some_and(|selector| selects(selector, &store.labels));
    Ok(of_kind.filter(fits).collect())
}

/// What `data` says counts more than what `dataTo` says.
fn add(
    writes: &mut Writes,
    push: &PushSecret,
    store: &Store,
    entry: &Entry<'_>,
) -> Result<(), PushError> {
    let remote = entry.data.match_.remote_ref.clone();
    let write = Write {
        store: store.reference.clone(),
        remote,
        value: entry.value.clone(),
        options: entry.options.clone(),
        only_if_absent: push.spec.update_policy == UpdatePolicy::IfNotExists,
        entry: entry.data.clone(),
    };
    let key = (store_name(&store.reference), place_name(&write.remote));
    match writes.get(&key) {
        Some((first, _)) if *first != entry.place && entry.store.is_some() => {
            Err(PushError::Twice {
                first: first.clone(),
                second: entry.place.clone(),
                place: key.1,
            })
        }
        Some((first, _)) if first.starts_with("data[") && *first != entry.place => {
            Err(PushError::Twice {
                first: first.clone(),
                second: entry.place.clone(),
                place: key.1,
            })
        }
        _ => {
            writes.insert(key, (entry.place.clone(), write));
            Ok(())
        }
    }
}

/// What the status has and nobody asks for now.
fn removals(push: &PushSecret, writes: &Writes) -> Vec<Removal> {
    let status = push.status.as_ref();
    let stores = status
        .into_iter()
        .flat_map(|status| &status.synced_push_secrets);
    let places = stores.flat_map(|(store, places)| places.iter().map(move |place| (store, place)));
    let stale = places
        .filter(|(store, (place, _))| !writes.contains_key(&((*store).clone(), (*place).clone())));
    stale
        .map(|(store, (place, data))| Removal {
            store: store.clone(),
            place: place.clone(),
            key: data.match_.remote_ref.remote_key.clone(),
            property: data.match_.remote_ref.property.clone(),
        })
        .collect()
}

/// A store as the status names it.
pub(super) fn store_name(store: &StoreRef) -> String {
    format!("{}/{}", store.kind, store.name)
}

/// A place as the status names it.
pub(super) fn place_name(remote: &PushRemoteRef) -> String {
    match &remote.property {
        Some(property) => format!("{}/{property}", remote.remote_key),
        None => remote.remote_key.clone(),
    }
}

#[cfg(test)]
mod tests;
