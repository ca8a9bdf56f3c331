//! Names of a store as keys of a Secret.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use signet_crds::external::external_secret::ConversionStrategy;
use signet_keys::Plaintext;

/// Longest key of a Secret.
const LONGEST: usize = 253;

/// Why names cannot be keys of a Secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Two names become one.
    #[error("`{first}` and `{second}` both become the key `{key}`")]
    Collision {
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// What they become.
        key: String,
    },
    /// A character that keys do not have.
    #[error(
        "`{key}` cannot be a key of a Secret because of `{character}`: only letters of ASCII, digits, `-`, `.` and `_` can"
    )]
    Character {
        /// The key.
        key: String,
        /// The first such character.
        character: char,
    },
    /// Too long.
    #[error("the key that begins with `{start}` has {length} characters, and a Secret takes 253")]
    Length {
        /// How it begins.
        start: String,
        /// How long it is, in bytes.
        length: usize,
    },
    /// A name that means a folder.
    #[error("`{0}` cannot be a key of a Secret, since it means a folder")]
    Folder(String),
}

/// Gives every entry a key that a Secret can have.
///
/// # Errors
/// Two names become the same key.
pub fn convert(
    strategy: ConversionStrategy,
    entries: BTreeMap<String, Plaintext>,
) -> Result<BTreeMap<String, Plaintext>, KeyError> {
    rename(entries, |name| converted(strategy, name))
}

/// Gives every entry another key.
///
/// # Errors
/// Two names become the same key.
pub(super) fn rename(
    entries: BTreeMap<String, Plaintext>,
    key: impl Fn(&str) -> String,
) -> Result<BTreeMap<String, Plaintext>, KeyError> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for (name, value) in entries {
        let key = key(&name);
        if let Some(first) = names.get(&key) {
            return Err(KeyError::Collision {
                first: first.clone(),
                second: name,
                key,
            });
        }
        out.insert(key.clone(), value);
        names.insert(key, name);
    }
    Ok(out)
}

/// One name as a key.
pub fn converted(strategy: ConversionStrategy, name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for character in name.chars() {
        if is_allowed(character) {
            key.push(character);
            continue;
        }
        match strategy {
            ConversionStrategy::Default => key.push('_'),
            ConversionStrategy::Unicode => {
                // Writing to a string does not fail.
                let _ = write!(key, "_U{:04x}_", u32::from(character));
            }
        }
    }
    key
}

/// The name that a converted key had, for what is pushed: `_U002f_` is a slash.
pub fn reversed(key: &str) -> String {
    let mut name = String::with_capacity(key.len());
    let mut rest = key;
    while let Some((before, after)) = rest.split_once("_U") {
        name.push_str(before);
        let code = after.split_once('_').filter(|(digits, _)| {
            (4..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        let character = code.and_then(|(digits, rest)| {
            let number = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(number)?, rest))
        });
        if let Some((character, after)) = character {
            name.push(character);
            rest = after;
        } else {
            name.push_str("_U");
            rest = after;
        }
    }
    name.push_str(rest);
    name
}

/// Checks that a Secret can have these keys. An entry without a name is left out.
///
/// # Errors
/// It cannot.
pub fn check(entries: &mut BTreeMap<String, Plaintext>) -> Result<(), KeyError> {
    entries.remove("");
    entries.keys().try_for_each(|key| check_key(key))
}

/// Checks that a Secret can have this key.
///
/// # Errors
/// It cannot.
pub fn check_key(key: &str) -> Result<(), KeyError> {
    if let Some(character) = key.chars().find(|c| !is_allowed(*c)) {
        let key = shown(key);
        return Err(KeyError::Character { key, character });
    }
    if key.len() > LONGEST {
        let length = key.len();
        return Err(KeyError::Length {
            start: shown(key),
            length,
        });
    }
    if key == "." || key.starts_with("..") {
        return Err(KeyError::Folder(key.to_owned()));
    }
    Ok(())
}

fn is_allowed(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '.' | '_')
}

fn shown(key: &str) -> String {
    key.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn entries(names: &[&str]) -> BTreeMap<String, Plaintext> {
        let entry = |name: &&str| ((*name).to_owned(), Plaintext::new(name.as_bytes().to_vec()));
        names.iter().map(entry).collect()
    }

    #[test]
    fn what_a_key_cannot_have_is_replaced() {
        use ConversionStrategy::{Default, Unicode};
        assert_eq!(converted(Default, "/app/db user.é"), "_app_db_user._");
        assert_eq!(converted(Unicode, "/app/é"), "_U002f_app_U002f__U00e9_");
        assert_eq!(converted(Unicode, "\u{1f600}"), "_U1f600_");
        assert_eq!(converted(Default, "a-B.c_9"), "a-B.c_9");
    }

    #[test]
    fn names_that_become_one_key_are_an_error_that_names_both() {
        let error = convert(ConversionStrategy::Default, entries(&["a/b", "a:b"])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`a/b` and `a:b` both become the key `a_b`"
        );
        assert!(convert(ConversionStrategy::Unicode, entries(&["a/b", "a:b"])).is_ok());
    }

    #[test]
    fn a_key_that_a_secret_cannot_have_is_an_error() {
        assert!(check(&mut entries(&["a", "tls.crt", "_", "-"])).is_ok());
        for key in ["a/b", "a b", "é", ".", "..", "..data"] {
            assert!(check(&mut entries(&[key])).is_err(), "{key}");
        }
        assert!(check_key(&"k".repeat(253)).is_ok());
        assert!(check_key(&"k".repeat(254)).is_err());
        let mut nameless = entries(&["", "a"]);
        check(&mut nameless).unwrap();
        assert_eq!(nameless.len(), 1);
    }

    proptest! {
        #[test]
        fn a_name_in_unicode_comes_back(name in "[ -~é\u{1f600}]{0,20}") {
            prop_assume!(!name.contains("_U"));
            let key = converted(ConversionStrategy::Unicode, &name);
            prop_assert!(check_key(&key).is_ok() || name.starts_with('.') );
            prop_assert_eq!(reversed(&key), name);
        }

        #[test]
        fn no_key_panics(key in "(_U|[0-9a-f_]){0,12}") {
            let _ = reversed(&key);
        }
    }
}
