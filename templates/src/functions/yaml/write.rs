//! A value as YAML in blocks, by way of what JSON says of it.

use super::{order, scalar};
use crate::error::{Failure, Limit};
use crate::functions::json;
use crate::limits::Context;
use crate::printf::float;
use crate::text::Sink;
use crate::value::{Text, Value};

pub(super) fn write(context: &mut Context<'_, '_>, value: &Value) -> Result<Text, Failure> {
    // What is no text, number, list or map becomes one on the way through JSON.
    let json = json::write_raw(context, value)?;
    let value = json::parse(context, &json)?;
    let mut writer = Writer {
        sink: context.sink(),
        depth: context.depth(),
    };
    writer.value(&value, 0, Place::Line)?;
    Ok(writer.sink.finish())
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the beginning of a line that is indented already, or after `- `.
    Line,
    /// After `key:`.
    Key { column: usize },
}

struct Writer {
    sink: Sink,
    depth: usize,
}

impl Writer {
    fn value(&mut self, value: &Value, indent: usize, place: Place) -> Result<(), Failure> {
        if indent > self.depth * 2 {
            return Err(Limit::Depth.into());
        }
        match value {
            Value::List(list) if list.is_empty() => self.inline("[]", place),
            Value::Map(map) if map.is_empty() => self.inline("{}", place),
            Value::List(list) => {
                for (index, item) in list.items().iter().enumerate() {
                    if index > 0 || place != Place::Line {
                        self.line(indent)?;
                    }
                    self.sink.push("- ")?;
                    self.value(item, indent + 2, Place::Line)?;
                }
                Ok(())
            }
            Value::Map(map) => {
                let mut entries = map.entries();
                entries
                    .sort_by(|(left, _), (right, _)| order::compare(&left.lossy(), &right.lossy()));
                for (index, (key, item)) in entries.iter().enumerate() {
                    if index > 0 || place != Place::Line {
                        self.line(indent)?;
                    }
                    self.entry(key, item, indent)?;
                }
                Ok(())
            }
            scalar => self.scalar(scalar, indent, place),
        }
    }

    fn entry(&mut self, key: &Text, item: &Value, indent: usize) -> Result<(), Failure> {
        let key = scalar::write(&key.lossy(), indent, indent, true);
        self.sink.push(&key)?;
        self.sink.push(":")?;
        let column = indent + key.chars().count() + 2;
        // The items of a list stand under its key.
        let inner = if matches!(item, Value::List(_)) {
            indent
        } else {
            indent + 2
        };
        self.value(item, inner, Place::Key { column })
    }

    fn scalar(&mut self, value: &Value, indent: usize, place: Place) -> Result<(), Failure> {
        let written = match value {
            Value::Bool(truth) => truth.to_string(),
            Value::Number(number) => plain_number(number.as_str(), number.as_f64()),
            Value::Text(text) => {
                let (column, indent) = match place {
                    Place::Key { column } => (column, indent),
                    Place::Line => (indent, indent.max(2)),
                };
                scalar::write(&text.lossy(), column, indent, false)
            }
            _ => "null".to_owned(),
        };
        self.inline(&written, place)
    }

    fn inline(&mut self, text: &str, place: Place) -> Result<(), Failure> {
        if let Place::Key { .. } = place {
            self.sink.push(" ")?;
        }
        self.sink.push(text)
    }

    fn line(&mut self, indent: usize) -> Result<(), Failure> {
        self.sink.push("\n")?;
        self.sink.fill(b' ', indent)
    }
}

/// An exponent has a sign and two digits, as Go writes it; all else stays as it is.
fn plain_number(text: &str, value: f64) -> String {
    if !text.contains(['e', 'E']) {
        return text.to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    format!("{sign}{}", float::format(value.abs(), 'g', None))
}
