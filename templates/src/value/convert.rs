//! Making values of what the host has, and reading them.

use super::{Integer, IntegerKind, List, Map, Text, Value};

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// Go's `int`.
impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::int(value.into())
    }
}

/// Go's `int64`.
impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::integer(IntegerKind::Int64, value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value.into())
    }
}

impl From<Text> for Value {
    fn from(value: Text) -> Self {
        Self::Text(value)
    }
}

impl From<List> for Value {
    fn from(value: List) -> Self {
        Self::List(value)
    }
}

impl From<Map> for Value {
    fn from(value: Map) -> Self {
        Self::Map(value)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::list(items)
    }
}

impl Value {
    /// Go's `int`, which has 64 bits.
    pub fn int(value: i64) -> Self {
        Self::integer(IntegerKind::Int, value.into())
    }

    pub(crate) fn integer(kind: IntegerKind, value: i128) -> Self {
        Self::Integer(Integer { kind, value })
    }

    /// A length or an index.
    pub(crate) fn count(value: usize) -> Self {
        Self::int(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// The number that it is, if it is one that Go calls a float.
    pub(crate) fn as_float(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(*value),
            Self::Number(number) => Some(number.as_f64()),
            _ => None,
        }
    }

    /// The items of a slice; the bytes of a `[]byte` are items too.
    pub(crate) fn items(&self) -> Option<Vec<Value>> {
        match self {
            Self::List(list) => Some(list.items().to_vec()),
            Self::Bytes(bytes) => Some(bytes.iter().map(|byte| byte_value(*byte)).collect()),
            _ => None,
        }
    }
}

pub(crate) fn byte_value(byte: u8) -> Value {
    Value::integer(IntegerKind::Uint8, byte.into())
}
