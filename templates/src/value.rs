//! The values that templates compute with, each with the Go type that a template can ask for.

use std::fmt;

mod container;
mod convert;
mod number;
mod object;

pub use container::{Elements, List, Map};
pub(crate) use convert::byte_value;
pub use number::{Integer, IntegerKind, Number};
pub use object::{Certificate, Time, Version};

pub use crate::text::Text;

/// A value of a template. Its `Debug` shows its type and nothing else.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Value {
    /// Nothing: Go's nil interface and its invalid value, printed as `<no value>`.
    #[default]
    Nil,
    /// Go's `bool`.
    Bool(bool),
    /// Any of Go's integer types.
    Integer(Integer),
    /// Go's `float64`.
    Float(f64),
    /// A number of JSON or YAML: a `float64` for Go, but printed as it was written.
    Number(Number),
    /// Go's `string`.
    Text(Text),
    /// Go's `[]byte`.
    Bytes(Text),
    /// A slice.
    List(List),
    /// A map with string keys.
    Map(Map),
    /// Go's `time.Time`.
    Time(Time),
    /// What `genCA` and its like make, with the fields `Cert` and `Key`.
    Certificate(Certificate),
    /// What `semver` makes.
    Version(Version),
}

impl Value {
    /// A `map[string]string`: what the data of a Secret is to a template.
    pub fn strings<K: Into<Text>, V: Into<Text>>(
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let entries = entries.into_iter();
        let entries = entries.map(|(key, value)| (key.into(), Self::Text(value.into())));
        Self::Map(Map::new(Elements::Text, entries.collect()))
    }

    /// A `map[string]interface {}`.
    pub fn map<K: Into<Text>, V: Into<Value>>(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let entries = entries.into_iter();
        let entries = entries.map(|(key, value)| (key.into(), value.into()));
        Self::Map(Map::new(Elements::Any, entries.collect()))
    }

    /// An `[]interface {}`.
    pub fn list<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Self {
        let items = items.into_iter().map(Into::into).collect();
        Self::List(List::new(Elements::Any, items))
    }

    /// Go's name of the type, as `%T` and `typeOf` print it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Nil => "<nil>",
            Self::Bool(_) => "bool",
            Self::Integer(integer) => integer.kind.type_name(),
            Self::Float(_) | Self::Number(_) => "float64",
            Self::Text(_) => "string",
            Self::Bytes(_) => "[]uint8",
            Self::List(list) => list.elements().list_name(),
            Self::Map(map) => map.elements().map_name(),
            Self::Time(_) => "time.Time",
            Self::Certificate(_) => "sprig.certificate",
            Self::Version(_) => "*semver.Version",
        }
    }

    /// Go's name of the kind, as `kindOf` prints it.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self {
            Self::Nil => "invalid",
            Self::Integer(integer) => integer.kind.kind_name(),
            Self::Bytes(_) | Self::List(_) => "slice",
            Self::Map(_) => "map",
            Self::Time(_) | Self::Certificate(_) => "struct",
            Self::Version(_) => "ptr",
            _ => self.type_name(),
        }
    }

    /// Whether `if` takes it for true: neither nothing, nor zero, nor empty.
    pub fn truth(&self) -> bool {
        match self {
            Self::Nil => false,
            Self::Bool(value) => *value,
            Self::Integer(integer) => integer.value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Number(number) => number.as_f64() != 0.0,
            Self::Text(text) | Self::Bytes(text) => !text.is_empty(),
            Self::List(list) => !list.is_empty(),
            Self::Map(map) => !map.is_empty(),
            Self::Time(_) | Self::Certificate(_) | Self::Version(_) => true,
        }
    }

    /// How much of the limits it weighs, without what it contains.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Text(text) | Self::Bytes(text) => text.len(),
            Self::List(list) => list.len() * size_of::<Self>(),
            Self::Map(map) => map.len() * size_of::<Self>() * 2,
            _ => 0,
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.type_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_the_type_alone() {
        let value = Value::strings([("password", "hunter2")]);
        assert_eq!(format!("{value:?}"), "Value(map[string]string)");
        assert_eq!(format!("{:?}", Value::from("hunter2")), "Value(string)");
        assert_eq!(format!("{:?}", Some(Value::from(1234))), "Some(Value(int))");
    }

    #[test]
    fn what_is_nothing_or_empty_is_not_true() {
        let empty = [
            Value::Nil,
            false.into(),
            0.into(),
            (-0.0).into(),
            "".into(),
            Value::list::<Value>([]),
            Value::map::<&str, Value>([]),
        ];
        assert!(empty.iter().all(|value| !value.truth()));
        let full = [
            Value::from("0"),
            "false".into(),
            Value::list([0]),
            (-1).into(),
        ];
        assert!(full.iter().all(Value::truth));
    }
}
