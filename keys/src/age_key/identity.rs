//! Identities: the private halves.

use std::fmt;

use zeroize::Zeroizing;

use super::{ParseError, pq, ssh};

mod file;

use file::LockedFile;

/// What opens: a private key, or a file of them behind a passphrase. `Debug` shows where it was found
/// and nothing of it.
pub struct Identity {
    source: String,
    key: Key,
}

pub(super) enum Key {
    LockedFile(LockedFile),
    LockedSsh(ssh::LockedIdentity),
    Plugin {
        name: String,
        text: Zeroizing<String>,
    },
    PostQuantum(pq::Identity),
    Ssh(ssh::Identity),
    X25519(age::x25519::Identity),
}

const PLUGIN: &str = "AGE-PLUGIN-";

impl Identity {
    /// Reads the identities of a text: an age identity file (also several on one line, as in
    /// `SOPS_AGE_KEY`; empty lines and lines with `#` in front are passed over), an age file behind a
    /// passphrase that holds one, or an SSH private key. `source` says where the text was found, for
    /// errors and questions. Nothing is opened yet.
    pub fn parse_all(text: &[u8], source: &str) -> Result<Vec<Self>, ParseError> {
        let one = |key| {
            Ok(vec![Self {
                source: source.to_owned(),
                key,
            }])
        };
        if LockedFile::is_one(text) {
            return one(Key::LockedFile(LockedFile::new(text)));
        }
        if text.trim_ascii_start().starts_with(b"-----BEGIN ") {
            let key = ssh::parse(text).map_err(|error| ParseError::Ssh {
                source_name: source.to_owned(),
                reason: error.to_string(),
            })?;
            return one(match key {
                ssh::Parsed::Open(identity) => Key::Ssh(identity),
                ssh::Parsed::Locked(identity) => Key::LockedSsh(identity),
            });
        }
        parse_lines(text, source)
    }

    /// Where it was found.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The recipient that belongs to it, where it can be told without help.
    pub fn recipient(&self) -> Option<String> {
        match &self.key {
            Key::LockedFile(_) | Key::Plugin { .. } => None,
            Key::LockedSsh(identity) => Some(identity.recipient()),
            Key::PostQuantum(identity) => Some(identity.recipient().to_string()),
            Key::Ssh(identity) => Some(identity.recipient()),
            Key::X25519(identity) => Some(identity.to_public().to_string()),
        }
    }

    pub(super) fn key(&self) -> &Key {
        &self.key
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity(<redacted>, {:?})", self.source)
    }
}

fn parse_lines(text: &[u8], source: &str) -> Result<Vec<Identity>, ParseError> {
    let source_name = || source.to_owned();
    let text = std::str::from_utf8(text).map_err(|_| ParseError::NotText {
        source_name: source_name(),
    })?;
    let mut identities = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            continue;
        }
        for word in line.split_whitespace() {
            let key = parse_word(word).ok_or_else(|| ParseError::Line {
                line: index + 1,
                source_name: source_name(),
            })?;
            identities.push(Identity {
                source: source_name(),
                key,
            });
        }
    }
    Ok(identities)
}

fn parse_word(word: &str) -> Option<Key> {
    if let Some(rest) = word.strip_prefix(PLUGIN) {
        let (name, _) = rest.rsplit_once("-1")?;
        return Some(Key::Plugin {
            name: name.to_ascii_lowercase(),
            text: Zeroizing::new(word.to_owned()),
        });
    }
    if word.starts_with("AGE-SECRET-KEY-PQ-1") {
        return pq::Identity::parse(word).map(Key::PostQuantum);
    }
    word.parse().ok().map(Key::X25519)
}

#[cfg(test)]
mod tests;
