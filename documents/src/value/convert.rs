//! The walk from nodes to JSON.

use serde_json::{Map, Number, Value};

use super::{
    number::{Integer, go_float_key},
    scalar::{self, Resolved},
};
use crate::{
    limits::{MAX_ALIASED_NODES, MAX_NESTING},
    position::Position,
    tree::{Kind, Node},
};

/// Converts a node, its aliases and merge keys followed. Keys keep the order of the document.
///
/// # Errors
/// What JSON cannot say, or Kubernetes' reader refuses; keys that are twice in one mapping; more
/// than [`MAX_ALIASED_NODES`] nodes through aliases.
pub fn to_json(node: Node<'_>) -> Result<Value, ConvertError> {
    let mut converter = Converter {
        depth: 0,
        inside_alias: false,
        aliased: 0,
    };
    converter.value(node)
}

/// Why a node has no JSON value. Keys are named, values never are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// An alias inside of what it stands for.
    #[error("{at}: the alias stands inside of its own anchor")]
    AliasOfItself {
        /// Where.
        at: Position,
    },
    /// The same key twice in one mapping.
    #[error("{at}: the key `{key}` stands already at {first}")]
    DuplicateKey {
        /// The second time.
        at: Position,
        /// The first time.
        first: Position,
        /// The key.
        key: String,
    },
    /// A `!!binary` that is not base64.
    #[error("{at}: `!!binary` with a value that is not base64")]
    InvalidBinary {
        /// Where.
        at: Position,
    },
    /// What stands after `<<` is not a mapping or a list of mappings.
    #[error("{at}: `<<` takes a mapping or a list of mappings")]
    InvalidMerge {
        /// Where.
        at: Position,
    },
    /// A tag such as `!!int` on a value that is none.
    #[error("{at}: the value is not what its tag `{tag}` says")]
    TagMismatch {
        /// Where.
        at: Position,
        /// The tag.
        tag: String,
    },
    /// Deeper than [`MAX_NESTING`].
    #[error("{at}: nested too deeply (limit {MAX_NESTING})")]
    TooDeep {
        /// Where.
        at: Position,
    },
    /// More nodes through aliases than [`MAX_ALIASED_NODES`].
    #[error("{at}: the aliases stand for more than {MAX_ALIASED_NODES} values")]
    TooManyAliases {
        /// Where.
        at: Position,
    },
    /// A key that is null, a mapping or a sequence.
    #[error("{at}: a key must be a string, a number or a boolean")]
    UnsupportedKey {
        /// Where.
        at: Position,
    },
    /// Infinity, or not a number.
    #[error("{at}: JSON has no such number")]
    UnsupportedNumber {
        /// Where.
        at: Position,
    },
}

impl ConvertError {
    /// Where in the stream the trouble is.
    pub fn position(&self) -> Position {
        match self {
            Self::AliasOfItself { at }
            | Self::DuplicateKey { at, .. }
            | Self::InvalidBinary { at }
            | Self::InvalidMerge { at }
            | Self::TagMismatch { at, .. }
            | Self::TooDeep { at }
            | Self::TooManyAliases { at }
            | Self::UnsupportedKey { at }
            | Self::UnsupportedNumber { at } => *at,
        }
    }
}

struct Converter {
    depth: usize,
    inside_alias: bool,
    aliased: usize,
}

impl Converter {
    fn value(&mut self, node: Node<'_>) -> Result<Value, ConvertError> {
        self.counted(node)?;
        match node.kind() {
            Kind::Alias(target) => self.alias(node, target, |converter| converter.value(target)),
            Kind::Mapping(_) => self.nested(node, |converter| {
                let mut object = Map::new();
                converter.mapping(node, &mut object)?;
                Ok(Value::Object(object))
            }),
            Kind::Sequence(_) => self.nested(node, |converter| {
                node.items()
                    .map(|item| converter.value(item.node))
                    .collect::<Result<_, _>>()
                    .map(Value::Array)
            }),
            Kind::Missing | Kind::Scalar(_) => scalar_value(node),
        }
    }

    fn counted(&mut self, node: Node<'_>) -> Result<(), ConvertError> {
        if self.inside_alias {
            self.aliased += 1;
            if self.aliased > MAX_ALIASED_NODES {
                return Err(ConvertError::TooManyAliases {
                    at: node.position(),
                });
            }
        }
        Ok(())
    }

    fn nested<T>(
        &mut self,
        node: Node<'_>,
        read: impl FnOnce(&mut Self) -> Result<T, ConvertError>,
    ) -> Result<T, ConvertError> {
        if self.depth >= MAX_NESTING {
            return Err(ConvertError::TooDeep {
                at: node.position(),
            });
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn alias<T>(
        &mut self,
        alias: Node<'_>,
        target: Node<'_>,
        read: impl FnOnce(&mut Self) -> Result<T, ConvertError>,
    ) -> Result<T, ConvertError> {
        if target.range().contains(&alias.range().start) {
            return Err(ConvertError::AliasOfItself {
                at: alias.position(),
            });
        }
        let outer = std::mem::replace(&mut self.inside_alias, true);
        let value = read(self)?;
        self.inside_alias = outer;
        Ok(value)
    }

    fn mapping(
        &mut self,
        node: Node<'_>,
        object: &mut Map<String, Value>,
    ) -> Result<(), ConvertError> {
        let mut seen = std::collections::HashMap::with_capacity(node.entries().len());
        for entry in node.entries() {
            if is_merge(entry.key) {
                self.merge(entry.value, object)?;
                continue;
            }
            let key = key_text(entry.key.resolved())?;
            let start = entry.key.full_range().start;
            if let Some(first) = seen.insert(key.clone(), start) {
                return Err(ConvertError::DuplicateKey {
                    at: entry.key.position(),
                    first: node.document().position(first),
                    key,
                });
            }
            let value = self.value(entry.value)?;
            object.insert(key, value);
        }
        Ok(())
    }

    fn merge(
        &mut self,
        node: Node<'_>,
        object: &mut Map<String, Value>,
    ) -> Result<(), ConvertError> {
        self.counted(node)?;
        match node.kind() {
            Kind::Alias(target) if matches!(target.kind(), Kind::Mapping(_)) => {
                self.alias(node, target, |converter| converter.merge(target, object))
            }
            Kind::Mapping(_) => self.nested(node, |converter| converter.mapping(node, object)),
            Kind::Sequence(_) => self.nested(node, |converter| {
                let mut items: Vec<_> = node.items().collect();
                // Earlier ones win.
                items.reverse();
                for item in items {
                    if !item.node.is_mapping() {
                        return Err(ConvertError::InvalidMerge {
                            at: item.node.position(),
                        });
                    }
                    converter.merge(item.node, object)?;
                }
                Ok(())
            }),
            Kind::Alias(_) | Kind::Missing | Kind::Scalar(_) => Err(ConvertError::InvalidMerge {
                at: node.position(),
            }),
        }
    }
}

fn is_merge(key: Node<'_>) -> bool {
    key.tag() == Some("!!merge")
        || key.tag().is_none()
            && matches!(key.kind(), Kind::Scalar(crate::tree::ScalarStyle::Plain))
            && key.text() == Some("<<")
}

fn resolve(node: Node<'_>) -> Result<Option<Resolved>, ConvertError> {
    scalar::resolve(node).map_err(|scalar::TagMismatch| ConvertError::TagMismatch {
        at: node.position(),
        tag: node.tag().unwrap_or_default().to_owned(),
    })
}

/// What a key is called in JSON; `None` if it is no key there.
pub(crate) fn key_name(key: Node<'_>) -> Option<String> {
    key_text(key.resolved()).ok()
}

fn key_text(key: Node<'_>) -> Result<String, ConvertError> {
    let text = key.text().unwrap_or_default();
    Ok(match resolve(key)? {
        None | Some(Resolved::Null | Resolved::Integer(Integer::Unsigned(_))) => {
            // The place is counted here alone: for every key that would be quadratic.
            return Err(ConvertError::UnsupportedKey { at: key.position() });
        }
        Some(Resolved::Binary) => binary(key)?,
        Some(Resolved::Bool(value)) => value.to_string(),
        Some(Resolved::Float(value)) => go_float_key(value),
        Some(Resolved::Integer(Integer::Signed(value))) => value.to_string(),
        Some(Resolved::String) => text.to_owned(),
    })
}

fn scalar_value(node: Node<'_>) -> Result<Value, ConvertError> {
    let text = || node.text().unwrap_or_default();
    Ok(match resolve(node)? {
        None | Some(Resolved::Null) => Value::Null,
        Some(Resolved::Binary) => Value::String(binary(node)?),
        Some(Resolved::Bool(value)) => Value::Bool(value),
        Some(Resolved::Float(value)) => Value::Number(float(node, value)?),
        Some(Resolved::Integer(Integer::Signed(value))) => Value::from(value),
        Some(Resolved::Integer(Integer::Unsigned(value))) => Value::from(value),
        Some(Resolved::String) => Value::String(text().to_owned()),
    })
}

/// JSON does not tell `1.0` from `1`, and Kubernetes reads the latter as an integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "taken only if nothing is lost"
)]
fn float(node: Node<'_>, value: f64) -> Result<Number, ConvertError> {
    let negative_zero = value == 0.0 && value.is_sign_negative();
    if value.fract() == 0.0 && value.abs() < i64::MAX as f64 && !negative_zero {
        return Ok(Number::from(value as i64));
    }
    Number::from_f64(value).ok_or_else(|| ConvertError::UnsupportedNumber {
        at: node.position(),
    })
}

fn binary(node: Node<'_>) -> Result<String, ConvertError> {
    let text = node.text().unwrap_or_default();
    let bytes = signet_keys::sealed::decode(text).map_err(|_| ConvertError::InvalidBinary {
        at: node.position(),
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
