//! A value as JSON, as Go's `encoding/json` writes it: keys sorted, floats in the shortest form.

use crate::error::{Failure, Limit};
use crate::functions::{dates, encoding};
use crate::limits::Context;
use crate::printf::float;
use crate::text::Sink;
use crate::value::{Text, Value};

#[derive(Clone, Copy)]
pub(super) struct Style {
    /// In lines, with two spaces for each level.
    pub(super) pretty: bool,
    /// With `<`, `>` and `&` escaped.
    pub(super) html: bool,
}

pub(super) fn write(
    context: &Context<'_, '_>,
    value: &Value,
    style: Style,
) -> Result<Text, Failure> {
    let mut writer = Writer {
        sink: context.sink(),
        style,
        level: 0,
        depth: context.depth(),
    };
    writer.value(value)?;
    Ok(writer.sink.finish())
}

struct Writer {
    sink: Sink,
    style: Style,
    level: usize,
    depth: usize,
}

impl Writer {
    fn value(&mut self, value: &Value) -> Result<(), Failure> {
        match value {
            Value::Nil => self.sink.push("null"),
            Value::Bool(truth) => self.sink.push(truth.to_string()),
            Value::Integer(integer) => self.sink.push(integer.value.to_string()),
            Value::Float(float) => self.sink.push(number(*float)?),
            Value::Number(number) => self.sink.push(number.as_str()),
            Value::Text(text) => self.string(text),
            Value::Bytes(bytes) => self.sink.push(format!("\"{}\"", encoding::base64(bytes))),
            Value::List(list) if list.is_nil() => self.sink.push("null"),
            Value::Map(map) if map.is_nil() => self.sink.push("null"),
            Value::List(list) => {
                let items = list
                    .items()
                    .iter()
                    .map(|item| (None, item.clone()))
                    .collect();
                self.container("[", items, "]")
            }
            Value::Map(map) => {
                let entries = map
                    .entries()
                    .into_iter()
                    .map(|(key, value)| (Some(key), value));
                self.container("{", entries.collect(), "}")
            }
            Value::Time(time) => {
                let text = dates::format(time, "2006-01-02T15:04:05.999999999Z07:00");
                self.sink.push(format!("\"{text}\""))
            }
            Value::Certificate(certificate) => {
                let field =
                    |name: &str, text: &Text| (Some(name.into()), Value::Text(text.clone()));
                let fields = vec![
                    field("Cert", &certificate.cert),
                    field("Key", &certificate.key),
                ];
                self.container("{", fields, "}")
            }
            Value::Version(version) => self.string(version.to_string().as_bytes()),
        }
    }

    fn container(
        &mut self,
        open: &str,
        entries: Vec<(Option<Text>, Value)>,
        close: &str,
    ) -> Result<(), Failure> {
        if self.level == self.depth {
            return Err(Limit::Depth.into());
        }
        self.sink.push(open)?;
        self.level += 1;
        let empty = entries.is_empty();
        for (index, (key, value)) in entries.into_iter().enumerate() {
            if index > 0 {
                self.sink.push(",")?;
            }
            self.line()?;
            if let Some(key) = key {
                self.string(&key)?;
                self.sink.push(if self.style.pretty { ": " } else { ":" })?;
            }
            self.value(&value)?;
        }
        self.level -= 1;
        if !empty {
            self.line()?;
        }
        self.sink.push(close)
    }

    fn line(&mut self) -> Result<(), Failure> {
        if self.style.pretty {
            self.sink.push("\n")?;
            self.sink.fill(b' ', self.level * 2)?;
        }
        Ok(())
    }

    fn string(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.sink.push("\"")?;
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '"' => self.sink.push("\\\""),
                    '\\' => self.sink.push("\\\\"),
                    '\x08' => self.sink.push("\\b"),
                    '\x0c' => self.sink.push("\\f"),
                    '\n' => self.sink.push("\\n"),
                    '\r' => self.sink.push("\\r"),
                    '\t' => self.sink.push("\\t"),
                    '<' | '>' | '&' if self.style.html => self.escape(c),
                    '\0'..' ' | '\u{2028}' | '\u{2029}' => self.escape(c),
                    c => self.sink.push_char(c),
                }?;
            }
            for _ in chunk.invalid() {
                self.sink.push("\u{fffd}")?;
            }
        }
        self.sink.push("\"")
    }

    fn escape(&mut self, c: char) -> Result<(), Failure> {
        self.sink.push(format!("\\u{:04x}", u32::from(c)))
    }
}

/// An exponent only for what is very small or very large.
fn number(value: f64) -> Result<String, Failure> {
    if !value.is_finite() {
        return Err("JSON has no such number".into());
    }
    let magnitude = value.abs();
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        // One digit of a negative exponent is enough here.
        let text = float::format(magnitude, 'e', None).replace("e-0", "e-");
        return Ok(format!("{sign}{text}"));
    }
    Ok(format!("{sign}{}", float::format(magnitude, 'f', None)))
}
