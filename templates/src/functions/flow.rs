//! Defaults, choices and `fail`.

use super::Table;
use super::cast::is_empty;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::{Function, Rest};
use crate::value::{Text, Value};

pub(super) fn table() -> Table {
    vec![
        ("all", Function::new(all)),
        ("any", Function::new(any)),
        ("coalesce", Function::new(coalesce)),
        ("default", Function::new(default)),
        ("empty", Function::new(empty)),
        ("fail", Function::new(fail)),
        ("ternary", Function::new(ternary)),
    ]
}

fn default(_: &mut Context<'_, '_>, default: Value, given: Rest<Value>) -> Result<Value, Failure> {
    let given = given.0.into_iter().next();
    Ok(given.filter(|given| !is_empty(given)).unwrap_or(default))
}

fn empty(_: &mut Context<'_, '_>, value: Value) -> Result<bool, Failure> {
    Ok(is_empty(&value))
}

fn coalesce(_: &mut Context<'_, '_>, values: Rest<Value>) -> Result<Value, Failure> {
    let found = values.0.into_iter().find(|value| !is_empty(value));
    Ok(found.unwrap_or_default())
}

fn all(_: &mut Context<'_, '_>, values: Rest<Value>) -> Result<bool, Failure> {
    Ok(!values.0.iter().any(is_empty))
}

fn any(_: &mut Context<'_, '_>, values: Rest<Value>) -> Result<bool, Failure> {
    Ok(!values.0.iter().all(is_empty))
}

fn ternary(_: &mut Context<'_, '_>, yes: Value, no: Value, choice: bool) -> Result<Value, Failure> {
    Ok(if choice { yes } else { no })
}

/// The message may be made of a secret, so it is not told.
fn fail(_: &mut Context<'_, '_>, _: Text) -> Result<Text, Failure> {
    Err("the template failed on purpose".into())
}
