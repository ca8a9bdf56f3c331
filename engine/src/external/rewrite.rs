//! Changes to the keys of what an entry of `dataFrom` brings.

use std::collections::BTreeMap;

use signet_crds::external::external_secret::{
    ConflictPolicy, Merge, MergeStrategy, PriorityPolicy, RegexpRewrite, Rewrite, TransformRewrite,
};
use signet_documents::go_regex::{GoRegexError, GoReplace};
use signet_keys::Plaintext;
use zeroize::Zeroizing;

use super::convert::{self, KeyError};
use super::gjson::{self, Members};
use super::normal;
use super::press::{Press, TemplateError};

/// Longest key on the way; a Secret takes much less.
const LONGEST_KEY: usize = 64 << 10;

/// Why keys cannot be changed so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The pattern is none.
    #[error("source {0}")]
    Pattern(#[from] GoRegexError),
    /// A key becomes too long.
    #[error("a key becomes longer than 64 KiB")]
    TooLong,
    /// Two keys become one.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The template cannot be followed.
    #[error("template of `{key}`: {error}")]
    Template {
        /// The key.
        key: String,
        /// Why.
        error: TemplateError,
    },
    /// What is to be merged is not there.
    #[error("priority names `{0}`, which is not there; priorityPolicy IgnoreNotFound would go on")]
    NoPriority(String),
    /// What is to be merged is no object.
    #[error("the value of `{0}` is not a JSON object, so it cannot be merged")]
    NotAnObject(String),
    /// Two values have the same property.
    #[error(
        "`{first}` and `{second}` both have the property `{property}`; conflictPolicy Ignore would take that of `{second}`"
    )]
    Conflict {
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// What both have.
        property: String,
    },
    /// Where the result goes is not said.
    #[error("strategy JSON needs `into`, the key of the result")]
    NoInto,
}

/// Applies changes, one after the other. In an error, the position of the change.
pub(super) fn apply(
    rewrites: &[Rewrite],
    mut entries: BTreeMap<String, Plaintext>,
    press: &mut dyn Press,
) -> Result<BTreeMap<String, Plaintext>, (usize, RewriteError)> {
    for (index, rewrite) in rewrites.iter().enumerate() {
        let rewritten = match rewrite {
            Rewrite::Regexp(rewrite) => regexp(rewrite, entries),
            Rewrite::Transform(rewrite) => transform(rewrite, entries, press),
            Rewrite::Merge(rewrite) => merge(rewrite, entries),
        };
        entries = rewritten.map_err(|error| (index, error))?;
    }
    Ok(entries)
}

fn regexp(
    rewrite: &RegexpRewrite,
    entries: BTreeMap<String, Plaintext>,
) -> Result<BTreeMap<String, Plaintext>, RewriteError> {
    let replace = GoReplace::new(&rewrite.source, &rewrite.target)?;
    renamed(entries, |key| {
        let new = replace.replace_all(key, LONGEST_KEY);
        new.ok_or(RewriteError::TooLong)
    })
}

fn transform(
    rewrite: &TransformRewrite,
    entries: BTreeMap<String, Plaintext>,
    press: &mut dyn Press,
) -> Result<BTreeMap<String, Plaintext>, RewriteError> {
    renamed(entries, |key| {
        let value = Plaintext::new(key.as_bytes().to_vec());
        let data = BTreeMap::from([("value".to_owned(), value)]);
        let new = press.render("transform", &rewrite.template, &data);
        let new = new.map_err(|error| RewriteError::Template {
            key: key.to_owned(),
            error,
        })?;
        if new.len() > LONGEST_KEY {
            return Err(RewriteError::TooLong);
        }
        // Keys are not secret. What is no text cannot be a key, and is refused as one.
        Ok(String::from_utf8_lossy(new.expose()).into_owned())
    })
}

/// In the peer it is left to chance which of two keys that become one is kept.
fn renamed(
    entries: BTreeMap<String, Plaintext>,
    mut rename: impl FnMut(&str) -> Result<String, RewriteError>,
) -> Result<BTreeMap<String, Plaintext>, RewriteError> {
    let names = entries.keys().map(|key| Ok((key.clone(), rename(key)?)));
    let names: BTreeMap<String, String> = names.collect::<Result<_, RewriteError>>()?;
    let new = |key: &str| names.get(key).cloned().unwrap_or_default();
    Ok(convert::rename(entries, new)?)
}

fn merge(
    merge: &Merge,
    mut entries: BTreeMap<String, Plaintext>,
) -> Result<BTreeMap<String, Plaintext>, RewriteError> {
    let others = entries.keys().filter(|key| !merge.priority.contains(key));
    let order: Vec<_> = others.chain(&merge.priority).cloned().collect();
    let mut merged: BTreeMap<String, (String, Zeroizing<String>)> = BTreeMap::new();
    for key in order {
        let Some(value) = entries.get(&key) else {
            match merge.priority_policy {
                PriorityPolicy::Strict => return Err(RewriteError::NoPriority(key)),
                PriorityPolicy::IgnoreNotFound => continue,
            }
        };
        let object = gjson::object(value.expose());
        let object = object.ok_or_else(|| RewriteError::NotAnObject(key.clone()))?;
        for (name, value) in Members::of(object) {
            let property = gjson::text(name).to_owned();
            let value = (key.clone(), Zeroizing::new(value.to_owned()));
            let before = merged.insert(property.clone(), value);
            let from_another = before.filter(|(first, _)| *first != key);
            if let (Some((first, _)), ConflictPolicy::Error) = (from_another, merge.conflict_policy)
            {
                return Err(RewriteError::Conflict {
                    first,
                    second: key,
                    property,
                });
            }
        }
    }
    match merge.strategy {
        MergeStrategy::Extract => Ok(merged
            .into_iter()
            .map(|(property, (_, raw))| (property, plain(&raw)))
            .collect()),
        MergeStrategy::Json if merge.into.is_empty() => Err(RewriteError::NoInto),
        MergeStrategy::Json => {
            entries.insert(merge.into.clone(), as_json(&merged));
            Ok(entries)
        }
    }
}

/// A property as an item: a string without its quotes, all else as Go writes it.
fn plain(raw: &str) -> Plaintext {
    let text = if raw.starts_with(['{', '[']) {
        normal::json(raw, normal::Html::Escaped)
    } else {
        gjson::plain(raw)
    };
    Plaintext::new(text.as_bytes().to_vec())
}

fn as_json(merged: &BTreeMap<String, (String, Zeroizing<String>)>) -> Plaintext {
    let mut out = Zeroizing::new(String::from("{"));
    for (property, (_, raw)) in merged {
        if out.len() > 1 {
            out.push(',');
        }
        normal::quote(&mut out, property, normal::Html::Plain);
        out.push(':');
        out.push_str(&normal::json(raw, normal::Html::Plain));
    }
    out.push('}');
    Plaintext::new(out.as_bytes().to_vec())
}
