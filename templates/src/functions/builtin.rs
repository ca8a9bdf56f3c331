//! The functions that the language itself has.

use super::Table;
use crate::compare;
use crate::error::Failure;
use crate::limits::Context;
use crate::printf;
use crate::signature::{Function, Int, Rest};
use crate::text::Sink;
use crate::value::{List, Text, Value, byte_value};

mod escape;

pub(super) fn table() -> Table {
    vec![
        ("call", Function::new(call)),
        ("eq", Function::new(eq)),
        ("ge", Function::new(ge)),
        ("gt", Function::new(gt)),
        ("html", Function::new(html)),
        ("index", Function::new(index)),
        ("js", Function::new(js)),
        ("le", Function::new(le)),
        ("len", Function::new(len)),
        ("lt", Function::new(lt)),
        ("ne", Function::new(ne)),
        ("not", Function::new(not)),
        ("print", Function::new(print)),
        ("printf", Function::new(printf)),
        ("println", Function::new(println)),
        ("slice", Function::new(slice)),
        ("urlquery", Function::new(urlquery)),
    ]
}

/// Data has no functions in it, so there is nothing that could be called.
fn call(_: &mut Context<'_, '_>, function: Value, _: Rest<Value>) -> Result<Value, Failure> {
    match function {
        Value::Nil => Err("call of nil".into()),
        other => Err(format!("non-function of type {}", other.type_name()).into()),
    }
}

/// Whether the first is equal to any of the others.
fn eq(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<bool, Failure> {
    if others.0.is_empty() {
        return Err("missing argument for comparison".into());
    }
    for other in &others.0 {
        if compare::equal(&first, other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn ne(_: &mut Context<'_, '_>, left: Value, right: Value) -> Result<bool, Failure> {
    Ok(!compare::equal(&left, &right)?)
}

fn lt(_: &mut Context<'_, '_>, left: Value, right: Value) -> Result<bool, Failure> {
    compare::less(&left, &right)
}

fn le(_: &mut Context<'_, '_>, left: Value, right: Value) -> Result<bool, Failure> {
    Ok(compare::less(&left, &right)? || compare::equal(&left, &right)?)
}

fn gt(context: &mut Context<'_, '_>, left: Value, right: Value) -> Result<bool, Failure> {
    Ok(!le(context, left, right)?)
}

fn ge(_: &mut Context<'_, '_>, left: Value, right: Value) -> Result<bool, Failure> {
    Ok(!compare::less(&left, &right)?)
}

fn not(_: &mut Context<'_, '_>, value: Value) -> Result<bool, Failure> {
    Ok(!value.truth())
}

fn len(_: &mut Context<'_, '_>, value: Value) -> Result<Value, Failure> {
    let length = match &value {
        Value::Text(text) | Value::Bytes(text) => text.len(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        Value::Nil => return Err("len of nil pointer".into()),
        other => return Err(format!("len of type {}", other.type_name()).into()),
    };
    Ok(Value::count(length))
}

fn index(_: &mut Context<'_, '_>, item: Value, indexes: Rest<Value>) -> Result<Value, Failure> {
    if let Value::Nil = item {
        return Err("index of untyped nil".into());
    }
    indexes.0.iter().try_fold(item, |item, index| match &item {
        Value::Text(text) | Value::Bytes(text) => {
            let byte = text.get(position(index, text.len())?);
            byte.map(|byte| byte_value(*byte))
                .ok_or_else(|| OUT_OF_RANGE.into())
        }
        Value::List(list) => {
            let item = list.items().get(position(index, list.len())?);
            item.cloned().ok_or_else(|| OUT_OF_RANGE.into())
        }
        Value::Map(map) => match index {
            Value::Text(key) => Ok(map.get(key).unwrap_or_else(|| map.elements().zero())),
            Value::Nil => Err("value is nil; should be of type string".into()),
            other => Err(format!("value has type {}; should be string", other.type_name()).into()),
        },
        Value::Nil => Err("index of nil pointer".into()),
        other => Err(format!("can't index item of type {}", other.type_name()).into()),
    })
}

const OUT_OF_RANGE: &str = "index out of range";

fn position(index: &Value, most: usize) -> Result<usize, Failure> {
    let value = match index {
        Value::Integer(integer) => integer.value,
        Value::Nil => return Err("cannot index slice/array with nil".into()),
        other => {
            return Err(format!("cannot index slice/array with type {}", other.type_name()).into());
        }
    };
    let position = usize::try_from(value)
        .ok()
        .filter(|position| *position <= most);
    position.ok_or_else(|| OUT_OF_RANGE.into())
}

/// A part of a text or list. Sprig's function of this name, for lists alone, stands before it.
fn slice(_: &mut Context<'_, '_>, item: Value, indexes: Rest<Value>) -> Result<Value, Failure> {
    let length = match &item {
        Value::Text(text) | Value::Bytes(text) => text.len(),
        Value::List(list) => list.len(),
        Value::Nil => return Err("slice of untyped nil".into()),
        other => return Err(format!("can't slice item of type {}", other.type_name()).into()),
    };
    if indexes.0.len() > 3 {
        return Err("too many slice indexes".into());
    }
    if indexes.0.len() == 3 && matches!(item, Value::Text(_)) {
        return Err("cannot 3-index slice a string".into());
    }
    let mut bounds = [0, length, length];
    for (bound, index) in bounds.iter_mut().zip(&indexes.0) {
        *bound = position(index, length)?;
    }
    let [start, end, capacity] = bounds;
    if start > end || end > capacity {
        return Err("invalid slice index".into());
    }
    Ok(match item {
        Value::Text(text) => Value::Text(text[start..end].into()),
        Value::Bytes(bytes) => Value::Bytes(bytes[start..end].into()),
        Value::List(list) => List::new(list.elements(), list.items()[start..end].to_vec()).into(),
        other => other,
    })
}

fn print(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    let mut sink = context.sink();
    printf::sprint(&mut sink, &values.0, context.depth())?;
    Ok(sink.finish())
}

fn println(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    let mut sink = context.sink();
    printf::sprintln(&mut sink, &values.0, context.depth())?;
    Ok(sink.finish())
}

fn printf(
    context: &mut Context<'_, '_>,
    format: Text,
    values: Rest<Value>,
) -> Result<Text, Failure> {
    let mut sink = context.sink();
    printf::sprintf(&mut sink, &format, &values.0, context.depth())?;
    Ok(sink.finish())
}

fn html(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    escaped(context, values, escape::html)
}

fn js(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    escaped(context, values, escape::js)
}

fn urlquery(context: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Text, Failure> {
    escaped(context, values, escape::query)
}

fn escaped(
    context: &mut Context<'_, '_>,
    values: Rest<Value>,
    escape: fn(&[u8], &mut Sink) -> Result<(), Failure>,
) -> Result<Text, Failure> {
    let mut plain = context.sink();
    let values = values.0.into_iter().map(|value| match value {
        Value::Nil => "<no value>".into(),
        value => value,
    });
    printf::sprint(&mut plain, &values.collect::<Vec<_>>(), context.depth())?;
    let mut sink = context.sink();
    escape(plain.as_bytes(), &mut sink)?;
    Ok(sink.finish())
}

impl From<Int> for i64 {
    fn from(Int(value): Int) -> Self {
        value
    }
}
