//! Which part of a value a `property` means. One rule for all backends: the key that it names literally,
//! and only if there is none, the path that it describes in the language of gjson.

use std::collections::BTreeMap;

use signet_keys::Plaintext;
use zeroize::Zeroizing;

use super::answers::Fetched;
use super::gjson::{self, GetError, Members};

/// Why a value has no such part. What the value is does not show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PropertyError {
    /// The value is there, the part is not.
    #[error("it has no property `{0}`")]
    Missing(String),
    /// A property is asked for of what has none.
    #[error("it is not JSON, so it has no property `{0}`")]
    NotJson(String),
    /// All properties are asked for.
    #[error("it is not a JSON object, so there are no properties to extract")]
    NotAnObject,
    /// A path that copies what it finds too often.
    #[error("the path `{0}` is too long or asks for too much")]
    TooMuch(String),
    /// Several values are asked for as one text.
    #[error("its item `{0}` is not text, so it cannot be part of JSON; ask for the item itself")]
    NotText(String),
}

impl PropertyError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing(_) | Self::TooMuch(_) => {
                "`property` is a key, or a path such as `db.hosts.0`; a dot of a key is written `\\.` in a path"
            }
            Self::NotJson(_) => "leave `property` out to get the value as a whole",
            Self::NotAnObject => "use `data` to get the value as a whole",
            Self::NotText(_) => "name the item as `property`",
        }
    }
}

/// The part of a value that a property means, or the value as a whole.
///
/// # Errors
/// There is no such part.
pub fn of(value: &Fetched, property: Option<&str>) -> Result<Plaintext, PropertyError> {
    match (value, property) {
        (Fetched::Bytes(bytes), None) => Ok(bytes.clone()),
        (Fetched::Fields(fields), None) => as_json(fields),
        (Fetched::Bytes(bytes), Some(property)) => in_json(bytes, property, property),
        (Fetched::Fields(fields), Some(property)) => in_fields(fields, property),
    }
}

/// All properties of a value, or of a part of it.
///
/// # Errors
/// There is no such part, or it is no object.
pub fn all(
    value: &Fetched,
    property: Option<&str>,
) -> Result<BTreeMap<String, Plaintext>, PropertyError> {
    if let (Fetched::Fields(fields), None) = (value, property) {
        return Ok(fields.clone());
    }
    let object = of(value, property)?;
    let object = json(&object).filter(|json| json.trim_start().starts_with('{'));
    let object = object.ok_or(PropertyError::NotAnObject)?;
    Ok(Members::of(object)
        .map(|(key, value)| (gjson::text(key).to_owned(), plain(value)))
        .collect())
}

/// Text that is JSON.
fn json(value: &Plaintext) -> Option<&str> {
    let text = std::str::from_utf8(value.expose()).ok()?;
    gjson::is_valid(text).then_some(text)
}

fn in_json(value: &Plaintext, property: &str, shown: &str) -> Result<Plaintext, PropertyError> {
    let named = || property_name(shown);
    let Some(text) = json(value) else {
        let lines = std::str::from_utf8(value.expose()).ok();
        let lines = lines.filter(|_| property.starts_with(".."));
        let found = lines.map(|text| gjson::get(text, property));
        return match found {
            Some(Ok(found)) => Ok(wrap(&found.text())),
            Some(Err(GetError::Missing)) => Err(PropertyError::Missing(named())),
            _ => Err(PropertyError::NotJson(named())),
        };
    };
    let literal = Members::of(text).find(|(key, _)| *gjson::text(key) == *property);
    if let Some((_, value)) = literal {
        return Ok(plain(value));
    }
    match gjson::get(text, property) {
        Ok(found) => Ok(wrap(&found.text())),
        Err(GetError::Missing) => Err(PropertyError::Missing(named())),
        Err(GetError::NotJson) => Err(PropertyError::NotJson(named())),
        Err(GetError::TooMuch) => Err(PropertyError::TooMuch(named())),
    }
}

/// An item, or a path into the JSON of an item: `item.path`. Of several such items the longest name
/// counts, as names may have dots in them.
fn in_fields(
    fields: &BTreeMap<String, Plaintext>,
    property: &str,
) -> Result<Plaintext, PropertyError> {
    if let Some(value) = fields.get(property) {
        return Ok(value.clone());
    }
    for (dot, _) in property.rmatch_indices('.') {
        if let Some(value) = fields.get(&property[..dot]) {
            return in_json(value, &property[dot + 1..], property);
        }
    }
    Err(PropertyError::Missing(property_name(property)))
}

/// An object of strings, as Go writes it.
fn as_json(fields: &BTreeMap<String, Plaintext>) -> Result<Plaintext, PropertyError> {
    let mut out = Zeroizing::new(String::from("{"));
    for (key, value) in fields {
        let text = std::str::from_utf8(value.expose());
        let text = text.map_err(|_| PropertyError::NotText(key.clone()))?;
        if out.len() > 1 {
            out.push(',');
        }
        gjson::quote(&mut out, key);
        out.push(':');
        gjson::quote(&mut out, text);
    }
    out.push('}');
    Ok(wrap(&out))
}

fn plain(raw: &str) -> Plaintext {
    wrap(&gjson::plain(raw))
}

fn wrap(text: &str) -> Plaintext {
    Plaintext::new(text.as_bytes().to_vec())
}

/// For a message: properties are not secret, but may be long.
fn property_name(property: &str) -> String {
    const LONGEST: usize = 200;
    match property.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &property[..end]),
        None => property.to_owned(),
    }
}

#[cfg(test)]
mod tests;
