//! The items of a Secret, from what was answered.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use signet_crds::external::external_secret::{
    ConversionStrategy, DataFrom, DecodingStrategy, DeletionPolicy, ExternalSecret, NullBytePolicy,
};
use signet_crds::external::refs::StoreRef;
use signet_keys::Plaintext;

use super::answers::{Answers, Failure, Fetched};
use super::convert::{self, KeyError};
use super::decode::{self, DecodeError};
use super::needs::{self, Entry, Find, Read, SpecError};
use super::press::Press;
use super::property::{self, PropertyError};
use super::rewrite::{self, RewriteError};

/// Items, and what is missing of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assembled {
    /// The items.
    pub data: BTreeMap<String, Plaintext>,
    /// What the stores do not have and the deletion policy goes without.
    pub missing: Vec<Missing>,
}

/// Something that a store does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Which entry asks for it.
    pub place: Place,
    /// What it asks for.
    pub asked: Asked,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.asked, self.place)
    }
}

/// Where an entry stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In `data`.
    Data {
        /// Its position.
        index: usize,
        /// Key of the item.
        key: String,
    },
    /// In `dataFrom`.
    DataFrom {
        /// Its position.
        index: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data { index, key } => write!(f, "data[{index}] (key `{key}`)"),
            Self::DataFrom { index } => write!(f, "dataFrom[{index}]"),
        }
    }
}

/// What an entry asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// A value of a store.
    Read(Read),
    /// A search in a store.
    Find(Find),
    /// A generator: its kind and name.
    Generator(String, String),
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(read) => {
                write!(f, "`{}`", read.key)?;
                if let Some(version) = &read.version {
                    write!(f, " in version `{version}`")?;
                }
                write!(f, " in {}", Store(&read.store))
            }
            Self::Find(find) => {
                f.write_str("the search")?;
                if let Some(name) = &find.name {
                    write!(f, " for `{name}`")?;
                }
                write!(f, " in {}", Store(&find.store))
            }
            Self::Generator(kind, name) => write!(f, "{kind} `{name}`"),
        }
    }
}

struct Store<'s>(&'s StoreRef);

impl fmt::Display for Store<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.0.kind, self.0.name)
    }
}

/// Why there are no items: one entry is enough, since half a Secret would be worse than the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssembleError {
    /// Which entry.
    pub place: Place,
    /// What it asks for.
    pub asked: Asked,
    /// Why.
    pub cause: AssembleCause,
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssembleCause {
    /// It is gone.
    #[error(
        "there is no such secret or version; with deletionPolicy Delete or Merge the item would go too"
    )]
    Missing,
    /// It was not answered.
    #[error("{message}")]
    Failed {
        /// Why.
        message: String,
        /// Whether another attempt may end otherwise.
        transient: bool,
        /// After how long to come again.
        retry_after: Option<Duration>,
    },
    /// Nobody asked.
    #[error("it was not asked for")]
    NotAsked,
    /// What is answered has no such part.
    #[error("{0}; {hint}", hint = .0.hint())]
    Property(PropertyError),
    /// It is encoded otherwise.
    #[error("{name}{0}", name = of(.1.as_ref()))]
    Decode(DecodeError, Option<String>),
    /// It cannot be an item.
    #[error(transparent)]
    Key(KeyError),
    /// Its keys cannot be changed so.
    #[error("rewrite[{0}]: {1}")]
    Rewrite(usize, RewriteError),
}

fn of(name: Option<&String>) -> String {
    name.map(|name| format!("`{name}`: ")).unwrap_or_default()
}

impl fmt::Display for AssembleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.asked, self.cause)
    }
}

impl std::error::Error for AssembleError {}

/// Why there are no items.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ItemsError {
    /// The resource makes no sense.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An entry is not answered, or with what it cannot use.
    #[error(transparent)]
    Entry(#[from] Box<AssembleError>),
}

/// Puts the items together: `dataFrom` in its order, then `data`; of two with one key the later counts.
///
/// # Errors
/// Any entry cannot be had, unless it is gone and the deletion policy goes without.
pub fn assemble(
    external: &ExternalSecret,
    answers: &Answers,
    press: &mut dyn Press,
) -> Result<Assembled, ItemsError> {
    let mut out = Assembled::default();
    let spec = &external.spec;
    for (index, entry) in spec.data_from.iter().enumerate() {
        let place = Place::DataFrom { index };
        let asked = Entry::of(external, index, entry)?;
        let items = several(&asked, entry, answers, press);
        if let Some(items) = out.take(external, place, || asked.asked(), items)? {
            out.data.extend(items);
        }
    }
    for (index, entry) in spec.data.iter().enumerate() {
        let key = entry.secret_key.clone();
        let place = Place::Data {
            index,
            key: key.clone(),
        };
        let read = needs::item(external, index)?;
        let remote = &entry.remote_ref;
        let value = answer(answers.reads.get(&read)).and_then(|value| {
            convert::check_key(&key).map_err(AssembleCause::Key)?;
            let value = property::of(value, remote.property.as_deref());
            let value = value.map_err(AssembleCause::Property)?;
            decoded(value, remote.decoding_strategy, remote.null_byte_policy)
                .map_err(|error| AssembleCause::Decode(error, None))
        });
        if let Some(value) = out.take(external, place, || Asked::Read(read), value)? {
            out.data.insert(key, value);
        }
    }
    Ok(out)
}

impl Assembled {
    /// What an entry brought; nothing if it is missing and may be.
    fn take<T>(
        &mut self,
        external: &ExternalSecret,
        place: Place,
        asked: impl FnOnce() -> Asked,
        result: Result<T, AssembleCause>,
    ) -> Result<Option<T>, Box<AssembleError>> {
        let goes_without = external.spec.target.deletion_policy != DeletionPolicy::Retain;
        match result {
            Ok(items) => Ok(Some(items)),
            Err(AssembleCause::Missing) if goes_without => {
                let asked = asked();
                self.missing.push(Missing { place, asked });
                Ok(None)
            }
            Err(cause) => Err(Box::new(AssembleError {
                place,
                asked: asked(),
                cause,
            })),
        }
    }
}

impl Entry<'_> {
    fn asked(&self) -> Asked {
        match self {
            Self::Extract(read, _) => Asked::Read(read.clone()),
            Self::Find(find, _) => Asked::Find(find.clone()),
            Self::Generated(generated) => {
                Asked::Generator(generated.kind.clone(), generated.name.clone())
            }
        }
    }
}

/// The items of an entry of `dataFrom`.
fn several(
    asked: &Entry<'_>,
    entry: &DataFrom,
    answers: &Answers,
    press: &mut dyn Press,
) -> Result<BTreeMap<String, Plaintext>, AssembleCause> {
    let (items, how) = match asked {
        Entry::Extract(read, extract) => {
            let value = answer(answers.reads.get(read))?;
            let items = property::all(value, extract.property.as_deref());
            let how = (
                extract.conversion_strategy,
                extract.decoding_strategy,
                extract.null_byte_policy,
            );
            (items.map_err(AssembleCause::Property)?, how)
        }
        Entry::Find(find, spec) => {
            let found = answer(answers.finds.get(find))?;
            let whole = |(name, value): (&String, &Fetched)| {
                let value = property::of(value, None).map_err(AssembleCause::Property)?;
                Ok((name.clone(), value))
            };
            let items = found
                .iter()
                .map(whole)
                .collect::<Result<_, AssembleCause>>()?;
            let how = (
                spec.conversion_strategy,
                spec.decoding_strategy,
                spec.null_byte_policy,
            );
            (items, how)
        }
        Entry::Generated(generated) => {
            let items = answer(answers.generated.get(&generated.index))?;
            (items.clone(), Default::default())
        }
    };
    finished(items, entry, how, press)
}

type How = (ConversionStrategy, DecodingStrategy, NullBytePolicy);

/// Keys are rewritten or converted, then checked; then values are decoded.
fn finished(
    items: BTreeMap<String, Plaintext>,
    entry: &DataFrom,
    (conversion, decoding, null_bytes): How,
    press: &mut dyn Press,
) -> Result<BTreeMap<String, Plaintext>, AssembleCause> {
    let mut items = if entry.rewrite.is_empty() {
        convert::convert(conversion, items).map_err(AssembleCause::Key)?
    } else {
        let rewritten = rewrite::apply(&entry.rewrite, items, press);
        rewritten.map_err(|(index, error)| AssembleCause::Rewrite(index, error))?
    };
    convert::check(&mut items).map_err(AssembleCause::Key)?;
    let decode = |(key, value): (String, Plaintext)| match decoded(value, decoding, null_bytes) {
        Ok(value) => Ok((key, value)),
        Err(error) => Err(AssembleCause::Decode(error, Some(key))),
    };
    items.into_iter().map(decode).collect()
}

fn decoded(
    value: Plaintext,
    decoding: DecodingStrategy,
    null_bytes: NullBytePolicy,
) -> Result<Plaintext, DecodeError> {
    let value = decode::decode(value, decoding)?;
    decode::check_null_bytes(&value, null_bytes)?;
    Ok(value)
}

fn answer<T>(answer: Option<&Result<T, Failure>>) -> Result<&T, AssembleCause> {
    match answer {
        Some(Ok(value)) => Ok(value),
        Some(Err(Failure::Missing)) => Err(AssembleCause::Missing),
        Some(Err(Failure::Failed {
            message,
            transient,
            retry_after,
        })) => Err(AssembleCause::Failed {
            message: message.clone(),
            transient: *transient,
            retry_after: *retry_after,
        }),
        None => Err(AssembleCause::NotAsked),
    }
}

#[cfg(test)]
mod tests;
