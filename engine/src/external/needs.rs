//! What an ExternalSecret needs to know before its Secret can be made.

use std::collections::{BTreeMap, BTreeSet};

use signet_crds::external::external_secret::{
    DataFrom, ExternalSecret, Find as FindSpec, MetadataPolicy, RemoteRef,
};
use signet_crds::external::refs::{SourceRef, StoreRef};

/// Everything that is asked for, each thing once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Values of stores.
    pub reads: BTreeSet<Read>,
    /// Searches in stores.
    pub finds: BTreeSet<Find>,
    /// Generators to run, each for its own entry.
    pub generated: BTreeSet<Generated>,
    /// Objects of the same namespace that hold templates.
    pub sources: BTreeSet<Source>,
}

/// A value of a store, as a whole: properties are taken out of it later, so that they share the read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Read {
    /// The store.
    pub store: StoreRef,
    /// What the store calls it.
    pub key: String,
    /// The version; the newest without one.
    pub version: Option<String>,
    /// Whether tags and dates are asked for in place of the value.
    pub metadata: bool,
}

/// A search in a store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Find {
    /// The store.
    pub store: StoreRef,
    /// Where to search.
    pub path: Option<String>,
    /// A regular expression of Go on the name.
    pub name: Option<String>,
    /// Tags with these values.
    pub tags: BTreeMap<String, String>,
}

/// A generator to run for one entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generated {
    /// Position of the entry in `dataFrom`. The state of a generator is remembered by it.
    pub index: usize,
    /// `apiVersion` of the generator.
    pub api_version: String,
    /// Kind of the generator.
    pub kind: String,
    /// Name of the generator.
    pub name: String,
}

/// An object that holds templates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    /// Its kind.
    pub kind: SourceKind,
    /// Its name.
    pub name: String,
}

/// Kind of an object that holds templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// A ConfigMap.
    ConfigMap,
    /// A Secret.
    Secret,
}

/// Why nothing can be asked: the resource makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Neither the entry nor the resource names a store.
    #[error("{entry} names no store, and there is no secretStoreRef for all entries")]
    NoStore {
        /// Where it stands.
        entry: String,
    },
    /// An entry says nothing, or several things at once.
    #[error("{entry} must have exactly one of extract, find and sourceRef.generatorRef")]
    NotOne {
        /// Where it stands.
        entry: String,
    },
    /// A generator for a single item.
    #[error("{entry} takes a value from a generator, which only dataFrom can; move it there")]
    GeneratorForItem {
        /// Where it stands.
        entry: String,
    },
    /// There is nothing to read.
    #[error("neither data nor dataFrom says what to read")]
    Nothing,
}

/// What an ExternalSecret needs.
///
/// # Errors
/// It makes no sense.
pub fn of(external: &ExternalSecret) -> Result<Needs, SpecError> {
    let spec = &external.spec;
    if spec.data.is_empty() && spec.data_from.is_empty() {
        return Err(SpecError::Nothing);
    }
    let mut needs = Needs::default();
    for (index, entry) in spec.data_from.iter().enumerate() {
        match Entry::of(external, index, entry)? {
            Entry::Extract(read, _) => drop(needs.reads.insert(read)),
            Entry::Find(find, _) => drop(needs.finds.insert(find)),
            Entry::Generated(generated) => drop(needs.generated.insert(generated)),
        }
    }
    for index in 0..spec.data.len() {
        needs.reads.insert(item(external, index)?);
    }
    let template = spec.target.template.iter();
    for from in template.flat_map(|template| &template.template_from) {
        let mut source = |kind, name: &str| {
            let name = name.to_owned();
            needs.sources.insert(Source { kind, name });
        };
        if let Some(map) = &from.config_map {
            source(SourceKind::ConfigMap, &map.name);
        }
        if let Some(secret) = &from.secret {
            source(SourceKind::Secret, &secret.name);
        }
    }
    Ok(needs)
}

/// What an entry of `dataFrom` asks for.
pub(super) enum Entry<'e> {
    Extract(Read, &'e RemoteRef),
    Find(Find, &'e FindSpec),
    Generated(Generated),
}

impl<'e> Entry<'e> {
    pub(super) fn of(
        external: &ExternalSecret,
        index: usize,
        entry: &'e DataFrom,
    ) -> Result<Self, SpecError> {
        let place = || format!("dataFrom[{index}]");
        let source = entry.source_ref.as_ref();
        match (&entry.extract, &entry.find, source) {
            (None, None, Some(SourceRef::Generator(reference))) => Ok(Self::Generated(Generated {
                index,
                api_version: reference.api_version().to_owned(),
                kind: reference.kind.clone(),
                name: reference.name.clone(),
            })),
            (_, _, Some(SourceRef::Generator(_))) | (None, None, _) | (Some(_), Some(_), _) => {
                Err(SpecError::NotOne { entry: place() })
            }
            (Some(extract), None, _) => {
                let store = store(external, source, place)?;
                Ok(Self::Extract(read(store, extract), extract))
            }
            (None, Some(find), _) => {
                let find_of = Find {
                    store: store(external, source, place)?,
                    path: find.path.clone().filter(|path| !path.is_empty()),
                    name: find.name.as_ref().map(|name| name.regexp.clone()),
                    tags: find.tags.clone(),
                };
                Ok(Self::Find(find_of, find))
            }
        }
    }
}

/// The read for an entry of `data`.
pub(super) fn item(external: &ExternalSecret, index: usize) -> Result<Read, SpecError> {
    let data = &external.spec.data[index];
    let place = || format!("data[{index}] ({})", data.secret_key);
    if matches!(data.source_ref, Some(SourceRef::Generator(_))) {
        return Err(SpecError::GeneratorForItem { entry: place() });
    }
    let store = store(external, data.source_ref.as_ref(), place)?;
    Ok(read(store, &data.remote_ref))
}

fn store(
    external: &ExternalSecret,
    own: Option<&SourceRef>,
    place: impl Fn() -> String,
) -> Result<StoreRef, SpecError> {
    let own = own.and_then(|source| match source {
        SourceRef::Store(store) => Some(store),
        SourceRef::Generator(_) => None,
    });
    let store = own.or(external.spec.secret_store_ref.as_ref());
    let store = store.filter(|store| !store.name.is_empty());
    store
        .cloned()
        .ok_or_else(|| SpecError::NoStore { entry: place() })
}

fn read(store: StoreRef, remote: &RemoteRef) -> Read {
    Read {
        store,
        key: remote.key.clone(),
        version: remote.version.clone(),
        metadata: remote.metadata_policy == MetadataPolicy::Fetch,
    }
}

#[cfg(test)]
mod tests;
