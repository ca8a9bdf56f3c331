//! Which values are equal, and which comes first.

use std::cmp::Ordering;

use crate::error::{Failure, Limit};
use crate::limits::Context;
use crate::value::Value;

/// What values have in common that can be compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bool,
    Integer,
    Float,
    Text,
    Other,
}

fn class(value: &Value) -> Class {
    match value {
        Value::Bool(_) => Class::Bool,
        Value::Integer(_) => Class::Integer,
        Value::Float(_) | Value::Number(_) => Class::Float,
        Value::Text(_) => Class::Text,
        _ => Class::Other,
    }
}

fn incompatible(left: &Value, right: &Value) -> Failure {
    let (left, right) = (left.type_name(), right.type_name());
    format!("incompatible types for comparison: {left} and {right}").into()
}

/// `eq` of two values. Values of different types are not unequal, they cannot be compared.
pub(crate) fn equal(left: &Value, right: &Value) -> Result<bool, Failure> {
    if matches!(left, Value::Nil) || matches!(right, Value::Nil) {
        return Ok(is_nil(left) && is_nil(right));
    }
    if class(left) != class(right) {
        return Err(incompatible(left, right));
    }
    match (left, right) {
        (Value::Version(left), Value::Version(right)) => Ok(std::ptr::eq(left, right)),
        (Value::Time(left), Value::Time(right)) => {
            Ok(left.at == right.at && left.zone == right.zone)
        }
        (Value::Certificate(left), Value::Certificate(right)) => {
            Ok(left.cert == right.cert && left.key == right.key)
        }
        _ if class(left) == Class::Other => {
            if left.kind_name() == right.kind_name() {
                let (left, right) = (is_nil(left), is_nil(right));
                if left || right {
                    return Ok(left == right);
                }
            }
            Err(format!(
                "non-comparable types: {} and {}",
                left.type_name(),
                right.type_name()
            )
            .into())
        }
        _ => Ok(order(left, right) == Some(Ordering::Equal)),
    }
}

/// `lt` of two values.
pub(crate) fn less(left: &Value, right: &Value) -> Result<bool, Failure> {
    for value in [left, right] {
        if matches!(class(value), Class::Other) {
            return Err("invalid type for comparison".into());
        }
    }
    if class(left) != class(right) {
        return Err(incompatible(left, right));
    }
    if class(left) == Class::Bool {
        return Err("invalid type for comparison".into());
    }
    Ok(order(left, right) == Some(Ordering::Less))
}

/// Nothing, or a list or map that is none.
pub(crate) fn is_nil(value: &Value) -> bool {
    match value {
        Value::Nil => true,
        Value::List(list) => list.is_nil(),
        Value::Map(map) => map.is_nil(),
        _ => false,
    }
}

/// The order of two values of one class.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        (Value::Integer(left), Value::Integer(right)) => Some(left.value.cmp(&right.value)),
        (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
        (Value::Number(left), Value::Number(right)) => match (left.as_i128(), right.as_i128()) {
            // Numbers of more digits than a float has are told apart.
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => left.as_f64().partial_cmp(&right.as_f64()),
        },
        _ => left.as_float()?.partial_cmp(&right.as_float()?),
    }
}

/// Go's `reflect.DeepEqual`: of one type, and with all that they contain.
pub(crate) fn deep_equal(
    context: &mut Context<'_, '_>,
    left: &Value,
    right: &Value,
) -> Result<bool, Failure> {
    deep(context, left, right, context.depth())
}

fn deep(
    context: &mut Context<'_, '_>,
    left: &Value,
    right: &Value,
    depth: usize,
) -> Result<bool, Failure> {
    context.spend_steps(1 + left.weight() / 256)?;
    let depth = depth.checked_sub(1).ok_or(Limit::Depth)?;
    if left.type_name() != right.type_name() {
        return Ok(false);
    }
    Ok(match (left, right) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bytes(left), Value::Bytes(right)) => left == right,
        (Value::Version(left), Value::Version(right)) => left == right,
        (Value::List(left), Value::List(right)) => {
            if left.len() != right.len() || left.is_nil() != right.is_nil() {
                return Ok(false);
            }
            for (left, right) in left.items().iter().zip(right.items()) {
                if !deep(context, left, right, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Map(left), Value::Map(right)) => {
            let (left, right) = (left.entries(), right.entries());
            if left.len() != right.len() {
                return Ok(false);
            }
            for ((left_key, left), (right_key, right)) in left.iter().zip(&right) {
                if left_key != right_key || !deep(context, left, right, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        _ => equal(left, right)?,
    })
}
