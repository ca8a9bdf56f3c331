//! Maps. `set`, `unset` and the merging functions change the map itself, as in Go.

use std::collections::BTreeMap;

use super::Table;
use super::cast::to_text;
use super::strings::texts;
use crate::error::{Failure, Limit};
use crate::limits::Context;
use crate::signature::{Function, Rest};
use crate::value::{Elements, List, Map, Text, Value};

mod copy;
mod merge;

pub(super) fn table() -> Table {
    let mut table = vec![
        ("deepCopy", Function::new(copy::deep_copy)),
        ("dict", Function::new(dict)),
        ("dig", Function::new(dig)),
        ("get", Function::new(get)),
        ("hasKey", Function::new(has_key)),
        ("keys", Function::new(keys)),
        ("mustDeepCopy", Function::new(copy::deep_copy)),
        ("omit", Function::new(omit)),
        ("pick", Function::new(pick)),
        ("pluck", Function::new(pluck)),
        ("set", Function::new(set)),
        ("unset", Function::new(unset)),
        ("values", Function::new(values)),
    ];
    table.extend(merge::table());
    table
}

/// Keys and values in turn; a last key without a value has the empty text.
fn dict(context: &mut Context<'_, '_>, pairs: Rest<Value>) -> Result<Map, Failure> {
    let mut entries = BTreeMap::new();
    for pair in pairs.0.chunks(2) {
        let key = to_text(context, &pair[0])?;
        entries.insert(key, pair.get(1).cloned().unwrap_or_else(|| "".into()));
    }
    Ok(Map::new(Elements::Any, entries))
}

fn get(_: &mut Context<'_, '_>, map: Map, key: Text) -> Result<Value, Failure> {
    Ok(map.get(&key).unwrap_or_else(|| "".into()))
}

fn has_key(_: &mut Context<'_, '_>, map: Map, key: Text) -> Result<bool, Failure> {
    Ok(map.get(&key).is_some())
}

fn set(context: &mut Context<'_, '_>, map: Map, key: Text, value: Value) -> Result<Map, Failure> {
    put(context, &map, key, value)?;
    Ok(map)
}

/// A map that contained itself would be printed for ever and never be freed.
fn put(context: &mut Context<'_, '_>, map: &Map, key: Text, value: Value) -> Result<(), Failure> {
    if map.is_nil() {
        return Err("assignment to entry in nil map".into());
    }
    if reaches(context, &value, map)? {
        return Err("a map cannot be put into itself".into());
    }
    // What grows in place is paid for here: the result is the same map each time.
    context.spend_memory(key.len() + size_of::<Value>() * 2)?;
    map.insert(key, value);
    Ok(())
}

/// Whether a map is somewhere in a value.
fn reaches(context: &mut Context<'_, '_>, value: &Value, map: &Map) -> Result<bool, Failure> {
    let mut ahead = vec![value.clone()];
    while let Some(value) = ahead.pop() {
        context.spend_steps(1)?;
        match value {
            Value::Map(inner) if inner.is(map) => return Ok(true),
            Value::Map(inner) if inner.elements() == Elements::Any => {
                ahead.extend(inner.entries().into_iter().map(|(_, value)| value));
            }
            Value::List(list) if matches!(list.elements(), Elements::Any | Elements::Lists) => {
                ahead.extend(list.items().iter().cloned());
            }
            _ => {}
        }
    }
    Ok(false)
}

fn unset(_: &mut Context<'_, '_>, map: Map, key: Text) -> Result<Map, Failure> {
    map.remove(&key);
    Ok(map)
}

/// In their order, where Go's is by chance.
fn keys(_: &mut Context<'_, '_>, maps: Rest<Map>) -> Result<List, Failure> {
    let entries = maps.0.iter().flat_map(Map::entries);
    Ok(texts(entries.map(|(key, _)| key).collect()))
}

/// In the order of their keys, where Go's is by chance.
fn values(_: &mut Context<'_, '_>, map: Map) -> Result<List, Failure> {
    let values = map.entries().into_iter().map(|(_, value)| value);
    Ok(List::new(Elements::Any, values.collect()))
}

fn pluck(_: &mut Context<'_, '_>, key: Text, maps: Rest<Map>) -> Result<List, Failure> {
    let found = maps.0.iter().filter_map(|map| map.get(&key));
    Ok(List::new(Elements::Any, found.collect()))
}

fn pick(_: &mut Context<'_, '_>, map: Map, keys: Rest<Text>) -> Result<Map, Failure> {
    let picked = keys.0.into_iter().filter_map(|key| {
        let value = map.get(&key)?;
        Some((key, value))
    });
    Ok(Map::new(Elements::Any, picked.collect()))
}

fn omit(context: &mut Context<'_, '_>, map: Map, keys: Rest<Text>) -> Result<Map, Failure> {
    context.spend_steps(keys.0.len())?;
    let mut entries: BTreeMap<Text, Value> = map.entries().into_iter().collect();
    for key in &keys.0 {
        entries.remove(key);
    }
    Ok(Map::new(Elements::Any, entries))
}

/// Keys, a default and a map: what is under the keys, one inside the other, or the default.
fn dig(context: &mut Context<'_, '_>, arguments: Rest<Value>) -> Result<Value, Failure> {
    let [path @ .., default, from] = arguments.0.as_slice() else {
        return Err("dig needs at least three arguments".into());
    };
    if path.is_empty() {
        return Err("dig needs at least three arguments".into());
    }
    if path.len() > context.depth() {
        return Err(Limit::Depth.into());
    }
    let mut keys = Vec::new();
    for key in path {
        let Value::Text(key) = key else {
            return Err("the keys of dig must be strings".into());
        };
        keys.push(key);
    }
    let mut value = from.clone();
    for key in keys {
        let Value::Map(map) = &value else {
            return Err("dig went into a value that is no map".into());
        };
        if map.elements() != Elements::Any {
            return Err("dig went into a map of another type".into());
        }
        match map.get(key) {
            Some(inner) => value = inner,
            None => return Ok(default.clone()),
        }
    }
    Ok(value)
}
