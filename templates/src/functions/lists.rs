//! Lists. None of these changes a list: they make another one.

use super::Table;
use super::cast::{is_empty, to_int};
use crate::compare::deep_equal;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::{Function, Int, Rest};
use crate::value::{Elements, List, Value};

pub(super) fn table() -> Table {
    vec![
        ("append", Function::new(append)),
        ("chunk", Function::new(chunk)),
        ("compact", Function::new(compact)),
        ("concat", Function::new(concat)),
        ("first", Function::new(first)),
        ("has", Function::new(has)),
        ("initial", Function::new(initial)),
        ("last", Function::new(last)),
        ("list", Function::new(list)),
        ("mustAppend", Function::new(append)),
        ("mustChunk", Function::new(chunk)),
        ("mustCompact", Function::new(compact)),
        ("mustFirst", Function::new(first)),
        ("mustHas", Function::new(has)),
        ("mustInitial", Function::new(initial)),
        ("mustLast", Function::new(last)),
        ("mustPrepend", Function::new(prepend)),
        ("mustPush", Function::new(append)),
        ("mustRest", Function::new(rest)),
        ("mustReverse", Function::new(reverse)),
        ("mustSlice", Function::new(slice)),
        ("mustUniq", Function::new(uniq)),
        ("mustWithout", Function::new(without)),
        ("prepend", Function::new(prepend)),
        ("push", Function::new(append)),
        ("rest", Function::new(rest)),
        ("reverse", Function::new(reverse)),
        ("slice", Function::new(slice)),
        ("tuple", Function::new(list)),
        ("uniq", Function::new(uniq)),
        ("without", Function::new(without)),
    ]
}

fn any(items: Vec<Value>) -> List {
    List::new(Elements::Any, items)
}

/// The items of a list; what is none is an error of whoever asks.
fn items(value: &Value) -> Result<Vec<Value>, Failure> {
    let kind = value.kind_name();
    value
        .items()
        .ok_or_else(|| format!("the value is no list but of kind {kind}").into())
}

fn list(_: &mut Context<'_, '_>, items: Rest<Value>) -> Result<List, Failure> {
    Ok(any(items.0))
}

fn append(_: &mut Context<'_, '_>, list: Value, item: Value) -> Result<List, Failure> {
    let mut items = items(&list)?;
    items.push(item);
    Ok(any(items))
}

fn prepend(_: &mut Context<'_, '_>, list: Value, item: Value) -> Result<List, Failure> {
    let mut items = items(&list)?;
    items.insert(0, item);
    Ok(any(items))
}

fn concat(context: &mut Context<'_, '_>, lists: Rest<Value>) -> Result<List, Failure> {
    let mut all = Vec::new();
    for list in &lists.0 {
        let mut items = items(list)?;
        context.afford(all.len() + items.len())?;
        all.append(&mut items);
    }
    if all.is_empty() {
        return Ok(List::nil(Elements::Any));
    }
    Ok(any(all))
}

fn first(_: &mut Context<'_, '_>, list: Value) -> Result<Value, Failure> {
    Ok(items(&list)?.first().cloned().unwrap_or_default())
}

fn last(_: &mut Context<'_, '_>, list: Value) -> Result<Value, Failure> {
    Ok(items(&list)?.pop().unwrap_or_default())
}

/// All but the first.
fn rest(_: &mut Context<'_, '_>, list: Value) -> Result<List, Failure> {
    let mut items = items(&list)?;
    if items.is_empty() {
        return Ok(List::nil(Elements::Any));
    }
    items.remove(0);
    Ok(any(items))
}

/// All but the last.
fn initial(_: &mut Context<'_, '_>, list: Value) -> Result<List, Failure> {
    let mut items = items(&list)?;
    match items.pop() {
        Some(_) => Ok(any(items)),
        None => Ok(List::nil(Elements::Any)),
    }
}

fn reverse(_: &mut Context<'_, '_>, list: Value) -> Result<List, Failure> {
    let mut items = items(&list)?;
    items.reverse();
    Ok(any(items))
}

/// Without what is empty.
fn compact(_: &mut Context<'_, '_>, list: Value) -> Result<List, Failure> {
    let mut items = items(&list)?;
    items.retain(|item| !is_empty(item));
    Ok(any(items))
}

fn contains(
    context: &mut Context<'_, '_>,
    items: &[Value],
    wanted: &Value,
) -> Result<bool, Failure> {
    for item in items {
        if deep_equal(context, item, wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn uniq(context: &mut Context<'_, '_>, list: Value) -> Result<List, Failure> {
    let mut unique = Vec::new();
    for item in items(&list)? {
        if !contains(context, &unique, &item)? {
            unique.push(item);
        }
    }
    Ok(any(unique))
}

fn without(
    context: &mut Context<'_, '_>,
    list: Value,
    omitted: Rest<Value>,
) -> Result<List, Failure> {
    let mut kept = Vec::new();
    for item in items(&list)? {
        if !contains(context, &omitted.0, &item)? {
            kept.push(item);
        }
    }
    Ok(any(kept))
}

fn has(context: &mut Context<'_, '_>, wanted: Value, list: Value) -> Result<bool, Failure> {
    if let Value::Nil = list {
        return Ok(false);
    }
    contains(context, &items(&list)?, &wanted)
}

/// From one index to another; of a list alone, unlike the language's own function of this name.
fn slice(_: &mut Context<'_, '_>, list: Value, bounds: Rest<Value>) -> Result<Value, Failure> {
    let items = items(&list)?;
    if items.is_empty() {
        return Ok(Value::Nil);
    }
    let start = bounds
        .0
        .first()
        .map_or(Ok(0), |bound| usize::try_from(to_int(bound)));
    let end = bounds
        .0
        .get(1)
        .map_or(Ok(items.len()), |bound| usize::try_from(to_int(bound)));
    let part = match (start, end) {
        (Ok(start), Ok(end)) => items.get(start..end),
        _ => None,
    };
    let part = part.ok_or("slice bounds out of range")?.to_vec();
    Ok(match &list {
        Value::List(list) => List::new(list.elements(), part).into(),
        Value::Bytes(bytes) => {
            let start = start.unwrap_or(0);
            Value::Bytes(bytes[start..start + part.len()].into())
        }
        _ => Value::Nil,
    })
}

/// Lists of so many items each.
fn chunk(_: &mut Context<'_, '_>, size: Int, list: Value) -> Result<List, Failure> {
    if size.0 < 1 {
        return Err("the size of a chunk must be at least 1".into());
    }
    let chunks = items(&list)?;
    let chunks = chunks
        .chunks(size.count())
        .map(|chunk| any(chunk.to_vec()).into());
    Ok(List::new(Elements::Lists, chunks.collect()))
}
