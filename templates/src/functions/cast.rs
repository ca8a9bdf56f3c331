//! Values of any type as the type that a function needs. Nothing fails: what cannot be converted is zero.

use crate::error::Failure;
use crate::limits::Context;
use crate::parse::number;
use crate::printf;
use crate::value::{IntegerKind, Text, Value};

/// The value as text: a string as it is, all else as it prints.
pub(super) fn to_text(context: &Context<'_, '_>, value: &Value) -> Result<Text, Failure> {
    if let Value::Text(text) | Value::Bytes(text) = value {
        return Ok(text.clone());
    }
    let mut sink = context.sink();
    printf::print(&mut sink, value, context.depth())?;
    Ok(sink.finish())
}

/// The items of a list as texts, without those that are nothing; a single value is a list of one.
pub(super) fn to_texts(context: &mut Context<'_, '_>, value: &Value) -> Result<Vec<Text>, Failure> {
    let items = match value {
        Value::Nil => Vec::new(),
        value => value.items().unwrap_or_else(|| vec![value.clone()]),
    };
    context.spend_steps(items.len())?;
    let items = items.iter().filter(|item| !matches!(item, Value::Nil));
    items.map(|item| to_text(context, item)).collect()
}

/// The value as an integer.
pub(super) fn to_int(value: &Value) -> i64 {
    match value {
        Value::Integer(integer) if integer.kind == IntegerKind::Duration => 0,
        // Go wraps what is too large for 64 bits.
        #[expect(clippy::cast_possible_truncation, reason = "as in Go")]
        Value::Integer(integer) => integer.value as i64,
        Value::Float(float) => truncate(*float),
        Value::Number(number) => {
            let whole = number.as_i128().and_then(|whole| i64::try_from(whole).ok());
            whole.unwrap_or_else(|| truncate(number.as_f64()))
        }
        Value::Text(text) => text.as_str().and_then(int_of_text).unwrap_or(0),
        Value::Bool(truth) => i64::from(*truth),
        _ => 0,
    }
}

/// What is out of range becomes what the processors of clusters make of it.
#[expect(clippy::cast_possible_truncation, reason = "in range")]
fn truncate(float: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&float) {
        float as i64
    } else {
        i64::MIN
    }
}

/// All of Go's bases; a fraction of zeros may follow.
fn int_of_text(text: &str) -> Option<i64> {
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => {
            whole
        }
        _ => text,
    };
    let (negative, digits) = match whole.as_bytes().first()? {
        b'-' => (true, &whole[1..]),
        b'+' => (false, &whole[1..]),
        _ => (false, whole),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let magnitude = number::integer(digits)?;
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// The value as a float.
pub(super) fn to_float(value: &Value) -> f64 {
    match value {
        Value::Integer(integer) if integer.kind == IntegerKind::Duration => 0.0,
        #[expect(clippy::cast_precision_loss, reason = "a float is asked for")]
        Value::Integer(integer) => integer.value as f64,
        Value::Text(text) => text.as_str().and_then(float_of_text).unwrap_or(0.0),
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        value => value.as_float().unwrap_or(0.0),
    }
}

fn float_of_text(text: &str) -> Option<f64> {
    let unsigned = text.trim_start_matches(['+', '-']);
    if unsigned.starts_with("0x") || unsigned.starts_with("0X") {
        let constant = number::Constant::parse(text).ok()?;
        return constant.is_float.then_some(constant.float);
    }
    let value: f64 = text.parse().ok()?;
    // Go does not take a number that no float can hold.
    let overflows =
        value.is_infinite() && unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    (!overflows).then_some(value)
}

/// Sprig's idea of empty, which is the language's.
pub(super) fn is_empty(value: &Value) -> bool {
    !value.truth()
}
