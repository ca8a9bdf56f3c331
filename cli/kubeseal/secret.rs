//! The Secrets that are to be sealed, as `kubeseal` reads them.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Map, Value};
use signet_documents::manifest::Resource;
use signet_documents::value::{ConvertError, to_json};
use signet_keys::Plaintext;
use signet_keys::sealed::{self, Base64Error};
use zeroize::{Zeroize as _, Zeroizing};

use crate::files::{Input, ReadError};
use crate::manifest::{Manifest, ManifestError, Place};
use crate::{Context, Hint};

use super::arrange::{ShapeError, Unknown, arrange};
use super::dispatch::Given;
use super::schema::SECRET;

/// One Secret.
#[derive(Debug)]
pub(super) struct InputSecret {
    /// Its metadata, arranged.
    pub(super) metadata: Map<String, Value>,
    /// Its type; empty when it names none.
    pub(super) type_: String,
    /// Whether it is immutable, if it says so.
    pub(super) immutable: Option<bool>,
    /// The values of `data` and `stringData`, decoded; the latter win.
    pub(super) items: BTreeMap<String, Plaintext>,
}

/// Why the input holds no Secrets. Values are never shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum SecretError {
    /// A value of `data` is not base64.
    #[error("{place}: data.{item} is {source}")]
    Base64 {
        place: Place,
        item: String,
        source: Base64Error,
    },
    /// It has no JSON form.
    #[error("{0}")]
    Convert(ConvertError),
    /// It is another kind of object.
    #[error("{place} is a {kind}, not a Secret")]
    Kind { place: Place, kind: String },
    /// Nothing that could be a Secret. The text is the peer's.
    #[error("no secrets found. Ensure the input is valid and UTF-8 encoded")]
    None { why: Option<String> },
    /// The input broke off.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A field is not what it must be.
    #[error("{place}: {source}")]
    Shape { place: Place, source: ShapeError },
}

impl Hint for SecretError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::None { why } => why.clone(),
            Self::Base64 { .. } => {
                Some("put plain text under stringData instead of data".to_owned())
            }
            Self::Kind { .. } => Some("give the Secrets in a file of their own".to_owned()),
            Self::Convert(_) | Self::Read(_) | Self::Shape { .. } => None,
        }
    }
}

/// The Secrets of all documents, those in lists included.
pub(super) fn read(given: Given, context: &mut Context) -> Result<Vec<InputSecret>, SecretError> {
    let input = given.input.clone();
    let bytes = given.read(context)?;
    parse(&input, bytes)
}

fn parse(input: &Input, bytes: Zeroizing<Vec<u8>>) -> Result<Vec<InputSecret>, SecretError> {
    let manifest = Manifest::parse(input, bytes).map_err(|error| SecretError::None {
        why: Some(why(&error)),
    })?;
    let resources: Vec<_> = manifest.resources().collect();
    let read: Vec<_> = resources
        .par_iter()
        .map(|resource| secret(&manifest, resource))
        .collect();
    // All are there before the first error is looked for: it must be the same one in every run.
    let read: Vec<_> = read.into_iter().collect::<Result<_, _>>()?;
    let secrets: Vec<_> = read.into_iter().flatten().collect();
    if secrets.is_empty() {
        return Err(SecretError::None { why: None });
    }
    Ok(secrets)
}

fn why(error: &ManifestError) -> String {
    let told = crate::error::chain(error);
    match error.hint() {
        Some(hint) => format!("{told}; {hint}"),
        None => told,
    }
}

/// Nothing for a document in which no field of a Secret is set, such as a remark of a template: the
/// peer passes over it. (A kind is not needed either.)
fn secret(
    manifest: &Manifest,
    resource: &Resource<'_>,
) -> Result<Option<InputSecret>, SecretError> {
    let value = Wiped(to_json(resource.node).map_err(SecretError::Convert)?);
    if !value.0.is_object() {
        return Ok(None);
    }
    let place = || manifest.place(resource);
    if let Some(kind) = value.0["kind"].as_str().filter(|kind| *kind != "Secret") {
        return Err(SecretError::Kind {
            place: place(),
            kind: kind.to_owned(),
        });
    }
    let arranged =
        arrange(&value.0, SECRET, Unknown::Drop).map_err(|source| SecretError::Shape {
            place: place(),
            source,
        })?;
    let arranged = Wiped(Value::Object(arranged));
    let fields = &arranged.0;
    let says_nothing = fields.as_object().is_some_and(|fields| {
        fields
            .iter()
            .all(|(name, value)| name == "metadata" && value.as_object().is_some_and(Map::is_empty))
    });
    if says_nothing {
        return Ok(None);
    }
    let items = items(fields).map_err(|(item, source)| SecretError::Base64 {
        place: place(),
        item,
        source,
    })?;
    Ok(Some(InputSecret {
        metadata: fields["metadata"].as_object().cloned().unwrap_or_default(),
        type_: fields["type"].as_str().unwrap_or_default().to_owned(),
        immutable: fields["immutable"].as_bool(),
        items,
    }))
}

fn items(secret: &Value) -> Result<BTreeMap<String, Plaintext>, (String, Base64Error)> {
    let texts = |field: &str| {
        let map = secret[field].as_object().into_iter().flatten();
        map.filter_map(|(item, value)| Some((item.clone(), value.as_str()?)))
    };
    let mut items = BTreeMap::new();
    for (item, text) in texts("data") {
        match sealed::decode(text) {
            Ok(bytes) => items.insert(item, Plaintext::new(bytes)),
            Err(error) => return Err((item, error)),
        };
    }
    items.extend(texts("stringData").map(|(item, text)| (item, Plaintext::new(text.into()))));
    Ok(items)
}

/// A value that may hold plaintext: its texts are wiped from memory when it is dropped.
pub(super) struct Wiped(pub(super) Value);

impl Drop for Wiped {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

fn wipe(value: &mut Value) {
    match value {
        Value::String(text) => text.zeroize(),
        Value::Array(items) => items.iter_mut().for_each(wipe),
        Value::Object(map) => map.values_mut().for_each(wipe),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn parsed(text: &[u8]) -> Result<Vec<InputSecret>, SecretError> {
        parse(&Input::Stdin, Zeroizing::new(text.to_vec()))
    }

    #[test]
    fn issue_104_string_data_wins_over_data() {
        let secrets = parsed(b"data: {a: MQ==, b: MQ==}\nstringData: {a: '2'}\n").unwrap();
        let values: Vec<_> = secrets[0].items.values().map(Plaintext::expose).collect();
        assert_eq!(values, [b"2", b"1"]);
    }

    #[test]
    fn lists_are_opened_and_other_kinds_refused_by_name() {
        let list = b"kind: List\napiVersion: v1\nitems:\n- {kind: Secret, data: {a: MQ==}}\n";
        assert_eq!(parsed(list).unwrap().len(), 1);
        let error = parsed(b"kind: ConfigMap\ndata: {a: b}\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "standard input, line 1 is a ConfigMap, not a Secret"
        );
    }

    #[test]
    fn what_says_nothing_is_passed_over() {
        let text = b"# a remark\n---\nfoo: bar\n---\njust text\n---\nmetadata: {name: x}\n";
        assert_eq!(parsed(text).unwrap().len(), 1);
        assert!(matches!(
            parsed(b"foo: bar\n").unwrap_err(),
            SecretError::None { why: None }
        ));
    }

    #[test]
    fn utf_16_is_told_below_the_words_that_scripts_know() {
        let wide: Vec<u8> = "\u{feff}kind: Secret\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let error = parsed(&wide).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no secrets found. Ensure the input is valid and UTF-8 encoded"
        );
        assert!(error.hint().unwrap().contains("UTF-16"));
    }

    #[test]
    fn a_value_that_is_not_base64_is_named_and_not_shown() {
        let error = parsed(b"data: {pw: canary!}\n").unwrap_err();
        let told = format!("{error} {error:?} {:?}", error.hint());
        assert!(told.contains("pw") && !told.contains("canary"), "{told}");
    }
}
