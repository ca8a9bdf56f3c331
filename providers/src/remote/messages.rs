//! The messages of `keyservice.proto`, whose numbers these are.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use signet_keys::sops::MasterKey;

/// Which key. Exactly one kind is given.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Key {
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4, 5, 6, 7")]
    pub(super) kind: Option<Kind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum Kind {
    #[prost(message, tag = "1")]
    Kms(Kms),
    #[prost(message, tag = "2")]
    Pgp(OneText),
    #[prost(message, tag = "3")]
    GcpKms(OneText),
    #[prost(message, tag = "4")]
    AzureKv(ThreeTexts),
    #[prost(message, tag = "5")]
    HcVault(ThreeTexts),
    #[prost(message, tag = "6")]
    Age(OneText),
    #[prost(message, tag = "7")]
    HcKms(OneText),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Kms {
    #[prost(string, tag = "1")]
    pub(super) arn: String,
    #[prost(string, tag = "2")]
    pub(super) role: String,
    #[prost(map = "string, string", tag = "3")]
    pub(super) context: HashMap<String, String>,
    #[prost(string, tag = "4")]
    pub(super) aws_profile: String,
}

/// Fingerprint, resource name, recipient, or identifier.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct OneText {
    #[prost(string, tag = "1")]
    pub(super) text: String,
}

/// Server, then the two names that a key has there.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ThreeTexts {
    #[prost(string, tag = "1")]
    pub(super) server: String,
    #[prost(string, tag = "2")]
    pub(super) first: String,
    #[prost(string, tag = "3")]
    pub(super) second: String,
}

/// Both requests, and both answers below, have the same form.
#[derive(Clone, PartialEq, prost::Message)]
#[prost(skip_debug)]
pub(super) struct Request {
    #[prost(message, optional, tag = "1")]
    pub(super) key: Option<Key>,
    /// The plaintext, or the text that the metadata of a file has as `enc`.
    #[prost(bytes = "vec", tag = "2")]
    pub(super) bytes: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
#[prost(skip_debug)]
pub(super) struct Answer {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) bytes: Vec<u8>,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({:?}, <redacted>)", self.key)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answer(<redacted>)")
    }
}

impl From<&MasterKey> for Key {
    fn from(key: &MasterKey) -> Self {
        let one = |text: &str| OneText {
            text: text.to_owned(),
        };
        let three = |server: &str, first: &str, second: &str| ThreeTexts {
            server: server.to_owned(),
            first: first.to_owned(),
            second: second.to_owned(),
        };
        let kind = match key {
            MasterKey::Age { recipient } => Kind::Age(one(recipient)),
            MasterKey::AzureKv {
                vault_url,
                name,
                version,
            } => Kind::AzureKv(three(
                vault_url,
                name,
                version.as_deref().unwrap_or_default(),
            )),
            MasterKey::GcpKms { resource_id } => Kind::GcpKms(one(resource_id)),
            MasterKey::HcKms { key_id } => Kind::HcKms(one(key_id)),
            MasterKey::HcVault {
                vault_address,
                engine_path,
                key_name,
            } => Kind::HcVault(three(vault_address, engine_path, key_name)),
            MasterKey::Kms {
                arn,
                role,
                context,
                aws_profile,
            } => Kind::Kms(Kms {
                arn: arn.clone(),
                role: role.clone().unwrap_or_default(),
                context: context.clone().into_iter().collect(),
                aws_profile: aws_profile.clone().unwrap_or_default(),
            }),
            MasterKey::Pgp { fingerprint } => Kind::Pgp(one(fingerprint)),
        };
        Self { kind: Some(kind) }
    }
}

impl Kind {
    pub(super) fn into_master_key(self) -> MasterKey {
        let some = |text: String| (!text.is_empty()).then_some(text);
        match self {
            Self::Age(key) => MasterKey::Age {
                recipient: key.text,
            },
            Self::AzureKv(key) => MasterKey::AzureKv {
                vault_url: key.server,
                name: key.first,
                version: some(key.second),
            },
            Self::GcpKms(key) => MasterKey::GcpKms {
                resource_id: key.text,
            },
            Self::HcKms(key) => MasterKey::HcKms { key_id: key.text },
            Self::HcVault(key) => MasterKey::HcVault {
                vault_address: key.server,
                engine_path: key.first,
                key_name: key.second,
            },
            Self::Kms(key) => MasterKey::Kms {
                arn: key.arn,
                role: some(key.role),
                context: key.context.into_iter().collect::<BTreeMap<_, _>>(),
                aws_profile: some(key.aws_profile),
            },
            Self::Pgp(key) => MasterKey::Pgp {
                fingerprint: key.text,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use prost::Message;

    use super::*;

    fn keys() -> Vec<MasterKey> {
        let kms = |role: Option<&str>| MasterKey::Kms {
            arn: "arn:aws:kms:eu-central-1:1:key/k".into(),
            role: role.map(Into::into),
            context: BTreeMap::from([("a".into(), "b".into())]),
            aws_profile: role.map(|_| "p".into()),
        };
        vec![
            MasterKey::Age {
                recipient: "age1a".into(),
            },
            MasterKey::AzureKv {
                vault_url: "https://v".into(),
                name: "n".into(),
                version: Some("1".into()),
            },
            MasterKey::AzureKv {
                vault_url: "https://v".into(),
                name: "n".into(),
                version: None,
            },
            MasterKey::GcpKms {
                resource_id: "projects/p".into(),
            },
            MasterKey::HcKms {
                key_id: "r:k".into(),
            },
            MasterKey::HcVault {
                vault_address: "https://v".into(),
                engine_path: "e".into(),
                key_name: "k".into(),
            },
            kms(None),
            kms(Some("arn:aws:iam::1:role/r")),
            MasterKey::Pgp {
                fingerprint: "FP".into(),
            },
        ]
    }

    #[test]
    fn every_kind_of_key_survives_the_wire() {
        for key in keys() {
            let bytes = Key::from(&key).encode_to_vec();
            let read = Key::decode(&bytes[..])
                .unwrap()
                .kind
                .unwrap()
                .into_master_key();
            assert_eq!(read, key);
        }
    }

    #[test]
    fn the_numbers_are_those_of_the_peers_proto_file() {
        let first_bytes = keys()
            .iter()
            .map(|key| Key::from(key).encode_to_vec()[0] >> 3)
            .collect::<Vec<_>>();
        assert_eq!(first_bytes, [6, 4, 4, 3, 7, 5, 1, 1, 2]);
        let request = Request {
            key: Some(Key::from(&MasterKey::Age {
                recipient: "age1".into(),
            })),
            bytes: b"k".to_vec(),
        };
        assert_eq!(
            request.encode_to_vec(),
            b"\x0a\x08\x32\x06\x0a\x04age1\x12\x01k"
        );
        assert!(!format!("{request:?}").contains("107"));
    }
}
