//! Recipients: the public halves.

use std::fmt;
use std::str::FromStr;

use super::{Assistant, RecipientError, WrapError, pq, ssh};

/// Whom a data key is wrapped for. It is kept as it was written: that is what the metadata of a file
/// shows, and what two files are compared by.
#[derive(Clone)]
pub struct Recipient {
    text: String,
    key: Key,
}

#[derive(Clone)]
enum Key {
    Plugin { name: String },
    PostQuantum(pq::Recipient),
    Ssh(ssh::Recipient),
    Tag(age::tag::Recipient),
    TagPostQuantum(Box<age::tagpq::Recipient>),
    X25519(age::x25519::Recipient),
}

impl Recipient {
    /// As it was written, without white space around it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether what is wrapped for it stays secret from a quantum computer.
    pub fn is_post_quantum(&self) -> bool {
        matches!(self.key, Key::PostQuantum(_) | Key::TagPostQuantum(_))
    }

    /// The name of the plugin that it needs.
    pub fn plugin(&self) -> Option<&str> {
        match &self.key {
            Key::Plugin { name } => Some(name),
            _ => None,
        }
    }

    pub(super) fn resolve(
        &self,
        assistant: &dyn Assistant,
    ) -> Result<Box<dyn age::Recipient>, WrapError> {
        Ok(match &self.key {
            Key::Plugin { name } => {
                assistant
                    .plugin_recipient(name, &self.text)
                    .map_err(|error| WrapError::Plugin {
                        recipient: self.text.clone(),
                        error,
                    })?
            }
            Key::PostQuantum(key) => Box::new(key.clone()),
            Key::Ssh(key) => Box::new(key.clone()),
            Key::Tag(key) => Box::new(key.clone()),
            Key::TagPostQuantum(key) => key.clone(),
            Key::X25519(key) => Box::new(key.clone()),
        })
    }
}

impl FromStr for Recipient {
    type Err = RecipientError;

    fn from_str(text: &str) -> Result<Self, RecipientError> {
        let text = text.trim();
        let malformed = |reason| RecipientError::Malformed {
            recipient: text.to_owned(),
            reason,
        };
        let key = if text.starts_with("age1") {
            parse_age(text).map_err(malformed)?
        } else if text.starts_with("ssh-") {
            let key = ssh::Recipient::parse(text).map_err(malformed)?;
            Key::Ssh(key)
        } else if text.starts_with("AGE-") || text.contains("PRIVATE KEY") {
            return Err(RecipientError::Private);
        } else {
            return Err(RecipientError::Unknown);
        };
        Ok(Self {
            text: text.to_owned(),
            key,
        })
    }
}

/// The last `1` parts the kind from the key, whose alphabet has none.
fn parse_age(text: &str) -> Result<Key, &'static str> {
    match text.rsplit_once('1').map(|(kind, _)| kind) {
        Some("age") => text.parse().map(Key::X25519),
        Some("age1pq") => pq::Recipient::parse(text).map(Key::PostQuantum),
        Some("age1tag") => text.parse().map(Key::Tag),
        Some("age1tagpq") => text.parse().map(Box::new).map(Key::TagPostQuantum),
        Some(kind) => {
            let name = kind.strip_prefix("age1").unwrap_or_default();
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_name) {
                return Err("not the name of a plugin");
            }
            Ok(Key::Plugin {
                name: name.to_owned(),
            })
        }
        None => Err("it is cut short"),
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipient({})", self.text)
    }
}

impl PartialEq for Recipient {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Recipient {}

#[cfg(test)]
mod tests;
