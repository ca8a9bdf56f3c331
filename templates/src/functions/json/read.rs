//! A JSON text as a value. Numbers keep their text.

use std::collections::BTreeMap;

use crate::error::{Failure, Limit};
use crate::limits::Context;
use crate::value::{Elements, List, Map, Number, Text, Value};

const INVALID: Failure = Failure::Said(std::borrow::Cow::Borrowed("the text is no JSON"));

/// Reads a whole text. Of a key that is there twice the last value counts.
pub(crate) fn parse(context: &mut Context<'_, '_>, text: &[u8]) -> Result<Value, Failure> {
    let text = String::from_utf8_lossy(text);
    let mut reader = Reader {
        context,
        rest: &text,
    };
    let depth = reader.context.depth();
    let value = reader.value(depth)?;
    reader.space();
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(INVALID)
    }
}

struct Reader<'a, 'b, 'c, 'd> {
    context: &'a mut Context<'c, 'd>,
    rest: &'b str,
}

impl Reader<'_, '_, '_, '_> {
    fn value(&mut self, depth: usize) -> Result<Value, Failure> {
        let depth = depth.checked_sub(1).ok_or(Limit::Depth)?;
        self.context.spend_steps(1)?;
        self.context.spend_memory(size_of::<Value>())?;
        self.space();
        match self.rest.as_bytes().first() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::Text),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Nil),
            _ => self.number(),
        }
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    /// Passes over a character, and the spaces before it, if it is there.
    fn skip(&mut self, c: char) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Failure> {
        self.rest = self.rest.strip_prefix(word).ok_or(INVALID)?;
        Ok(value)
    }

    fn array(&mut self, depth: usize) -> Result<Value, Failure> {
        self.skip('[');
        let mut items = Vec::new();
        if !self.skip(']') {
            loop {
                items.push(self.value(depth)?);
                if self.skip(']') {
                    break;
                }
                if !self.skip(',') {
                    return Err(INVALID);
                }
            }
        }
        Ok(List::new(Elements::Any, items).into())
    }

    fn object(&mut self, depth: usize) -> Result<Value, Failure> {
        self.skip('{');
        let mut entries = BTreeMap::new();
        if !self.skip('}') {
            loop {
                self.space();
                let key = self.string()?;
                if !self.skip(':') {
                    return Err(INVALID);
                }
                entries.insert(key, self.value(depth)?);
                if self.skip('}') {
                    break;
                }
                if !self.skip(',') {
                    return Err(INVALID);
                }
            }
        }
        Ok(Map::new(Elements::Any, entries).into())
    }

    fn number(&mut self) -> Result<Value, Failure> {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let digits = text.strip_prefix('-').unwrap_or(text);
        let leading_zero =
            digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        let bare_point = digits.contains(".e") || digits.contains(".E");
        if leading_zero || bare_point {
            return Err(INVALID);
        }
        Number::new(text).map(Value::Number).ok_or(INVALID)
    }

    fn string(&mut self) -> Result<Text, Failure> {
        let mut rest = self.rest.strip_prefix('"').ok_or(INVALID)?;
        let mut sink = self.context.sink();
        loop {
            let end = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .ok_or(INVALID)?;
            sink.push(&rest[..end])?;
            rest = &rest[end..];
            if let Some(after) = rest.strip_prefix('"') {
                self.rest = after;
                self.context.spend_memory(sink.len())?;
                return Ok(sink.finish());
            }
            rest = rest.strip_prefix('\\').ok_or(INVALID)?;
            let (c, after) = escaped(rest).ok_or(INVALID)?;
            sink.push_char(c)?;
            rest = after;
        }
    }
}

/// The character after a backslash, and what follows it.
fn escaped(text: &str) -> Option<(char, &str)> {
    let c = match text.chars().next()? {
        c @ ('"' | '\\' | '/') => c,
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return unicode(&text[1..]),
        _ => return None,
    };
    Some((c, &text[1..]))
}

/// A half of a pair without the other half is a replacement character.
fn unicode(text: &str) -> Option<(char, &str)> {
    let (first, rest) = unit(text)?;
    if let Some(c) = char::from_u32(first) {
        return Some((c, rest));
    }
    let second = rest.strip_prefix("\\u").and_then(unit);
    if let (0xd800..0xdc00, Some((second @ 0xdc00..0xe000, rest))) = (first, second) {
        let c = char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        return Some((c?, rest));
    }
    Some((char::REPLACEMENT_CHARACTER, rest))
}

fn unit(text: &str) -> Option<(u32, &str)> {
    let digits = text
        .get(..4)
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((u32::from_str_radix(digits, 16).ok()?, &text[4..]))
}
