//! What Go calls values, and whether they are equal with all that they contain.

use super::Table;
use crate::compare;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{Text, Value};

pub(super) fn table() -> Table {
    vec![
        ("deepEqual", Function::new(deep_equal)),
        ("kindIs", Function::new(kind_is)),
        ("kindOf", Function::new(kind_of)),
        ("typeIs", Function::new(type_is)),
        ("typeIsLike", Function::new(type_is_like)),
        ("typeOf", Function::new(type_of)),
    ]
}

fn type_of(_: &mut Context<'_, '_>, value: Value) -> Result<&'static str, Failure> {
    Ok(value.type_name())
}

fn type_is(_: &mut Context<'_, '_>, name: Text, value: Value) -> Result<bool, Failure> {
    Ok(*name == *value.type_name().as_bytes())
}

/// Of that type, or a pointer to it.
fn type_is_like(_: &mut Context<'_, '_>, name: Text, value: Value) -> Result<bool, Failure> {
    let of = value.type_name();
    Ok(*name == *of.as_bytes()
        || of
            .strip_prefix('*')
            .is_some_and(|of| *name == *of.as_bytes()))
}

fn kind_of(_: &mut Context<'_, '_>, value: Value) -> Result<&'static str, Failure> {
    Ok(value.kind_name())
}

fn kind_is(_: &mut Context<'_, '_>, name: Text, value: Value) -> Result<bool, Failure> {
    Ok(*name == *value.kind_name().as_bytes())
}

fn deep_equal(context: &mut Context<'_, '_>, left: Value, right: Value) -> Result<bool, Failure> {
    compare::deep_equal(context, &left, &right)
}
