//! Numbers. Integers are of 64 bits and wrap, as in Go.

use super::Table;
use super::cast::{to_float, to_int, to_text};
use crate::error::{Failure, Limit};
use crate::limits::Context;
use crate::signature::{Function, Int, Rest};
use crate::value::{Elements, List, Text, Value};

mod decimal;

use decimal::Operation;

pub(super) fn table() -> Table {
    vec![
        ("add", Function::new(add)),
        ("add1", Function::new(add1)),
        ("add1f", Function::new(add1f)),
        ("addf", Function::new(addf)),
        ("atoi", Function::new(atoi)),
        ("biggest", Function::new(max)),
        ("ceil", Function::new(ceil)),
        ("div", Function::new(div)),
        ("divf", Function::new(divf)),
        ("float64", Function::new(float64)),
        ("floor", Function::new(floor)),
        ("int", Function::new(int)),
        ("int64", Function::new(int64)),
        ("max", Function::new(max)),
        ("maxf", Function::new(maxf)),
        ("min", Function::new(min)),
        ("minf", Function::new(minf)),
        ("mod", Function::new(remainder)),
        ("mul", Function::new(mul)),
        ("mulf", Function::new(mulf)),
        ("round", Function::new(round)),
        ("seq", Function::new(seq)),
        ("sub", Function::new(sub)),
        ("subf", Function::new(subf)),
        ("toDecimal", Function::new(to_decimal)),
        ("until", Function::new(until)),
        ("untilStep", Function::new(until_step)),
    ]
}

fn atoi(_: &mut Context<'_, '_>, text: Text) -> Result<Int, Failure> {
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, &*text),
    };
    let mut number: i128 = 0;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return Ok(Int(0));
        }
        number = number * 10 + i128::from(byte - b'0');
        // What is too large is as large as it can be, whatever follows: Go looks no further.
        if number > u64::MAX.into() {
            break;
        }
    }
    let number = if negative { -number } else { number };
    let number = number.clamp(i64::MIN.into(), i64::MAX.into());
    Ok(Int(i64::try_from(number).unwrap_or(0)))
}

fn int(_: &mut Context<'_, '_>, value: Value) -> Result<Int, Failure> {
    Ok(Int(to_int(&value)))
}

fn int64(_: &mut Context<'_, '_>, value: Value) -> Result<i64, Failure> {
    Ok(to_int(&value))
}

fn float64(_: &mut Context<'_, '_>, value: Value) -> Result<f64, Failure> {
    Ok(to_float(&value))
}

/// What the value prints, read as octal.
fn to_decimal(context: &mut Context<'_, '_>, value: Value) -> Result<i64, Failure> {
    let text = to_text(context, &value)?;
    let number = text
        .as_str()
        .and_then(|text| i64::from_str_radix(text, 8).ok());
    Ok(number.unwrap_or(0))
}

fn add(_: &mut Context<'_, '_>, values: Rest<Value>) -> Result<i64, Failure> {
    Ok(values.0.iter().map(to_int).fold(0, i64::wrapping_add))
}

fn add1(_: &mut Context<'_, '_>, value: Value) -> Result<i64, Failure> {
    Ok(to_int(&value).wrapping_add(1))
}

fn sub(_: &mut Context<'_, '_>, left: Value, right: Value) -> Result<i64, Failure> {
    Ok(to_int(&left).wrapping_sub(to_int(&right)))
}

fn mul(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<i64, Failure> {
    Ok(others
        .0
        .iter()
        .map(to_int)
        .fold(to_int(&first), i64::wrapping_mul))
}

fn div(_: &mut Context<'_, '_>, left: Value, right: Value) -> Result<i64, Failure> {
    match to_int(&right) {
        0 => Err("integer divide by zero".into()),
        right => Ok(to_int(&left).wrapping_div(right)),
    }
}

fn remainder(_: &mut Context<'_, '_>, left: Value, right: Value) -> Result<i64, Failure> {
    match to_int(&right) {
        0 => Err("integer divide by zero".into()),
        right => Ok(to_int(&left).wrapping_rem(right)),
    }
}

fn max(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<i64, Failure> {
    Ok(others.0.iter().map(to_int).fold(to_int(&first), i64::max))
}

fn min(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<i64, Failure> {
    Ok(others.0.iter().map(to_int).fold(to_int(&first), i64::min))
}

fn maxf(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<f64, Failure> {
    Ok(others
        .0
        .iter()
        .map(to_float)
        .fold(to_float(&first), f64::max))
}

fn minf(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<f64, Failure> {
    Ok(others
        .0
        .iter()
        .map(to_float)
        .fold(to_float(&first), f64::min))
}

fn ceil(_: &mut Context<'_, '_>, value: Value) -> Result<f64, Failure> {
    Ok(to_float(&value).ceil())
}

fn floor(_: &mut Context<'_, '_>, value: Value) -> Result<f64, Failure> {
    Ok(to_float(&value).floor())
}

/// To so many places; up from one half, or from where the third argument says.
fn round(
    _: &mut Context<'_, '_>,
    value: Value,
    places: Int,
    up: Rest<f64>,
) -> Result<f64, Failure> {
    let up = up.0.first().copied().unwrap_or(0.5);
    let places = i32::try_from(places.0).unwrap_or(i32::MAX);
    let power = 10f64.powi(places);
    let shifted = power * to_float(&value);
    let rounded = if shifted.fract() >= up {
        shifted.ceil()
    } else {
        shifted.floor()
    };
    Ok(rounded / power)
}

fn addf(_: &mut Context<'_, '_>, values: Rest<Value>) -> Result<f64, Failure> {
    decimal::fold(0.0, &values.0, Operation::Add)
}

fn add1f(_: &mut Context<'_, '_>, value: Value) -> Result<f64, Failure> {
    decimal::fold(to_float(&value), &[Value::int(1)], Operation::Add)
}

fn subf(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<f64, Failure> {
    decimal::fold(to_float(&first), &others.0, Operation::Subtract)
}

fn mulf(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<f64, Failure> {
    decimal::fold(to_float(&first), &others.0, Operation::Multiply)
}

fn divf(_: &mut Context<'_, '_>, first: Value, others: Rest<Value>) -> Result<f64, Failure> {
    decimal::fold(to_float(&first), &others.0, Operation::Divide)
}

fn until(context: &mut Context<'_, '_>, count: Int) -> Result<List, Failure> {
    let step = if count.0 < 0 { -1 } else { 1 };
    until_step(context, Int(0), count, Int(step))
}

fn until_step(
    context: &mut Context<'_, '_>,
    start: Int,
    stop: Int,
    step: Int,
) -> Result<List, Failure> {
    let numbers = steps(context, start.0, stop.0, step.0)?;
    let numbers = numbers.into_iter().map(Value::int).collect();
    Ok(List::new(Elements::Int, numbers))
}

/// The numbers from `start` on, before `stop`.
fn steps(
    context: &mut Context<'_, '_>,
    start: i64,
    stop: i64,
    step: i64,
) -> Result<Vec<i64>, Failure> {
    let towards = if stop < start { step < 0 } else { step > 0 };
    if !towards {
        return Ok(Vec::new());
    }
    let distance = i128::from(stop) - i128::from(start);
    let count = distance
        .unsigned_abs()
        .div_ceil(u128::from(step.unsigned_abs()));
    let count = usize::try_from(count).map_err(|_| Limit::Memory)?;
    context.afford(count)?;
    context.spend_steps(count / 16)?;
    let numbers = std::iter::successors(Some(start), |number| number.checked_add(step));
    Ok(numbers.take(count).collect())
}

/// Numbers with spaces between them: up to an end, from a start, by a step.
fn seq(context: &mut Context<'_, '_>, bounds: Rest<Int>) -> Result<Text, Failure> {
    let bounds: Vec<i64> = bounds.0.into_iter().map(i64::from).collect();
    let (start, step, end) = match bounds[..] {
        [end] => (1, None, end),
        [start, end] => (start, None, end),
        [start, step, end] => (start, Some(step), end),
        _ => return Ok(Text::default()),
    };
    let direction = if end < start { -1 } else { 1 };
    let step = step.unwrap_or(direction);
    if direction < 0 && step > 0 {
        return Ok(Text::default());
    }
    let numbers = steps(context, start, end.saturating_add(direction), step)?;
    let mut sink = context.sink();
    for (index, number) in numbers.iter().enumerate() {
        if index > 0 {
            sink.push(" ")?;
        }
        sink.push(number.to_string())?;
    }
    Ok(sink.finish())
}
