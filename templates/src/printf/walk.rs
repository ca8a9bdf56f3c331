//! Values of any type under a verb; lists and maps element by element.

use super::Printer;
use crate::error::{Failure, Limit};
use crate::functions::dates;
use crate::value::{Elements, Integer, IntegerKind, List, Map, Value};

impl Printer<'_> {
    pub(super) fn argument(&mut self, value: &Value, verb: char) -> Result<(), Failure> {
        match (value, verb) {
            (Value::Nil, 'T' | 'v') => self.pad(b"<nil>"),
            (Value::Nil, _) | (_, 'p') => self.bad_verb(value, verb),
            (_, 'T') => self.text(value.type_name().as_bytes(), 's', value),
            _ => self.value(value, verb),
        }
    }

    fn value(&mut self, value: &Value, verb: char) -> Result<(), Failure> {
        match value {
            Value::Nil if verb == 'v' && self.flags.sharp_v => self.push("interface {}(nil)"),
            Value::Nil => self.push("<nil>"),
            Value::Bool(truth) if matches!(verb, 't' | 'v') => {
                self.pad(if *truth { b"true" } else { b"false" })
            }
            Value::Bool(_) => self.bad_verb(value, verb),
            Value::Integer(integer) => match name(*integer) {
                Some(name) if self.names(verb) => self.text(name.as_bytes(), verb, value),
                _ => self.integer(*integer, verb, value),
            },
            Value::Float(float) => self.float(*float, verb, value),
            Value::Number(number) => self.number(number, verb, value),
            Value::Text(text) => self.text(text, verb, value),
            Value::Bytes(bytes) => self.bytes(bytes, verb, value),
            Value::List(list) => self.deeper(|this| this.list(list, verb)),
            Value::Map(map) => self.deeper(|this| this.map(map, verb)),
            Value::Time(time) if self.flags.sharp_v => self.push(dates::go_syntax(time)),
            Value::Time(time) => self.text(dates::to_string(time).as_bytes(), verb, value),
            Value::Certificate(certificate) => {
                let fields = [("Cert", &certificate.cert), ("Key", &certificate.key)];
                self.fields("sprig.certificate", &fields, verb)
            }
            Value::Version(version) => self.text(version.to_string().as_bytes(), verb, value),
        }
    }

    /// Whether a value with a name of its own, such as a month, prints it.
    fn names(&self, verb: char) -> bool {
        !self.flags.sharp_v && matches!(verb, 'v' | 's' | 'q' | 'x' | 'X')
    }

    fn deeper(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.depth = self.depth.checked_sub(1).ok_or(Limit::Depth)?;
        let done = run(self);
        self.depth += 1;
        done
    }

    fn list(&mut self, list: &List, verb: char) -> Result<(), Failure> {
        let sharp = self.flags.sharp_v;
        let value = Value::List(list.clone());
        if sharp {
            self.push(value.type_name())?;
            if list.is_nil() {
                return self.push("(nil)");
            }
        }
        self.push(if sharp { "{" } else { "[" })?;
        for (index, item) in list.items().iter().enumerate() {
            if index > 0 {
                self.push(if sharp { ", " } else { " " })?;
            }
            self.value(item, verb)?;
        }
        self.push(if sharp { "}" } else { "]" })
    }

    fn map(&mut self, map: &Map, verb: char) -> Result<(), Failure> {
        let sharp = self.flags.sharp_v;
        if sharp {
            self.push(Value::Map(map.clone()).type_name())?;
            if map.is_nil() {
                return self.push("(nil)");
            }
        }
        self.push(if sharp { "{" } else { "map[" })?;
        for (index, (key, item)) in map.entries().into_iter().enumerate() {
            if index > 0 {
                self.push(if sharp { ", " } else { " " })?;
            }
            self.value(&Value::Text(key), verb)?;
            self.push(":")?;
            self.value(&item, verb)?;
        }
        self.push(if sharp { "}" } else { "]" })
    }

    fn fields(
        &mut self,
        type_name: &str,
        fields: &[(&str, &crate::Text)],
        verb: char,
    ) -> Result<(), Failure> {
        let (sharp, named) = (self.flags.sharp_v, self.flags.sharp_v || self.flags.plus_v);
        if sharp {
            self.push(type_name)?;
        }
        self.push("{")?;
        for (index, (name, text)) in fields.iter().enumerate() {
            if index > 0 {
                self.push(if sharp { ", " } else { " " })?;
            }
            if named {
                self.push(format!("{name}:"))?;
            }
            self.value(&Value::Text((*text).clone()), verb)?;
        }
        self.push("}")
    }

    fn bytes(&mut self, bytes: &crate::Text, verb: char, value: &Value) -> Result<(), Failure> {
        match verb {
            's' | 'x' | 'X' | 'q' => self.text(bytes, verb, value),
            'v' if self.flags.sharp_v => {
                self.push("[]byte{")?;
                for (index, byte) in bytes.iter().enumerate() {
                    self.push(format!("{}{byte:#x}", if index > 0 { ", " } else { "" }))?;
                }
                self.push("}")
            }
            _ => {
                let items = value.items().unwrap_or_default();
                self.list(&List::new(Elements::Any, items), verb)
            }
        }
    }

    /// `%!d(string=hi)`: the template's own output, so the value is in it as in Go.
    pub(super) fn bad_verb(&mut self, value: &Value, verb: char) -> Result<(), Failure> {
        self.push("%!")?;
        self.out.push_char(verb)?;
        self.push("(")?;
        self.with_type(value)?;
        self.push(")")
    }

    pub(super) fn with_type(&mut self, value: &Value) -> Result<(), Failure> {
        if let Value::Nil = value {
            return self.push("<nil>");
        }
        self.push(value.type_name())?;
        self.push("=")?;
        self.argument(value, 'v')
    }
}

/// The name of a month, a weekday, a duration.
fn name(integer: Integer) -> Option<String> {
    match integer.kind {
        IntegerKind::Month => Some(dates::month(integer.value).to_owned()),
        IntegerKind::Weekday => Some(dates::weekday(integer.value).to_owned()),
        IntegerKind::Duration => Some(dates::duration_to_string(integer.value)),
        _ => None,
    }
}
