//! What a scalar is, by the rules of the peer's YAML library (go-yaml 3): YAML 1.2 with some of 1.1.
//!
//! * `yes`, `no`, `on`, `off` are texts; `true`, `True` and `TRUE` are truth values.
//! * `010` and `0o10` are octal, `08` is the number 8; underscores between digits are passed over.
//! * Dates and times are times, which Kubernetes' rules have as texts.
//! * Whole numbers beyond 64 bits are rounded to floating point numbers; those of 64 bits without a
//!   sign are refused, as by the peer, which has no such type.

mod time;

use std::borrow::Cow;

use signet_keys::sops::{Kind, Value};

use crate::{
    sops::outline::Leaf,
    value::{Integer, parse_float, parse_integer},
    yaml::{Kind as NodeKind, Node, ScalarStyle},
};

/// What a scalar is.
pub(super) enum Resolved<'s> {
    Leaf(Leaf<'s>),
    Null,
    /// Nothing that a file of the peer can hold.
    Refused(&'static str),
}

/// What a scalar node is, its tag and quotes considered.
pub(super) fn scalar(node: Node<'_>) -> Resolved<'_> {
    let (style, text) = match node.kind() {
        NodeKind::Scalar(style) => (style, node.text().unwrap_or_default()),
        _ => (ScalarStyle::Plain, ""),
    };
    match node.tag() {
        // The tag that says nothing.
        None | Some("!") if style == ScalarStyle::Plain => plain(text),
        Some("!!binary") => match signet_keys::sealed::decode(text) {
            Ok(bytes) => Resolved::Leaf(match String::from_utf8(bytes) {
                Ok(text) => Leaf::Text(Cow::Owned(text)),
                Err(error) => Leaf::Typed(Value::text(error.into_bytes())),
            }),
            Err(_) => Resolved::Refused("`!!binary` with a value that is not base64"),
        },
        Some(tag @ ("!!bool" | "!!float" | "!!int" | "!!null" | "!!timestamp")) => {
            match (tag, plain(text)) {
                ("!!null", Resolved::Null) => Resolved::Null,
                ("!!float", Resolved::Leaf(Leaf::Typed(value)))
                    if matches!(value.kind(), Kind::Float | Kind::Int) =>
                {
                    match Value::new(Kind::Float, value.into_plaintext()) {
                        Ok(value) => Resolved::Leaf(Leaf::Typed(value)),
                        Err(_) => Resolved::Refused("a number out of range"),
                    }
                }
                (_, Resolved::Leaf(Leaf::Typed(value))) if tag == name(value.kind()) => {
                    Resolved::Leaf(Leaf::Typed(value))
                }
                _ => Resolved::Refused("the value is not what its tag says"),
            }
        }
        // Quotes, and tags that say nothing that the peer knows.
        _ => as_text(text),
    }
}

/// What a scalar without quotes and tag is.
pub(super) fn plain(text: &str) -> Resolved<'_> {
    match typed(text) {
        Typed::Bool(value) => leaf(Value::bool(value)),
        Typed::Float(value) => leaf(Value::float(value)),
        Typed::Int(value) => leaf(Value::int(value)),
        Typed::Null => Resolved::Null,
        Typed::Text => as_text(text),
        // Times are taken as they are spelled.
        Typed::Time(time) => {
            Value::new(Kind::Time, time.into_bytes().into()).map_or_else(|_| as_text(text), leaf)
        }
        Typed::Unsigned => Resolved::Refused(
            "a whole number above 9223372036854775807, for which the format has no type",
        ),
    }
}

/// Whether a text without quotes would be that text.
pub(super) fn stays_text(text: &str) -> bool {
    matches!(typed(text), Typed::Text)
}

enum Typed {
    Bool(bool),
    Float(f64),
    Int(i64),
    Null,
    Text,
    Time(String),
    Unsigned,
}

fn typed(text: &str) -> Typed {
    match text.as_bytes().first() {
        None => Typed::Null,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => {
            word(text)
        }
        Some(b'.') => match word(text) {
            Typed::Text => parse_float(text).map_or(Typed::Text, Typed::Float),
            word => word,
        },
        Some(b'+' | b'-') => match word(text) {
            Typed::Text => number(text),
            word => word,
        },
        Some(b'0'..=b'9') => time::canonical(text).map_or_else(|| number(text), Typed::Time),
        Some(_) => Typed::Text,
    }
}

fn word(text: &str) -> Typed {
    match text {
        "true" | "True" | "TRUE" => Typed::Bool(true),
        "false" | "False" | "FALSE" => Typed::Bool(false),
        "~" | "null" | "Null" | "NULL" => Typed::Null,
        ".nan" | ".NaN" | ".NAN" => Typed::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Typed::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Typed::Float(f64::NEG_INFINITY),
        _ => Typed::Text,
    }
}

fn number(text: &str) -> Typed {
    let digits: Cow<'_, str> = if text.contains('_') {
        Cow::Owned(text.replace('_', ""))
    } else {
        Cow::Borrowed(text)
    };
    match parse_integer(&digits) {
        Some(Integer::Signed(value)) => Typed::Int(value),
        Some(Integer::Unsigned(_)) => Typed::Unsigned,
        None => parse_float(&digits).map_or(Typed::Text, Typed::Float),
    }
}

fn as_text(text: &str) -> Resolved<'_> {
    Resolved::Leaf(Leaf::Text(Cow::Borrowed(text)))
}

fn leaf<'s>(value: Value) -> Resolved<'s> {
    Resolved::Leaf(Leaf::Typed(value))
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "!!bool",
        Kind::Float => "!!float",
        Kind::Int => "!!int",
        Kind::Time => "!!timestamp",
        Kind::Bytes | Kind::Comment | Kind::Str => "!!str",
    }
}
