//! A YAML text as a value. Numbers keep their text where JSON could have it.

use std::collections::{BTreeMap, HashMap};

use granit_parser::{Event, Parser, ScalarStyle};

use super::resolve::{Plain, resolve};
use crate::error::{Failure, Limit};
use crate::limits::Context;
use crate::value::{Elements, List, Map, Number, Text, Value};

const INVALID: Failure = Failure::Said(std::borrow::Cow::Borrowed("the text is no YAML"));

/// Reads the first document of a text; none is nothing.
pub(super) fn read(context: &mut Context<'_, '_>, text: &[u8]) -> Result<Value, Failure> {
    let text = std::str::from_utf8(text).map_err(|_| INVALID)?;
    let mut reader = Reader {
        context,
        open: Vec::new(),
        anchors: HashMap::new(),
        root: None,
    };
    for next in Parser::new_from_str(text) {
        let (event, _) = next.map_err(|_| INVALID)?;
        reader.context.spend_steps(1)?;
        if let Event::DocumentEnd = event {
            break;
        }
        reader.event(event)?;
    }
    Ok(reader.root.unwrap_or_default())
}

/// A collection whose end has not come yet, with its anchor.
enum Open {
    List(Vec<Value>, usize),
    Map {
        entries: BTreeMap<Text, Value>,
        merged: BTreeMap<Text, Value>,
        key: Option<Key>,
        anchor: usize,
    },
}

enum Key {
    Name(Text),
    /// `<<`
    Merge,
}

struct Reader<'a, 'b, 'c> {
    context: &'a mut Context<'b, 'c>,
    open: Vec<Open>,
    anchors: HashMap<usize, Value>,
    root: Option<Value>,
}

impl Reader<'_, '_, '_> {
    fn event(&mut self, event: Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.context.spend_memory(text.len() + size_of::<Value>())?;
                let plain = style == ScalarStyle::Plain && tag.is_none();
                self.scalar(&text, plain, anchor)
            }
            Event::SequenceStart(_, anchor, _) => self.begin(Open::List(Vec::new(), anchor)),
            Event::MappingStart(_, anchor, _) => self.begin(Open::Map {
                entries: BTreeMap::new(),
                merged: BTreeMap::new(),
                key: None,
                anchor,
            }),
            Event::SequenceEnd | Event::MappingEnd => {
                let (value, anchor) = match self.open.pop().ok_or(INVALID)? {
                    Open::List(items, anchor) => (List::new(Elements::Any, items).into(), anchor),
                    Open::Map {
                        entries,
                        mut merged,
                        anchor,
                        ..
                    } => {
                        merged.extend(entries);
                        (Map::new(Elements::Any, merged).into(), anchor)
                    }
                };
                self.value(value, anchor)
            }
            Event::Alias(anchor) => {
                let value = self.anchors.get(&anchor).cloned().ok_or(INVALID)?;
                self.value(value, 0)
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, open: Open) -> Result<(), Failure> {
        if self.open.len() == self.context.depth() {
            return Err(Limit::Depth.into());
        }
        // A collection cannot be a key.
        if let Some(Open::Map { key: None, .. }) = self.open.last() {
            return Err(INVALID);
        }
        self.open.push(open);
        Ok(())
    }

    fn scalar(&mut self, text: &str, plain: bool, anchor: usize) -> Result<(), Failure> {
        let resolved = if plain { resolve(text) } else { Plain::Text };
        if let Some(Open::Map {
            key: key @ None, ..
        }) = self.open.last_mut()
        {
            *key = Some(match resolved {
                Plain::Text if plain && text == "<<" => Key::Merge,
                Plain::Null => return Err(INVALID),
                Plain::Bool(truth) => Key::Name(truth.to_string().into()),
                Plain::Number(number) => Key::Name(number.into()),
                Plain::Text | Plain::Odd => Key::Name(text.into()),
            });
            return Ok(());
        }
        let value = match resolved {
            Plain::Null => Value::Nil,
            Plain::Bool(truth) => Value::Bool(truth),
            Plain::Number(number) => Number::new(&number).map(Value::Number).ok_or(INVALID)?,
            // As in JSON, there is no such number.
            Plain::Odd => return Err(INVALID),
            Plain::Text => text.into(),
        };
        self.value(value, anchor)
    }

    fn value(&mut self, value: Value, anchor: usize) -> Result<(), Failure> {
        if anchor > 0 {
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items, _)) => items.push(value),
            Some(Open::Map {
                entries,
                merged,
                key,
                ..
            }) => match key.take() {
                // Of a key that is there twice the last value counts.
                Some(Key::Name(name)) => _ = entries.insert(name, value),
                Some(Key::Merge) => merge(merged, value)?,
                None => return Err(INVALID),
            },
        }
        Ok(())
    }
}

/// What a merge brings gives way to what stands in the mapping itself and to what came before.
fn merge(into: &mut BTreeMap<Text, Value>, value: Value) -> Result<(), Failure> {
    match value {
        Value::Map(map) => {
            for (key, value) in map.entries() {
                into.entry(key).or_insert(value);
            }
            Ok(())
        }
        Value::List(list) => {
            let maps = list.items().iter().cloned();
            let maps = maps.filter(|item| matches!(item, Value::Map(_)));
            maps.into_iter().try_for_each(|map| merge(into, map))
        }
        _ => Err(INVALID),
    }
}
