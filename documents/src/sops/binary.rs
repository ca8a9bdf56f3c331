//! Binary files: any bytes as one value, encrypted in a JSON object.

use std::borrow::Cow;

use signet_keys::sops::{Kind, Value};
use zeroize::Zeroizing;

use super::{
    METADATA_KEY,
    body::{Body, Written},
    error::{ReadError, WriteError},
    json::{Indent, Json, pretty, string},
    metadata::MetaTree,
    outline::{Leaf, Outcome, Outline, Step},
    tree::TreeValue,
};
use crate::position::Position;

const KEY: &str = "data";

/// A binary file.
pub(super) enum Binary {
    /// Encrypted: the value of `data`, and the object.
    Encrypted {
        data: Zeroizing<String>,
        object: Json,
    },
    /// The bytes.
    Plain(Zeroizing<Vec<u8>>),
}

impl Binary {
    /// What has metadata and `data` is taken for encrypted; everything else is bytes.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let plain = || Self::Plain(Zeroizing::new(bytes.to_vec()));
        let trimmed = bytes.trim_ascii();
        if !(trimmed.starts_with(b"{") && trimmed.ends_with(b"}")) {
            return Ok(plain());
        }
        let Ok(object) = Json::parse(bytes) else {
            return Ok(plain());
        };
        if object.metadata()?.is_none() {
            return Ok(plain());
        }
        let tree = super::Tree::of(&object.outline()?, &[]);
        let data = tree.documents.first().and_then(|top| top.get(KEY));
        let data = match data {
            Some(TreeValue::Scalar(value)) if value.kind() == Kind::Str => {
                String::from_utf8(value.plaintext().expose().to_vec()).ok()
            }
            _ => None,
        };
        Ok(match data {
            Some(data) => Self::Encrypted {
                data: Zeroizing::new(data),
                object,
            },
            None => plain(),
        })
    }
}

impl Body for Binary {
    fn outline(&self) -> Result<Outline<'_>, ReadError> {
        let leaf = match self {
            Self::Encrypted { data, .. } => Leaf::Text(Cow::Borrowed(data.as_str())),
            Self::Plain(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Leaf::Text(Cow::Borrowed(text)),
                Err(_) => Leaf::Typed(Value::text(bytes.to_vec())),
            },
        };
        Ok(Outline {
            steps: vec![
                Step::Document,
                Step::Key(Cow::Borrowed(KEY)),
                Step::Value(leaf),
                Step::End,
            ],
            ..Outline::default()
        })
    }

    fn metadata(&self) -> Result<Option<MetaTree>, ReadError> {
        match self {
            Self::Encrypted { object, .. } => object.metadata(),
            Self::Plain(_) => Ok(None),
        }
    }

    fn position(&self, _leaf: usize) -> Option<Position> {
        None
    }

    fn write(
        &self,
        _: Option<&Outline<'_>>,
        outcomes: &[Outcome],
        metadata: Option<&MetaTree>,
    ) -> Result<Written, WriteError> {
        let bytes = match (outcomes.first(), metadata) {
            (outcome, None) => match (outcome, self) {
                (Some(Outcome::Plain(value)), _) => value.plaintext().expose().to_vec(),
                (_, Self::Plain(bytes)) => bytes.to_vec(),
                (_, Self::Encrypted { data, .. }) => data.as_bytes().to_vec(),
            },
            (outcome, Some(metadata)) => {
                let data = match (outcome, self) {
                    (Some(Outcome::Encrypted { text, .. }), _) => text.as_str(),
                    (_, Self::Encrypted { data, .. }) => data.as_str(),
                    // Only the empty file is not encrypted.
                    (_, Self::Plain(_)) => "",
                };
                wrapped(data, metadata).into_bytes()
            }
        };
        Ok(Written {
            bytes: Zeroizing::new(bytes),
            warnings: Vec::new(),
        })
    }
}

/// The object, as the peer writes it.
fn wrapped(data: &str, metadata: &MetaTree) -> String {
    let indent = Indent::tab("\n");
    let mut out = String::from("{");
    indent.line(&mut out, 1);
    out.extend([&string(KEY), ": ", &string(data), ","]);
    indent.line(&mut out, 1);
    let metadata = pretty(metadata, &indent, 1);
    out.extend([&string(METADATA_KEY), ": ", &metadata]);
    indent.line(&mut out, 0);
    out.push_str("}\n");
    out
}
